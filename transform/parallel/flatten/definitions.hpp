// What names of the enclosing scopes were defined as.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "transform/ir/ir.hpp"

namespace boustro::parallel {

class Definitions {
 public:
  /// Remembers arrays whose elements follow from their indices.
  void note(const ir::Stm& stm) {
    if (std::holds_alternative<ir::Iota>(stm.exp)) iotas_.insert(stm.pattern.at(0).name);
    if (const auto* e = std::get_if<ir::Replicate>(&stm.exp))
      replicated_.emplace(stm.pattern.at(0).name, e->value);
  }

  /// The elements are their indices.
  bool is_iota(const ir::Name& array) const { return iotas_.contains(array); }

  /// All elements, or rows, are this.
  std::optional<ir::Atom> replicated(const ir::Name& array) const {
    const auto found = replicated_.find(array);
    return found == replicated_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::unordered_set<ir::Name> iotas_;
  std::unordered_map<ir::Name, ir::Atom> replicated_;
};

}  // namespace boustro::parallel
