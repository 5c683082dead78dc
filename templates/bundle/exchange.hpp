// What the calls of entry points take their arguments from, and where they leave results.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "give_up.hpp"
#include "values.hpp"

namespace harness {

/// Arguments, one for each parameter of the entry that is no output, in its order; results are as large as those expected.
class Input {
 public:
  Input(std::vector<bundle::Value> arguments, const std::vector<bundle::Value>& expected)
      : arguments_(std::move(arguments)) {
    for (const bundle::Value& value : expected) output_bytes_.push_back(value.data.size());
  }

  /// Goes on to the next argument, whose size this is.
  std::size_t next_bytes() {
    if (next_ == arguments_.size()) give_up("the file of arguments has too few values");
    return arguments_[next_++].data.size();
  }
  void read(void* to, std::size_t bytes) { std::memcpy(to, arguments_[next_ - 1].data.data(), bytes); }

  /// Of what the entry writes: an output's bytes, and the known part of the number of elements of one that it allocates.
  std::size_t output_bytes() {
    if (next_output_ == output_bytes_.size()) give_up("the file of expected results has too few values");
    return output_bytes_[next_output_++];
  }
  std::size_t known_elements() {
    ++next_output_;
    return static_cast<std::size_t>(scalar<std::int64_t>());
  }

  template <typename T>
  T scalar() {
    if (next_bytes() != sizeof(T)) give_up("an argument has the wrong size");
    T value;
    read(&value, sizeof value);
    return value;
  }

 private:
  std::vector<bundle::Value> arguments_;
  std::vector<std::size_t> output_bytes_;
  std::size_t next_ = 0, next_output_ = 0;
};

/// The bytes of each result, in order.
class Output {
 public:
  /// How large something is that the entry allocated; its bytes tell, too.
  void write_extent(std::int64_t) {}
  void write(const void* from, std::size_t bytes) {
    const char* const begin = static_cast<const char*>(from);
    results_.emplace_back();
    if (bytes > 0) results_.back().assign(begin, begin + bytes);
  }
  const std::vector<std::vector<char>>& results() const { return results_; }

 private:
  std::vector<std::vector<char>> results_;
};

}  // namespace harness
