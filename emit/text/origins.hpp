// Which lines of a file were made for which lines of the source: marks around parts of the text, which are taken out again.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "emit/plan/plan.hpp"

namespace boustro::text {

/// The text between marks; just the text if there are no origins.
std::string marked(const std::vector<plan::MadeFor>& origins, const std::string& text);

/// A text without its marks, and for each of its characters which of `origins` is marked innermost; -1 for none.
struct Unmarked {
  std::string text;
  std::vector<std::string> origins;  // several are lines of one
  std::vector<int> of_characters;
};

Unmarked take_marks(std::string_view marked);

/// Of each line of the text as formatted, which adds white space, and breaks literals, but keeps the order of everything: the origins of what it
/// begins with. Empty where there are none.
std::vector<std::string> origins_of_lines(const Unmarked& unmarked, std::string_view formatted);

}  // namespace boustro::text
