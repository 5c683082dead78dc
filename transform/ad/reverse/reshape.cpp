// Reverse mode: reshape, which flatten and unflatten are.
//
// Rule      ys = reshape s xs    gives    xs_adj += reshape (shape of xs) ys_adj
// Applies   every reshape
// Cost      none: a view
// Source    derived here: the elements and their order are the same
//
// Before:      def f (xss: [2][3]f64): [6]f64 = flatten xss
// After vjp:   def f_vjp (_: [2][3]f64) (ys_adj: [6]f64): [2][3]f64 = unflatten (ys_adj :> [2 * 3]f64)
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

Sweeps reverse_reshape(Reverse& r, const Stm& stm, const Reshape& e) {
  Builder b = r.builder(stm, "reverse_reshape");
  const DenseAdjoint y_adj = r.adjoints.take_dense(b, stm.pattern.at(0).name);
  const Shape shape = r.adjoints.type_of(e.array).shape;
  const Name x_adj = b.let(adj_name(e.array), Reshape{shape, std::get<Name>(y_adj.value)});
  r.adjoints.add(b, e.array, x_adj, y_adj.owned);
  return {{stm}, std::move(b.stms)};
}

}  // namespace boustro::ad
