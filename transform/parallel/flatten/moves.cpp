#include "transform/parallel/flatten/moves.hpp"

#include <algorithm>

namespace boustro::parallel {

using namespace ir;

bool can_move_down(const Body& body, std::size_t i, std::size_t j, const facts::Callees& callees) {
  const facts::Aliases aliases(body.stms, callees);
  const NameSet results = bound_names({body.stms[i]}), reads = free_names(body.stms[i].exp);
  for (std::size_t k = i + 1; k < j; ++k) {
    const NameSet used = free_names(body.stms[k]);
    if (std::any_of(used.begin(), used.end(), [&](const Name& name) { return results.contains(name); })) return false;
    for (const Name& consumed : facts::consumed_by(body.stms[k].exp, callees))
      if (std::any_of(reads.begin(), reads.end(), [&](const Name& name) { return aliases.may_alias(name, consumed); })) return false;
  }
  return true;
}

}  // namespace boustro::parallel
