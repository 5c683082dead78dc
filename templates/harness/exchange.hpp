// How a harness and the program that starts it exchange values: two files, of arguments and of
// results.
//
// Arguments: for each parameter of the entry, in its order, the number of bytes as uint64_t; then
// the bytes, unless the parameter is an output; of what the entry allocates, the product of the extents that are known
// before. Results: the other extents of that as int64_t, then the bytes of each output, in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "give_up.hpp"

namespace harness {

class Input {
 public:
  explicit Input(const char* path) : file_(std::fopen(path, "rb")) {
    if (file_ == nullptr) give_up("cannot read the file of arguments");
  }
  ~Input() { std::fclose(file_); }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  std::size_t next_bytes() {
    std::uint64_t bytes = 0;
    read(&bytes, sizeof bytes);
    return static_cast<std::size_t>(bytes);
  }
  void read(void* to, std::size_t bytes) {
    if (std::fread(to, 1, bytes, file_) != bytes) give_up("the file of arguments ends too early");
  }
  /// Of what the entry writes: an output's bytes, and the known part of the number of elements of one that it allocates.
  std::size_t output_bytes() { return next_bytes(); }
  std::size_t known_elements() { return next_bytes(); }
  template <typename T>
  T scalar() {
    if (next_bytes() != sizeof(T)) give_up("an argument has the wrong size");
    T value;
    read(&value, sizeof value);
    return value;
  }

 private:
  std::FILE* file_;
};

class Output {
 public:
  explicit Output(const char* path) : file_(std::fopen(path, "wb")) {
    if (file_ == nullptr) give_up("cannot write the file of results");
  }
  ~Output() {
    if (std::fclose(file_) != 0) give_up("cannot write the file of results");
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// How large something is that the entry allocated.
  void write_extent(std::int64_t extent) { write(&extent, sizeof extent); }
  /// A result.
  void write(const void* from, std::size_t bytes) {
    if (bytes > 0 && std::fwrite(from, 1, bytes, file_) != bytes) give_up("cannot write the file of results");
  }

 private:
  std::FILE* file_;
};

}  // namespace harness
