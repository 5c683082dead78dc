// `>>>` for every count: shifting by as many bits as there are, or more, leaves none.
#pragma once

#include <type_traits>

/// x >> count for any count, filled with zeros.
template <typename T>
inline T shift_right_zeros(T x, T count) {
  using Bits = std::make_unsigned_t<T>;
  const auto places = static_cast<Bits>(count);
  return places < 8 * sizeof(T) ? static_cast<T>(static_cast<Bits>(x) >> places) : T{0};
}
