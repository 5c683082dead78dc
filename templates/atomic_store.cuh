// Stores of which several threads may make one to the same cell: the result is one of the values.
#pragma once

#include "templates/atomic_update.cuh"

/// *cell = value, atomically.
template <typename T>
__device__ void atomic_store(T* cell, T value) {
  atomic_update(cell, value, [](T, T y) { return y; });
}
