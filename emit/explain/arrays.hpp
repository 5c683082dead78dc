// Which arrays the statements of a plan touch.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "emit/plan/plan.hpp"

namespace boustro::explain {

/// What a step does with an array: an access as the plan has it.
struct Port {
  std::string array;
  plan::Access access;
};

/// The array that a pointer leads to, by the name of its variable or piece of scratch memory; empty for null.
std::string array_of(const plan::Expr& pointer);

/// Of a launch or call: its arguments for the pointers among the parameters.
std::vector<Port> ports_of_call(const std::vector<plan::Param>& params, const std::vector<plan::Expr>& args);

/// Of a nest of loops: the elements that it reads and assigns, arrays of its own left out. `aliases`: further names of arrays, by
/// pointers that were declared before.
std::vector<Port> ports_of_nest(const plan::Stm& nest, std::map<std::string, std::string> aliases);

}  // namespace boustro::explain
