// Names in comments.
#pragma once

#include <map>
#include <string>

namespace boustro::plan {

/// The text with other names for some of its words.
std::string with_words(const std::string& text, const std::map<std::string, std::string>& names);

/// ... of those in backquotes.
std::string with_quoted_words(const std::string& text, const std::map<std::string, std::string>& names);

}  // namespace boustro::plan
