// The comment at the head of a rule's file, taken apart.
#pragma once

#include <string>
#include <string_view>

namespace boustro::explain {

/// What follows each key, its lines without the indentation that they have in common.
struct RuleHead {
  std::string title;  // "map", of `// Reverse mode: map.`
  std::string formula, applies, cost, source, before, after;
  std::string after_what;  // "vjp", of `// After vjp:`
};

/// Nothing but empty texts of an empty head.
RuleHead read_rule_head(std::string_view head);

}  // namespace boustro::explain
