// A choice between two numbers without a branch, for loops that are to become vectors. `?:` is a
// branch until late in GCC, which moves arithmetic into it and gives up then; and it makes no mask
// of 64 bits from a comparison if the machine has no more than SSE2.
#pragma once

#include <cstdint>
#include <type_traits>

#include "templates/bits_as.hpp"

/// Returns `yes` if the sign bit of `sign` is set, as in a difference a - b with a < b; otherwise
/// `no`.
template <typename T>
[[gnu::always_inline]] inline T select_by_sign(T sign, T yes, T no) {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  const Bits mask = Bits{0} - (bits_as<Bits>(sign) >> (8 * sizeof(T) - 1));
  return bits_as<T>((bits_as<Bits>(yes) & mask) | (bits_as<Bits>(no) & ~mask));
}
