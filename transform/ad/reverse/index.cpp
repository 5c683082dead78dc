// Reverse mode: element, row or slice of an array.
//
// Rule      y = xs[i]    gives    xs_adj[i] += y_adj
// Applies   every index and slice. Outside of maps the adjoint stays sparse as long as it can; for an array that
//           is free in a map it is an addition into an accumulator
// Cost      O(size of y), never that of xs
// Source    [AD], 5.4; sparse adjoints: derived here
//
// Before:      def f [n] (xs: [n]f64): f64 = xs[0]
// After vjp:   def f_vjp [n] (xs: [n]f64) (y_adj: f64): [n]f64 = replicate n 0 with [0] = y_adj
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

Sweeps reverse_index(Reverse& r, const Stm& stm, const Index& e) {
  Builder b = r.builder(stm, "reverse_index");
  const DenseAdjoint y_adj = r.adjoints.take_dense(b, stm.pattern.at(0).name);
  r.adjoints.add_at(b, e.array, e.indices, y_adj.value, e.checked, y_adj.owned);
  return {{stm}, std::move(b.stms)};
}

}  // namespace boustro::ad
