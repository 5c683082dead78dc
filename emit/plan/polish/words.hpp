// Names in comments.
#pragma once

#include <map>
#include <string>

namespace boustro::plan {

/// The text with other names for some of its words.
std::string with_words(const std::string& text, const std::map<std::string, std::string>& names);

/// Whether it is one of the words.
bool says(const std::string& text, const std::string& word);

/// ... of those in backquotes.
std::string with_quoted_words(const std::string& text, const std::map<std::string, std::string>& names);

}  // namespace boustro::plan
