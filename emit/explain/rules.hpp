// The rules of differentiation, as transform/ad/RULES.md and the heads of their files state them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace boustro::explain {

struct Rule {
  std::vector<std::string> names = {};  // as in provenance: "reverse_map"; several where one file has several rules
  std::string file = {};                // below transform/ad: "reverse/map.cpp"; empty of what several rules share
  std::string mode = {};                // "Reverse mode"
  std::string title = {};               // "map"
  std::string brief = {};               // the statement and what becomes of it, in a line
  // Of the head, lines as they are there. Empty where it says nothing of the kind.
  std::string formula = {}, applies = {}, cost = {}, source = {}, before = {}, after = {};
  std::string after_what = {};  // "vjp" or "jvp"
  std::string tests = {};
};

/// All of them, in the order of RULES.md.
const std::vector<Rule>& all_rules();

/// The one of that name, or null.
const Rule* find_rule(std::string_view name);

/// Those that have the name, or names that begin with its words: `reverse_scan` finds reverse_scan_add and others.
std::vector<const Rule*> rules_called(std::string_view name);

/// One rule in words, as `boustro rules NAME` prints it.
std::string rule_text(const Rule& rule);

/// A line for each rule, under its mode.
std::string list_of_rules();

}  // namespace boustro::explain
