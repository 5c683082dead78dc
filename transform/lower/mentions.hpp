// Which names a piece of the checked program mentions: what a closure captures is what its code
// mentions and its scope binds.
#pragma once

#include <string>
#include <vector>

#include "frontend/check/typed.hpp"

namespace boustro::lower {

/// Sorted by id, without repetition; bound names included.
struct Mentions {
  std::vector<check::Name> values;  // sizes too
  std::vector<check::Name> types;
  std::vector<std::string> texts;  // what attributes name, in their order
};

Mentions mentions_of(const check::Lambda& lambda);
Mentions mentions_of(const check::Definition& definition);
/// The names of values and sizes in an expression.
std::vector<check::Name> mentioned_values(const check::Exp& exp);

}  // namespace boustro::lower
