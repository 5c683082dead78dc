// Copies within device memory.
#pragma once

#include <cstddef>
#include <cstdint>

/// Copies so many elements within device memory, when the stream gets there; the arrays do not
/// overlap.
template <typename T>
cudaError_t copy_array(T* to, const T* from, int64_t count, cudaStream_t stream) {
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}
