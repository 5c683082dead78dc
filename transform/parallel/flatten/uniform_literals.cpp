#include "transform/parallel/flatten/uniform_literals.hpp"

#include <algorithm>

#include "transform/ir/traversal.hpp"

namespace boustro::parallel {

using namespace ir;

void replicate_uniform_literals(Body& body) {
  for (Stm& stm : body.stms) {
    map_bodies(stm.exp, replicate_uniform_literals);
    const auto* literal = std::get_if<ArrayLiteral>(&stm.exp);
    if (!literal || !literal->row.is_scalar() || literal->elements.empty()) continue;
    const Atom first = literal->elements[0];
    if (std::all_of(literal->elements.begin(), literal->elements.end(), [&](const Atom& x) { return x == first; }))
      stm.exp = Replicate{stm.pattern[0].type.shape, first};
  }
}

}  // namespace boustro::parallel
