// clang-format as a library: the layout of emitted text is its business, never the printers'.
#pragma once

#include <string>
#include <string_view>

namespace boustro::format {

/// `text`, which is C++ or CUDA, laid out in our style: Google's on 100 columns. Line comments and
/// blank lines are kept as they are. Formatting formatted text changes nothing.
std::string format_cpp(std::string_view text);

}  // namespace boustro::format
