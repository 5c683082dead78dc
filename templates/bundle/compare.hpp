// Compares results with what is expected of them.
//
// Integers and bools must be equal. A float may be away by 0.002 times the largest element that is expected of its array, and by
// 0.002 in any case, as `futhark test` has it; and by a unit of the last digit where the expected value was written down with
// few digits. NaN equals NaN, and infinities of one sign are equal.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "values.hpp"

namespace bundle {

struct Comparison {
  std::string difference = {};  // the first one, in words; empty if there is none
  /// The largest distance of two finite floats, relative to the largest magnitude that is expected of their array.
  double relative_error = 0;
};

template <typename T>
T read_as(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

inline double from_half(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = (bits & 1023) / 1024.0, sign = bits >> 15 ? -1 : 1;
  if (exponent == 31) return fraction > 0 ? std::nan("") : sign * HUGE_VAL;
  return sign * std::ldexp(exponent > 0 ? 1 + fraction : fraction, std::max(exponent, 1) - 15);
}

inline bool is_float(const std::string& type) { return type[0] == 'f'; }

/// A float of that type.
inline double float_at(const std::string& type, const char* at) {
  if (type == "f64") return read_as<double>(at);
  if (type == "f32") return static_cast<double>(read_as<float>(at));
  return from_half(read_as<std::uint16_t>(at));
}

inline std::string element_text(const std::string& type, const char* at) {
  if (is_float(type)) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.9g", float_at(type, at));
    return buffer;
  }
  if (type == "bool") return *at != 0 ? "true" : "false";
  if (type == "u64") return std::to_string(read_as<std::uint64_t>(at));
  if (type == "i64") return std::to_string(read_as<std::int64_t>(at));
  if (type == "u32") return std::to_string(read_as<std::uint32_t>(at));
  if (type == "i32") return std::to_string(read_as<std::int32_t>(at));
  if (type == "u16") return std::to_string(read_as<std::uint16_t>(at));
  if (type == "i16") return std::to_string(read_as<std::int16_t>(at));
  if (type == "u8") return std::to_string(read_as<std::uint8_t>(at));
  return std::to_string(read_as<std::int8_t>(at));
}

/// `[3][0]`: where an element stands.
inline std::string position(const Value& value, std::size_t flat) {
  std::string text;
  for (std::size_t d = value.shape.size(); d-- > 0;) {
    const auto extent = static_cast<std::size_t>(value.shape[d]);
    text = "[" + std::to_string(flat % extent) + "]" + text;
    flat /= extent;
  }
  return text;
}

inline bool agree(double got, double expected, double bound) {
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(expected) || std::isinf(got)) return got == expected;
  return std::abs(got - expected) <= bound;
}

/// The largest finite floats of a value, with and without sign.
struct Largest {
  double element = -HUGE_VAL, magnitude = 0;

  explicit Largest(const Value& value) {
    for (std::size_t i = 0; i < value.elements(); ++i) {
      const double x = float_at(value.type, value.data.data() + i * value.element_bytes());
      if (!std::isfinite(x)) continue;
      element = std::max(element, x);
      magnitude = std::max(magnitude, std::abs(x));
    }
  }
};

inline std::string difference_at(const Value& expected, std::size_t element, const char* got) {
  return (expected.shape.empty() ? "" : "at " + position(expected, element) + " ") + "is " +
         element_text(expected.type, got) + ", expected " +
         element_text(expected.type, expected.data.data() + element * expected.element_bytes());
}

/// `last_digits`: for each element a unit of its last digit; may be null.
inline Comparison compare_floats(const std::vector<char>& got, const Value& expected, const Value* last_digits) {
  Comparison result;
  const Largest largest(expected);
  const double bound = std::max(0.002, 0.002 * largest.element);
  for (std::size_t i = 0; i < expected.elements(); ++i) {
    const std::size_t at = i * expected.element_bytes();
    const double g = float_at(expected.type, got.data() + at), e = float_at(expected.type, expected.data.data() + at);
    const double digit = last_digits == nullptr ? 0 : float_at("f64", last_digits->data.data() + i * sizeof(double));
    const double distance = std::abs(g - e);
    if (std::isfinite(distance) && distance > 0)
      result.relative_error = std::max(result.relative_error, distance / std::max(largest.magnitude, 1e-300));
    if (!agree(g, e, bound + digit) && result.difference.empty())
      result.difference = difference_at(expected, i, got.data() + at);
  }
  return result;
}

inline Comparison compare_value(const std::vector<char>& got, const Value& expected, const Value* last_digits) {
  const std::size_t bytes = expected.element_bytes();
  if (got.size() != expected.data.size())
    return {"has " + std::to_string(got.size() / bytes) + " elements, expected " + std::to_string(expected.elements())};
  if (is_float(expected.type)) return compare_floats(got, expected, last_digits);
  for (std::size_t i = 0; i < expected.elements(); ++i) {
    if (std::memcmp(got.data() + i * bytes, expected.data.data() + i * bytes, bytes) != 0)
      return {difference_at(expected, i, got.data() + i * bytes)};
  }
  return {};
}

/// `last_digits` has a value for each result, or none at all.
inline Comparison compare(const std::vector<std::vector<char>>& got, const std::vector<Value>& expected,
                          const std::vector<Value>& last_digits) {
  Comparison all;
  if (got.size() != expected.size()) {
    all.difference = std::to_string(got.size()) + " results, expected " + std::to_string(expected.size());
    return all;
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Comparison one = compare_value(got[i], expected[i], i < last_digits.size() ? &last_digits[i] : nullptr);
    all.relative_error = std::max(all.relative_error, one.relative_error);
    if (all.difference.empty() && !one.difference.empty())
      all.difference = "result " + std::to_string(i) + " " + one.difference;
  }
  return all;
}

}  // namespace bundle
