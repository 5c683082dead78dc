// Reads values in Futhark's formats: text as in source programs, and binary. Both may be mixed in one input, since
// the first character of a value tells them apart.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/values/value.hpp"

namespace boustro::values {

/// Malformed input. The text says what was expected; `offset` is the byte at which it was.
struct ReadError : std::runtime_error {
  ReadError(const std::string& text, std::size_t offset) : std::runtime_error(text), offset(offset) {}
  std::size_t offset;
};

/// All values of the input, to its end. Throws ReadError.
///
/// Text: `1`, `-2u8`, `0x1f`, `1_000`, `2.5`, `1e-3f32`, `f32.nan`, `-f64.inf`, `true`, `[1, 2]`, `empty([0][3]i32)`,
/// `"a string"` (an array of u8). Numbers without a suffix have the
/// type of the array's elements before them; otherwise integers are i32, floats f64. Integers beyond their type's
/// range wrap around. Arrays are regular.
/// Binary: `b`, version 2, rank, type name in four characters, sizes as u64, elements; little-endian.
std::vector<Value> read_values(std::string_view input);

/// Values, and how exactly they are written: for each element a unit of its last digit, or 0 if it is
/// not a fraction of five digits or more, which may be rounded or cut off. Nothing for the binary format.
struct WrittenValues {
  std::vector<Value> values;
  std::vector<std::vector<double>> last_digits;  // for each value
};
WrittenValues read_written_values(std::string_view input);

/// The contents of a file, decompressed if it is in gzip format. Throws std::system_error.
std::string read_file(const std::string& path);

}  // namespace boustro::values
