// The tables of transform/ad/RULES.md, row by row.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace boustro::explain {

struct RuleRow {
  std::string mode = {};                // the heading above the table
  std::vector<std::string> names = {};  // those that the row gives: none where the file's name is the rule's
  std::string file = {};                // "reverse/map.cpp"; empty in the table of what the return sweep reads again
  std::string brief = {}, cost = {}, source = {}, tests = {};
};

/// Rows of all tables but that of scalars. Words of code lose their marks.
std::vector<RuleRow> read_rule_rows(std::string_view text);

}  // namespace boustro::explain
