// Reductions and scans of arrays that hardly exist.
#include "transform/simplify/rules.hpp"

namespace boustro::simplify {

using namespace ir;

// Before:  reduce op ne xs    (xs: [0]t)
// After:   ne
RuleResult reduce_of_known_width(Stm& stm, Context& context) {
  const auto* e = std::get_if<Reduce>(&stm.exp);
  if (!e || !is_literal(e->width, 0)) return std::nullopt;
  Rewrite result;
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    const Name* array = name_in(e->neutral[i]);
    const bool is_array = array && !context.names.type_of(*array).is_scalar();
    Exp value = is_array ? Exp(Copy{*array}) : Exp(AtomExp{e->neutral[i]});
    result.push_back(let(stm.pattern[i], std::move(value), stm));
  }
  return result;
}

}  // namespace boustro::simplify
