// Conversions between primitive types; see scalar.hpp for their meaning.
#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>

#include "transform/ir/scalar_representation.hpp"

namespace boustro::ir {
namespace {

using namespace representation;

/// Rounded towards zero into I; what does not fit becomes the nearest value of I.
template <std::integral I>
I saturated(double truncated) {
  constexpr double beyond = std::is_signed_v<I> ? 0x1p63 : 0x1p64;
  if (truncated >= beyond) return std::numeric_limits<I>::max();
  if (truncated < -0x1p63) return static_cast<I>(std::numeric_limits<std::int64_t>::min());
  if (truncated < 0) return static_cast<I>(static_cast<std::int64_t>(truncated));
  return static_cast<I>(truncated);
}

/// The nearest integer of 32 or 64 bits; of that the low bits for narrower types, and for u32.
template <PrimType To>
Bits integer_from_float(double value) {
  if (!std::isfinite(value)) return 0;
  const double truncated = std::trunc(value);
  if constexpr (To == PrimType::u64) return saturated<std::uint64_t>(truncated);
  if constexpr (To == PrimType::i32) {
    constexpr std::numeric_limits<std::int32_t> i32;
    return store<To>(
        static_cast<std::int32_t>(std::clamp<double>(truncated, i32.min(), i32.max())));
  }
  return store<To>(saturated<std::int64_t>(truncated));
}

template <PrimType From, PrimType To>
Bits converted(Bits bits) {
  const auto value = load<From>(bits);
  constexpr bool from_float = std::floating_point<typename Cpp<From>::type>;
  constexpr bool to_float = std::floating_point<typename Cpp<To>::type>;
  if constexpr (From == To)
    return bits;
  else if constexpr (To == PrimType::boolean)
    return value != 0;
  else if constexpr (from_float && !to_float)
    return integer_from_float<To>(value);
  else if constexpr (To == PrimType::f16)
    return store<To>(static_cast<double>(value));
  else
    return store<To>(value);
}

template <PrimType From>
UnaryFunction conversion_from(PrimType to) {
  return for_all(to, [](auto target) -> UnaryFunction { return &converted<From, target()>; });
}

}  // namespace

UnaryFunction conversion(PrimType from, PrimType to) {
  const auto conversion_to = for_all(from, [](auto source) { return &conversion_from<source()>; });
  return conversion_to(to);
}

}  // namespace boustro::ir
