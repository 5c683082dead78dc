// The text format of values; read.hpp is the interface.
#pragma once

#include <string_view>

#include "frontend/values/value.hpp"

namespace boustro::values {

/// The first offset from `offset` on that is neither white space nor in a comment.
std::size_t skip_blanks(std::string_view input, std::size_t offset);

/// Reads one value that begins at `offset`, and moves `offset` behind it; for each element a unit of
/// its last digit, see read.hpp. Throws ReadError.
Value read_text(std::string_view input, std::size_t& offset, std::vector<double>& last_digits);

}  // namespace boustro::values
