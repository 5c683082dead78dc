// Values of the language as they cross the boundary: arguments, results, test data. Arrays of primitives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "frontend/values/primitive.hpp"

namespace boustro::values {

/// A scalar (empty shape) or a dense array in row-major order. `data` holds the elements as in memory,
/// little-endian, bool as one byte 0 or 1.
struct Value {
  PrimType type = PrimType::i64;
  std::vector<std::int64_t> shape;  // outermost first
  std::vector<std::byte> data;

  bool operator==(const Value&) const = default;  // bit by bit

  std::int64_t size() const;  // number of elements
  int rank() const { return static_cast<int>(shape.size()); }

  /// Elements not set: zero.
  static Value zeros(PrimType type, std::vector<std::int64_t> shape);
  static Value of(PrimValue scalar);

  PrimValue element(std::int64_t flat_index) const;
  void set_element(std::int64_t flat_index, PrimValue value);
  /// The elements as T; T must be the C++ type of `type` (uint16_t for f16, unsigned char for bool).
  template <typename T>
  const T* as() const { return reinterpret_cast<const T*>(data.data()); }
  template <typename T>
  T* as() { return reinterpret_cast<T*>(data.data()); }
};

/// `[2][3]f64`
std::string type_string(const Value& value);

}  // namespace boustro::values
