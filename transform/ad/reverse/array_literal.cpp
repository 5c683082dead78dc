// Reverse mode: array literal.
//
// Rule      ys = [x0, x1, ...]    gives    xi_adj += ys_adj[i]
// Applies   every array literal, of scalars or rows
// Cost      none
// Source    derived here
//
// Before:      def f (x: f64) (y: f64): [2]f64 = [x, y]
// After vjp:   def f_vjp (x: f64) (y: f64) (ys_adj: [2]f64): (f64, f64) = (ys_adj[0], ys_adj[1])
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

Sweeps reverse_array_literal(Reverse& r, const Stm& stm, const ArrayLiteral& e) {
  Builder b = r.builder(stm, "reverse_array_literal");
  const Name ys_adj = std::get<Name>(r.adjoints.take(b, stm.pattern.at(0).name));
  for (std::size_t i = 0; i < e.elements.size(); ++i) {
    if (!r.activity.active(e.elements[i])) continue;
    const Name& x = std::get<Name>(e.elements[i]);
    const Name x_adj = b.index(adj_name(x), ys_adj, {int_atom(static_cast<std::int64_t>(i))});
    r.adjoints.add(b, x, x_adj, false);
  }
  return {{stm}, std::move(b.stms)};
}

}  // namespace boustro::ad
