// A text of formulas and words, taken apart.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace boustro::explain {

enum class TokenKind {
  variable,   // xs, x0, xs_adj, f', f_vjp
  language,   // map, loop, if: words of the language, which may be words of a sentence too
  number,     //
  symbol,     // +=, ->, ...
  open,       // ( [
  close,      // ) ]
  comma,      //
  attribute,  // #[bound(n)]
  file,       // loop_while.cpp
  word        // of a sentence, punctuation included
};

struct Token {
  TokenKind kind = TokenKind::word;
  std::string text;
  int spaces = 0;        // before it
  bool quoted = false;   // in backquotes: part of a formula whatever it is
  bool formula = false;  // part of one, as its surroundings have it
};

/// With `formula` set.
std::vector<Token> formula_tokens(std::string_view text);

/// `xs_adj` or `x_tan`, and not just the suffix.
bool is_adjoint(std::string_view name);
bool is_tangent(std::string_view name);

}  // namespace boustro::explain
