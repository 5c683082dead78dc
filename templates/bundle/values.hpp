// Reads files of values in Futhark's binary format. Each value is
//
//   'b'  2  rank  type, four characters   rank extents, uint64_t   the elements, in row-major order
//
// where numbers are little-endian and a type is " f32", " i64", "  u8", "bool", ..
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "give_up.hpp"

namespace bundle {

/// A scalar, which has no extents, or a dense array.
struct Value {
  std::string type;  // f32
  std::vector<std::int64_t> shape;
  std::vector<char> data;

  std::size_t element_bytes() const {
    if (type == "bool" || type == "i8" || type == "u8") return 1;
    return static_cast<std::size_t>(std::stoi(type.substr(1))) / 8;
  }
  std::size_t elements() const {
    std::size_t count = 1;
    for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
    return count;
  }
};

class ValueFile {
 public:
  explicit ValueFile(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rb")) {
    if (file_ == nullptr) harness::give_up(("cannot read " + path).c_str());
  }
  ~ValueFile() { std::fclose(file_); }
  ValueFile(const ValueFile&) = delete;
  ValueFile& operator=(const ValueFile&) = delete;

  /// False at the end of the file.
  bool next(Value& value) {
    const int first = std::getc(file_);
    if (first == EOF) return false;
    char head[6];
    read(head, sizeof head);
    if (first != 'b' || head[0] != 2) harness::give_up((path_ + " is no file of values").c_str());
    value.type.assign(head + 2, 4);
    value.type.erase(0, value.type.find_first_not_of(' '));
    value.shape.resize(static_cast<unsigned char>(head[1]));
    if (!value.shape.empty()) read(value.shape.data(), value.shape.size() * sizeof(std::int64_t));
    value.data.resize(value.elements() * value.element_bytes());
    if (!value.data.empty()) read(value.data.data(), value.data.size());
    return true;
  }

 private:
  void read(void* to, std::size_t bytes) {
    if (std::fread(to, 1, bytes, file_) != bytes)
      harness::give_up((path_ + " ends too early").c_str());
  }

  std::string path_;
  std::FILE* file_;
};

inline std::vector<Value> read_values(const std::string& path) {
  ValueFile file(path);
  std::vector<Value> values;
  for (Value value; file.next(value);) values.push_back(value);
  return values;
}

}  // namespace bundle
