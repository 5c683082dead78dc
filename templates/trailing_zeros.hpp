// `ctz` of each integer type's module.
#pragma once

#include <cstdint>
#include <type_traits>

/// Number of trailing zero bits of x; all bits of T for 0.
template <typename T>
inline int32_t trailing_zeros(T x) {
  const uint64_t bits = static_cast<std::make_unsigned_t<T>>(x);
  int32_t count = 0;
  while (count < 8 * static_cast<int32_t>(sizeof(T)) && (bits >> count & 1) == 0) ++count;
  return count;
}
