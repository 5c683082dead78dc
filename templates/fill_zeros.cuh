// Setting an array to zero.
#pragma once

#include <cstddef>
#include <cstdint>

/// Queues a memset of `count` elements to zero.
template <typename T>
cudaError_t fill_zeros(T* elements, int64_t count, cudaStream_t stream) {
  return cudaMemsetAsync(elements, 0, static_cast<std::size_t>(count) * sizeof(T), stream);
}
