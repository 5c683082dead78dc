#include "frontend/values/primitive.hpp"

#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "frontend/source/diagnostics.hpp"

namespace boustro::values {
namespace {

struct Description {
  std::string_view name;
  int bytes;
};

constexpr std::array<Description, 12> descriptions = {{{"i8", 1},
                                                       {"i16", 2},
                                                       {"i32", 4},
                                                       {"i64", 8},
                                                       {"u8", 1},
                                                       {"u16", 2},
                                                       {"u32", 4},
                                                       {"u64", 8},
                                                       {"f16", 2},
                                                       {"f32", 4},
                                                       {"f64", 8},
                                                       {"bool", 1}}};

const Description& describe(PrimType type) {
  return descriptions.at(static_cast<std::size_t>(type));
}

/// The low bits of `value` that the type has room for.
std::uint64_t wrapped(PrimType type, std::int64_t value) {
  const int unused_bits = 64 - 8 * byte_size(type);
  return static_cast<std::uint64_t>(value) << unused_bits >> unused_bits;
}

/// The shortest digits that read back as the same value of T, always with a point or an exponent.
template <typename T>
std::string digits_of(T value) {
  std::string digits = fmt::format("{}", value);
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return digits;
}

/// As digits_of for f16, which has no C++ type: three to five digits tell all of its values apart.
std::string digits_of_f16(std::uint16_t bits) {
  const double value = f16_to_double(bits);
  for (int precision = 1; precision < 5; ++precision) {
    const std::string digits = fmt::format("{:.{}g}", value, precision);
    if (f16_from_double(std::stod(digits)) == bits) return digits_of(std::stod(digits));
  }
  return digits_of(std::stod(fmt::format("{:.5g}", value)));
}

std::string float_to_string(PrimValue value) {
  const double number = value.as_float();
  const std::string_view module = name_of(value.type);
  if (std::isnan(number)) return fmt::format("{}.nan", module);
  if (std::isinf(number)) return fmt::format("{}{}.inf", number < 0 ? "-" : "", module);
  switch (value.type) {
    case PrimType::f16:
      return digits_of_f16(static_cast<std::uint16_t>(value.bits)) + "f16";
    case PrimType::f32:
      return digits_of(static_cast<float>(number)) + "f32";
    default:
      return digits_of(number) + "f64";
  }
}

}  // namespace

std::string_view name_of(PrimType type) { return describe(type).name; }

std::optional<PrimType> prim_type_named(std::string_view name) {
  for (std::size_t i = 0; i < descriptions.size(); ++i) {
    if (descriptions[i].name == name) return static_cast<PrimType>(i);
  }
  return std::nullopt;
}

int byte_size(PrimType type) { return describe(type).bytes; }

bool is_float(PrimType type) {
  return type == PrimType::f16 || type == PrimType::f32 || type == PrimType::f64;
}
bool is_signed(PrimType type) { return type <= PrimType::i64; }
bool is_unsigned(PrimType type) { return type >= PrimType::u8 && type <= PrimType::u64; }
bool is_integer(PrimType type) { return type <= PrimType::u64; }

PrimValue PrimValue::of_int(PrimType type, std::int64_t value) {
  if (is_integer(type)) return {type, wrapped(type, value)};
  if (type == PrimType::boolean) return of_bool(value != 0);
  if (type == PrimType::f32) return {type, std::bit_cast<std::uint32_t>(static_cast<float>(value))};
  return of_float(type, static_cast<double>(value));
}

PrimValue PrimValue::of_float(PrimType type, double value) {
  switch (type) {
    case PrimType::f16:
      return {type, f16_from_double(value)};
    case PrimType::f32:
      return {type, std::bit_cast<std::uint32_t>(static_cast<float>(value))};
    case PrimType::f64:
      return {type, std::bit_cast<std::uint64_t>(value)};
    default:
      source::internal_error("PrimValue::of_float: not a float type");
  }
}

std::int64_t PrimValue::as_int() const {
  switch (type) {
    case PrimType::i8:
      return static_cast<std::int8_t>(bits);
    case PrimType::i16:
      return static_cast<std::int16_t>(bits);
    case PrimType::i32:
      return static_cast<std::int32_t>(bits);
    default:
      break;
  }
  source::internal_check(!is_float(type), "PrimValue::as_int: a float");
  return static_cast<std::int64_t>(bits);
}

double PrimValue::as_float() const {
  switch (type) {
    case PrimType::f16:
      return f16_to_double(static_cast<std::uint16_t>(bits));
    case PrimType::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case PrimType::f64:
      return std::bit_cast<double>(bits);
    default:
      source::internal_error("PrimValue::as_float: not a float");
  }
}

bool PrimValue::is_zero() const { return is_float(type) ? as_float() == 0 : bits == 0; }

std::uint16_t f16_from_double(double value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) {
    const auto payload =
        static_cast<std::uint16_t>(std::bit_cast<std::uint64_t>(value) >> 42 & 0x3ff);
    return static_cast<std::uint16_t>(sign | 0x7e00 | payload);
  }
  if (magnitude >= 65520) return sign | 0x7c00;  // half-way to the next power of two, and beyond
  if (magnitude < 0x1p-14) {                     // subnormal; may round up to the first normal
    return static_cast<std::uint16_t>(sign | static_cast<int>(std::nearbyint(magnitude * 0x1p24)));
  }
  const int exponent = std::ilogb(magnitude);
  const int mantissa = static_cast<int>(std::nearbyint(std::scalbn(magnitude, 10 - exponent)));
  // A mantissa that rounds up to 2048 carries into the exponent, as it should.
  return static_cast<std::uint16_t>(sign | (((exponent + 15) << 10) + (mantissa - 1024)));
}

double f16_to_double(std::uint16_t bits) {
  const double sign = (bits & 0x8000) ? -1 : 1;
  const int exponent = bits >> 10 & 0x1f;
  const int mantissa = bits & 0x3ff;
  if (exponent == 0x1f) {
    if (mantissa == 0) return sign * std::numeric_limits<double>::infinity();
    const std::uint64_t nan = 0x7ff0'0000'0000'0000 | static_cast<std::uint64_t>(mantissa) << 42 |
                              static_cast<std::uint64_t>(bits & 0x8000) << 48;
    return std::bit_cast<double>(nan);
  }
  if (exponent == 0) return sign * std::scalbn(mantissa, -24);
  return sign * std::scalbn(mantissa + 1024, exponent - 25);
}

std::string to_string(PrimValue value) {
  if (value.type == PrimType::boolean) return value.as_bool() ? "true" : "false";
  if (is_float(value.type)) return float_to_string(value);
  if (is_unsigned(value.type)) return fmt::format("{}{}", value.bits, name_of(value.type));
  return fmt::format("{}{}", value.as_int(), name_of(value.type));
}

}  // namespace boustro::values
