// What a call on a GPU needs of XLA: its stream, and memory for as long as the call takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "templates/bindings/xla.hpp"

/// Turns an error of the CUDA runtime into an exception.
inline void require_success(const char* function, cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(function) + ": " + cudaGetErrorString(error));
}

/// Memory of the device for the rest of the call.
inline void* device_memory(const char* function, ffi::ScratchAllocator& memory, std::size_t bytes) {
  if (bytes == 0) return nullptr;
  const auto found = memory.Allocate(bytes, 256);
  if (!found) throw std::runtime_error(std::string(function) + ": no " + std::to_string(bytes) + " bytes of scratch memory");
  return *found;
}

/// A value of the device, once all work of the stream is done.
template <typename T>
T read_from_device(const char* function, const void* pointer, cudaStream_t stream) {
  T value{};
  require_success(function, cudaMemcpyAsync(&value, pointer, sizeof(value), cudaMemcpyDeviceToHost, stream));
  require_success(function, cudaStreamSynchronize(stream));
  return value;
}

/// An integer, which is of 64 bits where JAX has been told to have such.
inline int64_t read_any_integer(const char* function, const ffi::AnyBuffer& buffer, cudaStream_t stream) {
  if (buffer.element_type() == ffi::S64) return read_from_device<int64_t>(function, buffer.untyped_data(), stream);
  return read_from_device<int32_t>(function, buffer.untyped_data(), stream);
}
