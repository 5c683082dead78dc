// Stores that several threads may make to the same cell.
#pragma once

#include <cstring>
#include <type_traits>

/// Stores `value`, of an arithmetic type or __half, to `*cell`. Other threads may store to the cell
/// at the same time: one of the values remains, as a whole. As fast as an ordinary store.
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
