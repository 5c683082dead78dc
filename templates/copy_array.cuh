// Copies within device memory.
#pragma once

#include <cstddef>
#include <cstdint>

/// Queues a copy of `count` elements within device memory; the arrays must not overlap.
template <typename T>
cudaError_t copy_array(T* to, const T* from, int64_t count, cudaStream_t stream) {
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}
