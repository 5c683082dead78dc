// Stores of which several threads may make one to the same cell.
#pragma once

#include <cstring>
#include <type_traits>

/// *cell = value, of an arithmetic type or __half. It is no race if other threads store there too:
/// one of the values stays, as a whole. As quick as any store.
template <typename T>
__device__ void atomic_store(T* cell, T value) {
  if constexpr (std::is_arithmetic_v<T>) {
    *static_cast<volatile T*>(cell) = value;
  } else {
    unsigned short bits;
    static_assert(sizeof bits == sizeof value);
    memcpy(&bits, &value, sizeof bits);
    *reinterpret_cast<volatile unsigned short*>(cell) = bits;
  }
}
