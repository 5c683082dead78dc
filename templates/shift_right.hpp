// `>>` for every count: shifting by as many bits as there are, or more, leaves copies of the sign
// of signed types. C++ leaves that undefined.
#pragma once

#include <type_traits>

/// x >> count for any count, filled with copies of the sign of signed types.
template <typename T>
inline T shift_right(T x, T count) {
  const auto places = static_cast<std::make_unsigned_t<T>>(count);
  const bool all = places >= 8 * sizeof(T);
  return static_cast<T>(x >> (all ? 8 * sizeof(T) - 1 : places) >> (all ? 1 : 0));
}
