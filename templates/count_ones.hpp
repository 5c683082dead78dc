// `popc` of each integer type's module.
#pragma once

#include <cstdint>
#include <type_traits>

/// Number of set bits of x.
template <typename T>
inline int32_t count_ones(T x) {
  int32_t count = 0;
  uint64_t rest = static_cast<std::make_unsigned_t<T>>(x);
  for (; rest != 0; rest &= rest - 1) ++count;
  return count;
}
