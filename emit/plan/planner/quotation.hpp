// A piece of the source on one line of a comment.
#pragma once

#include <string>
#include <string_view>

namespace boustro::plan::planner {

/// With single spaces, without parentheses around all of it, and up to the last word that fits into so many characters.
std::string quotation(std::string_view text, std::size_t room = 60);

}  // namespace boustro::plan::planner
