// How a harness and the program that starts it exchange values: two files, of arguments and of
// results.
//
// Arguments: for each parameter of the entry, in its order, the number of bytes as uint64_t; then
// the bytes, unless the parameter is an output; of what the entry allocates, the product of the extents that are known
// before. Results: the other extents of that as int64_t, then the bytes of each output, in order.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace harness {

/// The entry or the runtime reported an error.
constexpr int exit_entry_failed = 3;
/// A check inside of the entry failed: index out of bounds, ...
constexpr int exit_check_failed = 4;
/// The harness was called wrongly.
constexpr int exit_misuse = 5;
/// There is no memory for the arguments, the results or the scratch memory.
constexpr int exit_out_of_memory = 6;

[[noreturn]] inline void give_up(const char* what, int status = exit_misuse) {
  std::fprintf(stderr, "%s\n", what);
  std::fflush(nullptr);
  std::_Exit(status);  // memory that is still held is not a leak of the entry
}

[[noreturn]] inline void out_of_memory() { give_up("out of memory", exit_out_of_memory); }

/// An entry that fails has no results and has given everything back; else its results are what it still holds.
inline void check_allocations(bool failed, int held, std::initializer_list<const void*> results,
                              std::initializer_list<std::int64_t> extents) {
  for (const void* result : results) {
    if (failed && result != nullptr) give_up("the entry fails, but has a result");
    held -= result != nullptr ? 1 : 0;
  }
  for (const std::int64_t extent : extents) {
    if (failed && extent != 0) give_up("the entry fails, but has a result");
  }
  if (held != 0) give_up("the entry leaks memory of the allocator");
}

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

  void write(const void* from, std::size_t bytes) {
    if (std::fwrite(from, 1, bytes, file_) != bytes) give_up("cannot write the file of results");
  }

 private:
  std::FILE* file_;
};

}  // namespace harness
