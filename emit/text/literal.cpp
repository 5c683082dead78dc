#include "emit/text/literal.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "emit/text/types.hpp"

namespace boustro::text {
namespace {

using values::PrimType;
using values::PrimValue;

/// The shortest digits that read back as the same value, with a point or exponent.
template <typename Float>
std::string digits(Float value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string special_text(double value, const Place& place) {
  place.need_header("cmath");
  if (std::isnan(value)) return "NAN";
  return value < 0 ? "-INFINITY" : "INFINITY";
}

std::string float_text(PrimValue value, Literals literals, const Place& place) {
  const double number = value.as_float();
  const bool special = !std::isfinite(number);
  if (value.type == PrimType::f32) {
    return special ? special_text(number, place) : digits(static_cast<float>(number)) + "f";
  }
  const std::string text = special                       ? special_text(number, place)
                           : value.type == PrimType::f16 ? digits(static_cast<float>(number)) + "f"
                                                         : digits(number);
  if (value.type == PrimType::f16) return fmt::format("{}({})", type_text(value.type, place), text);
  return special && literals == Literals::exact ? fmt::format("double{{{}}}", text) : text;
}

/// In decimal, but for the ends of 64 bits; the least numbers have no literal in C++.
std::string signed_text(PrimValue value) {
  const std::int64_t number = value.as_int();
  if (number == std::numeric_limits<std::int64_t>::min()) return "INT64_MIN";
  if (number == std::numeric_limits<std::int64_t>::max()) return "INT64_MAX";
  if (number == std::numeric_limits<std::int32_t>::min()) {
    return value.type == PrimType::i32 ? "INT32_MIN" : "int64_t{INT32_MIN}";
  }
  return fmt::format("{}", number);
}

std::string integer_text(PrimValue value, Literals literals, const Place& place) {
  const bool is_signed = values::is_signed(value.type);
  const std::string text = is_signed ? signed_text(value) : fmt::format("{}", value.bits);
  switch (value.type) {
    case PrimType::i32:
      return text;
    case PrimType::u32:
      return text + "u";
    case PrimType::u64: {
      const bool large = value.bits > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
      if (large) return text + "u";
      break;
    }
    default:
      break;
  }
  const bool typed =
      literals == Literals::converted || text.starts_with("INT64") || text.starts_with("int64_t");
  return typed ? text : fmt::format("{}{{{}}}", type_text(value.type, place), text);
}

}  // namespace

std::string literal_text(PrimValue value, Literals literals, const Place& place) {
  if (value.type == PrimType::boolean) return value.as_bool() ? "true" : "false";
  return values::is_float(value.type) ? float_text(value, literals, place)
                                      : integer_text(value, literals, place);
}

}  // namespace boustro::text
