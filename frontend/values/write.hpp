// Writes values in Futhark's formats; what is written reads back bit by bit (NaN payloads excepted in text).
#pragma once

#include <string>

#include "frontend/values/value.hpp"

namespace boustro::values {

/// `[1i32, 2i32]`, `0.5f64`, `empty([0][3]f32)`.
std::string to_text(const Value& value);

/// The binary format, version 2.
std::string to_binary(const Value& value);

}  // namespace boustro::values
