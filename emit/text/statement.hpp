// Statements as C++. Only braces and line breaks are set here; clang-format does the rest.
#pragma once

#include <string>

#include "emit/text/place.hpp"

namespace boustro::text {

/// Every text ends with a line break.
/// `last_is_tail`: the last one gives the result of the entry.
std::string statements(const plan::Stms& stms, const Place& place, bool last_is_tail = false);
std::string statement(const plan::Stm& stm, const Place& place);

/// `if (const auto error = call) return error;`
std::string checked(const std::string& call, const Place& place);

/// `{ text }` on lines of its own.
std::string braces(const std::string& text);

}  // namespace boustro::text
