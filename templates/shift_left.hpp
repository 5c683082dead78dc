// `<<` for every count: shifting by as many bits as there are, or more, leaves none. C++ leaves
// that undefined, as it does shifting negative numbers.
#pragma once

#include <type_traits>

/// x << count for any count; bits that are shifted out are lost.
template <typename T>
inline T shift_left(T x, T count) {
  using Bits = std::make_unsigned_t<T>;
  const auto places = static_cast<Bits>(count);
  return places < 8 * sizeof(T) ? static_cast<T>(static_cast<Bits>(x) << places) : T{0};
}
