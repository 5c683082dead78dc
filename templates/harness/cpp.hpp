// Memory and errors of a harness for the C++ target: everything is on the heap.
#pragma once

#include <cstring>

#include "calls.hpp"
#include "exchange.hpp"

namespace harness {

/// Entries return 0, or a status that says what is wrong.
template <typename Status>
void check(Status status) {
  if (static_cast<int>(status) != 0) give_up("the entry returned an error", exit_entry_failed);
}

template <typename Status>
bool succeeds(Status status) {
  return static_cast<int>(status) == 0;
}

inline void begin_entry() {}
inline void end_entry() {}
/// Waits for what the entry left under way.
inline void finish_entry() {}

/// Counts what it hands out, which starts with all bits set. HARNESS_FAIL_ALLOCATION says which call finds nothing.
template <typename Default>
class Allocator : public Default {
 public:
  void* allocate(std::size_t bytes) noexcept override {
    const char* const failing = std::getenv("HARNESS_FAIL_ALLOCATION");
    if (failing != nullptr && ++calls_ == std::atoi(failing)) return nullptr;
    void* const memory = Default::allocate(bytes);
    if (memory == nullptr) return nullptr;
    std::memset(memory, 0xFF, bytes);
    ++held_;
    return memory;
  }
  void deallocate(void* memory) noexcept override {
    --held_;
    Default::deallocate(memory);
  }
  int held() const { return held_; }
  template <typename T>
  void take_back(T* memory) {
    if (memory != nullptr) deallocate(memory);
  }

 private:
  int calls_ = 0, held_ = 0;
};

template <typename T>
void write_array(Output& output, const T* array, std::size_t elements) {
  output.write(array, elements * sizeof(T));
}

/// Memory for an argument, of exactly its size. Outputs start with all bits set: NaN, -1.
template <typename T>
class Array {
 public:
  explicit Array(std::size_t bytes) : bytes_(bytes) {
    if (bytes == 0) return;
    void* memory = nullptr;
    if (posix_memalign(&memory, 256, bytes) != 0) out_of_memory();
    std::memset(memory, 0xFF, bytes);
    data_ = static_cast<T*>(memory);
  }
  Array(Input& input, bool is_output)
      : Array(is_output ? input.output_bytes() : input.next_bytes()) {
    if (!is_output && bytes_ > 0) input.read(data_, bytes_);
  }
  ~Array() { std::free(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  T* data() { return data_; }
  std::size_t bytes() const { return bytes_; }
  void write_to(Output& output) const { output.write(data_, bytes_); }

 private:
  T* data_ = nullptr;
  std::size_t bytes_;
};

/// Where checks inside of an entry leave word, and what is done about it.
template <typename Failure>
class Checks {
 public:
  Failure* data() { return &failure_; }
  bool failed() const { return failure_.check > 0; }
  template <typename Text>
  void check(const Text& text) {
    if (failure_.check > 0) give_up(text(failure_).c_str(), exit_check_failed);
  }

 private:
  Failure failure_{};
};

inline void wait() {}

}  // namespace harness
