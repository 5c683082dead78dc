// Texts that are compiled into the program; CMakeLists.txt writes the tables.
#pragma once

#include <string_view>
#include <vector>

namespace boustro::explain {

struct EmbeddedText {
  std::string_view name, text;
};

/// The comments at the head of the files of rules, by their paths below transform/ad: "reverse/map.cpp".
extern const std::vector<EmbeddedText> rule_heads;
/// RULES.md and the files of templates/explain, by their names.
extern const std::vector<EmbeddedText> embedded_texts;

/// One of `embedded_texts`, which is there.
std::string_view embedded_text(std::string_view name);

}  // namespace boustro::explain
