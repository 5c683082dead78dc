// Folds temporaries into the expressions that use them.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/ast/syntax.hpp"

namespace boustro::raise {

/// What trees do not tell about the variables in them.
struct Memory {
  /// Arrays that a binding consumes, by the first name that it binds.
  std::unordered_map<std::string, std::vector<std::string>> consumed;
  std::unordered_set<std::string> accumulators;
  std::function<bool(const std::string&, const std::string&)> may_alias;
};

/// Every binding binds its names once in the program. One is left out if nobody uses what it binds; it goes into its use if that
/// is the only one and computed as often as the binding itself, if both are short, and if nothing that it reads is consumed in
/// between. What was left out of the comments (origins.hpp) of bindings that are no more goes to those that took them in.
void fold(ast::ValueDefinition& definition, const Memory& memory);

}  // namespace boustro::raise
