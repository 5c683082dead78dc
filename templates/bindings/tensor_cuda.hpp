// What a call on a GPU needs of PyTorch: its stream, and memory from its cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

/// Turns an error of the CUDA runtime into an exception.
inline void require_success(const char* function, cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(function) + ": " + cudaGetErrorString(error));
}

/// Memory of the current device from PyTorch's cache, for work of the current stream.
class DeviceMemory {
 public:
  DeviceMemory(at::Device device, std::size_t bytes)
      : bytes_(at::empty({static_cast<int64_t>(bytes)}, at::TensorOptions(device).dtype(at::kByte))) {}
  void* data() const { return bytes_.data_ptr(); }

 private:
  at::Tensor bytes_;
};

/// Where the checks of a function leave word, on the device.
template <typename Failure>
class FailureRecord {
 public:
  explicit FailureRecord(at::Device device) : memory_(device, sizeof(Failure)) {}
  Failure* data() const { return static_cast<Failure*>(memory_.data()); }
  /// What is found once all work of the stream is done.
  Failure read(const char* function, cudaStream_t stream) const {
    Failure found{};
    require_success(function, cudaMemcpyAsync(&found, data(), sizeof(found), cudaMemcpyDeviceToHost, stream));
    require_success(function, cudaStreamSynchronize(stream));
    return found;
  }

 private:
  DeviceMemory memory_;
};
