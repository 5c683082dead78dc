// Copies from device memory to the host.
#pragma once

/// Queues a copy of one element of device memory to the host; `*to` is valid once the stream has
/// been waited for.
template <typename T>
cudaError_t copy_to_host(T* to, const T* from, cudaStream_t stream) {
  return cudaMemcpyAsync(to, from, sizeof(T), cudaMemcpyDeviceToHost, stream);
}
