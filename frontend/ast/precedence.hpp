// How tightly infix operators bind. The parser resolves by it, the printer puts parentheses by it.
#pragma once

#include <string_view>

namespace boustro::ast {

struct Fixity {
  int level;  // higher binds tighter
  bool right_associative = false;
};

/// Of an operator by its longest known beginning: `>>=` binds like `>>`. Of a name in backticks: weakest.
Fixity fixity_of(std::string_view op);

/// `e with path = v` is between names in backticks and all other operators, left-associative.
constexpr Fixity with_fixity{1};
constexpr int weakest_level = 0;     // `f`
constexpr int application_level = 12;  // f x, -x

}  // namespace boustro::ast
