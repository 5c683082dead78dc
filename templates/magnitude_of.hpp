// The absolute value, for code that asks for the sign of a difference.
#pragma once

#include <cstdint>
#include <type_traits>

#include "templates/bits_as.hpp"

/// Returns |x|, which has no sign even if it is NaN. Compilers take std::fabs of what is never
/// negative, such as a square, for that itself, and a NaN keeps its sign.
template <typename T>
[[gnu::always_inline]] inline T magnitude_of(T x) {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  return bits_as<T>(bits_as<Bits>(x) & (~Bits{0} >> 1));
}
