#include "emit/driver/compare.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace boustro::driver {
namespace {

using values::PrimType;
using values::Value;

double strict_factor(PrimType type) {
  switch (type) {
    case PrimType::f16:
      return 1e-2;
    case PrimType::f32:
      return 1e-5;
    default:
      return 1e-10;
  }
}

/// The largest finite element; of magnitudes, if they are asked for.
double largest(const Value& value, bool of_magnitudes) {
  double result = of_magnitudes ? 0 : -HUGE_VAL;
  for (std::int64_t i = 0; i < value.size(); ++i) {
    const double x = value.element(i).as_float();
    if (std::isfinite(x)) result = std::max(result, of_magnitudes ? std::abs(x) : x);
  }
  return result;
}

/// How far element x of the expected value may be missed.
struct Bound {
  double absolute = 0, relative = 0;
  double of(double x) const { return std::max(absolute, relative * std::abs(x)); }
};

Bound bound_for(const Value& expected, Tolerance tolerance) {
  if (tolerance == Tolerance::futhark)
    return {std::max(0.002, 0.002 * largest(expected, false)), 0};
  const double factor = strict_factor(expected.type);
  return {factor * 1e-3 * largest(expected, true), factor};
}

bool agree(double got, double expected, double bound) {
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(expected) || std::isinf(got)) return got == expected;
  return std::abs(got - expected) <= bound;
}

/// `[3][0]`: where element number `flat` stands.
std::string position(const Value& value, std::int64_t flat) {
  std::string text;
  for (std::size_t d = value.shape.size(); d-- > 0;) {
    text = fmt::format("[{}]", flat % value.shape[d]) + text;
    flat /= value.shape[d];
  }
  return text;
}

std::string difference(const Value& got, const Value& expected, Tolerance tolerance,
                       const std::vector<double>& last_digits) {
  if (got.type != expected.type || got.shape != expected.shape) {
    return fmt::format("has type {}, expected {}", type_string(got), type_string(expected));
  }
  const Bound bound = is_float(expected.type) ? bound_for(expected, tolerance) : Bound{};
  for (std::int64_t i = 0; i < got.size(); ++i) {
    const auto flat = static_cast<std::size_t>(i);
    const double last_digit = flat < last_digits.size() ? last_digits[flat] : 0;
    const auto g = got.element(i), e = expected.element(i);
    if (is_float(got.type) ? agree(g.as_float(), e.as_float(), bound.of(e.as_float()) + last_digit)
                           : g == e)
      continue;
    return fmt::format("{}is {}, expected {}", got.rank() > 0 ? "at " + position(got, i) + " " : "",
                       to_string(g), to_string(e));
  }
  return "";
}

}  // namespace

std::string difference(const std::vector<Value>& got, const values::WrittenValues& expected,
                       Tolerance tolerance) {
  if (got.size() != expected.values.size()) {
    return fmt::format("{} values, expected {}", got.size(), expected.values.size());
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::vector<double> exact;
    const auto& last_digits = i < expected.last_digits.size() ? expected.last_digits[i] : exact;
    const std::string text = difference(got[i], expected.values[i], tolerance, last_digits);
    if (!text.empty()) return fmt::format("value {} {}", i, text);
  }
  return "";
}

std::string difference(const std::vector<Value>& got, const std::vector<Value>& expected,
                       Tolerance tolerance) {
  return difference(got, values::WrittenValues{expected, {}}, tolerance);
}

}  // namespace boustro::driver
