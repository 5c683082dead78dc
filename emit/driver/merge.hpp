// Merges two descendants of one text line by line, as `git merge-file` does.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace boustro::driver {

/// A text as it was emitted once, and what has become of it.
struct Versions {
  std::string edited;   // by people
  std::string base;     // as it was emitted
  std::string emitted;  // now
};

struct Merged {
  std::string text;
  std::vector<std::size_t> conflicts;  // where the first marks of each begin
};

/// What people edited stays, and what is emitted otherwise than before changes. Where both changed the same lines there are all
/// three versions, between lines with marks that say which is which. Line ends are those of the edited text.
Merged merge(const Versions& versions);

/// Where lines begin with the first mark of a conflict. In a text that people edited these are conflicts of an earlier merge.
std::vector<std::size_t> conflicts_in(std::string_view text);

}  // namespace boustro::driver
