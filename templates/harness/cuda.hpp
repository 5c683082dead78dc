// Memory and errors of a harness for CUDA: everything is on the device.
#pragma once

#include <cstring>
#include <vector>

#include <cuda_runtime_api.h>

#include "calls.hpp"
#include "exchange.hpp"

/// Defined by the emulator alone: it watches what the entry does.
extern "C" __attribute__((weak)) void cuda_emulation_begin_entry();
extern "C" __attribute__((weak)) void cuda_emulation_end_entry();
extern "C" __attribute__((weak)) bool cuda_emulation_has_failed();

namespace harness {

inline void check(cudaError_t error) {
  if (error != cudaSuccess) give_up(cudaGetErrorName(error), exit_entry_failed);
}

inline bool succeeds(cudaError_t error) { return error == cudaSuccess; }

/// Counts what it hands out.
template <typename Default>
class Allocator : public Default {
 public:
  cudaError_t allocate(void** memory, std::size_t bytes, cudaStream_t stream) noexcept override {
    const auto error = Default::allocate(memory, bytes, stream);
    held_ += error == cudaSuccess ? 1 : 0;
    return error;
  }
  cudaError_t deallocate(void* memory, cudaStream_t stream) noexcept override {
    --held_;
    return Default::deallocate(memory, stream);
  }
  int held() const { return held_; }
  template <typename T>
  void take_back(T* memory) {
    if (memory != nullptr) check(deallocate(memory, nullptr));
  }

 private:
  int held_ = 0;
};

template <typename T>
void write_array(Output& output, const T* array, std::size_t elements) {
  std::vector<std::byte> host(elements * sizeof(T));  // whatever T is: a vector of bool is no array
  if (elements > 0) check(cudaMemcpy(host.data(), array, host.size(), cudaMemcpyDeviceToHost));
  output.write(host.data(), host.size());
}

/// From here on it is the entry that calls the runtime.
inline void begin_entry() {
  if (cuda_emulation_begin_entry != nullptr) cuda_emulation_begin_entry();
}
/// The entry has returned.
inline void end_entry() {
  if (cuda_emulation_end_entry != nullptr) cuda_emulation_end_entry();
}

/// Waits for what the entry left under way. Its errors are told by `wait`.
inline void finish_entry() { static_cast<void>(cudaStreamSynchronize(nullptr)); }

/// Memory for an argument, of exactly its size. Outputs start with all bits set: NaN, -1.
template <typename T>
class Array {
 public:
  explicit Array(std::size_t bytes) : bytes_(bytes) {
    void* memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, bytes);
    if (error == cudaErrorMemoryAllocation) out_of_memory();
    check(error);
    data_ = static_cast<T*>(memory);
    if (bytes > 0) check(cudaMemset(data_, 0xFF, bytes));
  }
  Array(Input& input, bool is_output)
      : Array(is_output ? input.output_bytes() : input.next_bytes()) {
    if (is_output || bytes_ == 0) return;
    std::vector<char> host(bytes_);
    input.read(host.data(), bytes_);
    check(cudaMemcpy(data_, host.data(), bytes_, cudaMemcpyHostToDevice));
  }
  ~Array() { static_cast<void>(cudaFree(data_)); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  T* data() { return data_; }
  std::size_t bytes() const { return bytes_; }
  void write_to(Output& output) const {
    std::vector<char> host(bytes_);
    if (bytes_ > 0) check(cudaMemcpy(host.data(), data_, bytes_, cudaMemcpyDeviceToHost));
    output.write(host.data(), bytes_);
  }

 private:
  T* data_ = nullptr;
  std::size_t bytes_;
};

/// Where checks inside of an entry leave word, and what is done about it.
template <typename Failure>
class Checks {
 public:
  Checks() : record_(sizeof(Failure)) {}
  Failure* data() { return record_.data(); }
  bool failed() { return read().check > 0; }
  template <typename Text>
  void check(const Text& text) {
    const Failure failure = read();
    // Where the entry returned an error at once, the record was never cleared.
    if (failure.check > 0) give_up(text(failure).c_str(), exit_check_failed);
  }

 private:
  Failure read() {
    Failure failure;
    harness::check(cudaMemcpy(&failure, record_.data(), sizeof failure, cudaMemcpyDeviceToHost));
    return failure;
  }

  Array<Failure> record_;
};

/// All work is done; and an error of the runtime was passed on.
inline void wait() {
  if (cuda_emulation_has_failed != nullptr && cuda_emulation_has_failed()) {
    give_up("the entry hides an error of the runtime");
  }
  check(cudaDeviceSynchronize());
}

}  // namespace harness
