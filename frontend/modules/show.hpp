// What parameters of members of modules look like in messages.
#pragma once

#include <string>
#include <vector>

#include "frontend/ast/syntax.hpp"
#include "frontend/check/typed.hpp"

namespace boustro::modules {

/// " [n] 'a", to follow a name
std::string show(const std::vector<check::TypeParam>& params);
std::string show(const std::vector<ast::TypeParam>& params);

}  // namespace boustro::modules
