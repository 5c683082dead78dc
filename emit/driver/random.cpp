#include "emit/driver/random.hpp"

#include <bit>
#include <charconv>
#include <cmath>

#include "frontend/values/read.hpp"

namespace boustro::driver {

using values::PrimType;
using values::PrimValue;
using values::Value;

namespace {

std::uint64_t scrambled(std::uint64_t x, int shift1, std::uint64_t factor1, int shift2,
                        std::uint64_t factor2, int shift3) {
  x = (x ^ x >> shift1) * factor1;
  x = (x ^ x >> shift2) * factor2;
  return x ^ x >> shift3;
}

std::uint64_t mixed(std::uint64_t x) {
  return scrambled(x, 33, 0xff51'afd7'ed55'8ccd, 33, 0xc4ce'b9fe'1a85'ec53, 33);
}

/// Odd, and with enough places where neighbouring bits differ.
std::uint64_t mixed_gamma(std::uint64_t x) {
  x = scrambled(x, 30, 0xbf58'476d'1ce4'e5b9, 27, 0x94d0'49bb'1331'11eb, 31) | 1;
  return std::popcount(x ^ x >> 1) < 24 ? x ^ 0xaaaa'aaaa'aaaa'aaaa : x;
}

/// 53 random bits as a fraction: unlike std::uniform_real_distribution the same with every standard
/// library.
double fraction(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

}  // namespace

SplitMix::SplitMix(std::uint64_t seed)
    : state_(mixed(seed)), gamma_(mixed_gamma(seed + 0x9e37'79b9'7f4a'7c15)) {}

std::uint64_t SplitMix::next() { return mixed(state_ += gamma_); }

/// Integers start from their smallest number; floats are 1 - x for a random x in [0, 1].
PrimValue RandomValues::element(PrimType type) {
  const std::uint64_t bits = generator_.next();
  const auto low_half = static_cast<std::uint32_t>(bits);
  switch (type) {
    case PrimType::boolean:
      return PrimValue::of_bool(bits & 1);
    case PrimType::f16:
    case PrimType::f32:
      return PrimValue::of_float(type, 1.0F - static_cast<float>(low_half) / 0x1p32F);
    case PrimType::f64:
      return PrimValue::of_float(type, 1.0 - static_cast<double>(bits) / 0x1p64);
    default: {
      const std::uint64_t smallest =
          values::is_signed(type) ? std::uint64_t{1} << (8 * values::byte_size(type) - 1) : 0;
      return PrimValue::of_int(type, static_cast<std::int64_t>(bits + smallest));
    }
  }
}

Value RandomValues::uniform(PrimType type, std::vector<std::int64_t> shape) {
  Value value = Value::zeros(type, std::move(shape));
  for (std::int64_t i = 0; i < value.size(); ++i) value.set_element(i, element(type));
  return value;
}

Value RandomValues::between(PrimType type, std::vector<std::int64_t> shape, double low,
                            double high) {
  Value value = Value::zeros(type, std::move(shape));
  for (std::int64_t i = 0; i < value.size(); ++i) {
    const double x = low + (high - low) * fraction(generator_.next());
    value.set_element(i, values::is_float(type) ? PrimValue::of_float(type, x)
                         : type == PrimType::boolean
                             ? PrimValue::of_bool(2 * x >= low + high)
                             : PrimValue::of_int(type, static_cast<std::int64_t>(std::floor(x))));
  }
  return value;
}

Value random_item(RandomValues& random, const std::string& item) {
  const std::size_t type_at = item.rfind(']') == item.npos ? 0 : item.rfind(']') + 1;
  const auto type = values::prim_type_named(std::string_view(item).substr(type_at));
  if (!type) return values::read_values(item).at(0);
  std::vector<std::int64_t> shape;
  for (std::size_t at = 0; at < type_at;) {
    std::int64_t size = 0;
    const auto [end, error] = std::from_chars(item.data() + at + 1, item.data() + type_at, size);
    if (item[at] != '[' || error != std::errc() || *end != ']')
      throw values::ReadError("expected a type with constant sizes", at);
    shape.push_back(size);
    at = static_cast<std::size_t>(end - item.data()) + 1;
  }
  return random.uniform(*type, shape);
}

}  // namespace boustro::driver
