// Names as words of a language.
#pragma once

#include <string>
#include <string_view>

namespace boustro::ir {

/// `terms` as `term`, `biases` as `bias`, `xss` as `xs`; a word that is no plural as it is.
std::string singular(std::string_view word);

}  // namespace boustro::ir
