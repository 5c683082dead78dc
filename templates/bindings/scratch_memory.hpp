// Scratch memory of one call on the host.
#pragma once

#include <cstddef>
#include <new>
#include <string>

/// There is not enough memory for a function, which the text names.
class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(std::string text) : text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

/// Scratch memory of one call.
class Scratch {
 public:
  Scratch(const char* function, std::size_t bytes) : memory_(::operator new (bytes, std::align_val_t{64}, std::nothrow)) {
    if (memory_ == nullptr) throw OutOfMemory(std::string(function) + ": no " + std::to_string(bytes) + " bytes of scratch memory");
  }
  ~Scratch() { ::operator delete (memory_, std::align_val_t{64}); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  void* data() const { return memory_; }

 private:
  void* memory_;
};
