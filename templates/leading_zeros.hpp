// `clz` of each integer type's module.
#pragma once

#include <cstdint>
#include <type_traits>

/// Number of leading zero bits of x; all bits of T for 0.
template <typename T>
inline int32_t leading_zeros(T x) {
  int32_t count = 8 * static_cast<int32_t>(sizeof(T));
  uint64_t rest = static_cast<std::make_unsigned_t<T>>(x);
  for (; rest != 0; rest >>= 1) --count;
  return count;
}
