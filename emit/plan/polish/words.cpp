#include "emit/plan/polish/words.hpp"

#include <algorithm>
#include <cctype>

namespace boustro::plan {

std::string with_words(const std::string& text, const std::map<std::string, std::string>& names) {
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && in_word(text[end])) ++end;
    const std::string word = text.substr(at, std::max<std::size_t>(end - at, 1));
    const auto found = names.find(word);
    result += found == names.end() ? word : found->second;
    at += word.size();
  }
  return result;
}

std::string with_quoted_words(const std::string& text, const std::map<std::string, std::string>& names) {
  std::string result;
  bool quoted = false;
  for (std::size_t at = 0; at <= text.size(); quoted = !quoted) {
    const std::size_t end = std::min(text.find('`', at), text.size());
    const std::string part = text.substr(at, end - at);
    result += (quoted ? with_words(part, names) : part) + (end < text.size() ? "`" : "");
    at = end + 1;
  }
  return result;
}

bool says(const std::string& text, const std::string& word) { return with_words(text, {{word, ""}}) != text; }

}  // namespace boustro::plan
