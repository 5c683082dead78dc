// Names as words of a language.
#pragma once

#include <string>
#include <string_view>

namespace boustro::ir {

/// `terms` as `term`, `biases` as `bias`, `xss` as `xs`; a word that is no plural as it is.
std::string singular(std::string_view word);
/// `weight` as `weights`, `bias` as `biases`, `body` as `bodies`: `singular` of it is the word, but for words that are plurals already.
std::string plural(std::string_view word);
/// What an element of an array of that name is called: `x_adj`, of `xs_adj`.
std::string element_of(std::string_view array);

}  // namespace boustro::ir
