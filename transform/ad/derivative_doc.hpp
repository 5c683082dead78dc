// What the comments of derived functions say.
#pragma once

#include <string>
#include <vector>

#include "transform/ir/ir.hpp"

namespace boustro::ad {

/// `The adjoint of x, given that of sigmoid's result.`
std::string doc_of_vjp(const ir::Function& original, const std::vector<bool>& args, const std::vector<bool>& results);
/// `sigmoid, and the tangent of its result, given that of x.`
std::string doc_of_jvp(const ir::Function& original, const std::vector<bool>& args, const std::vector<bool>& results);

}  // namespace boustro::ad
