// clang-format as a library: the layout of emitted text is its business, never the printers'.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace boustro::format {

/// `text`, which is C++ or CUDA, laid out in our style: Google's on 100 columns, or as many as there are. Line comments and
/// blank lines are kept as they are. Formatting formatted text changes nothing.
std::string format_cpp(std::string_view text, std::size_t columns = 100);

}  // namespace boustro::format
