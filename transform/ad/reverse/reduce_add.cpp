// Reverse mode: reduce with addition.
//
// Rule      y = sum of xs[i]    gives    xs_adj[i] += y_adj,    because dy/dxs[i] = 1
// Applies   reduce (+) over one array of numbers, or of rows that are added element by element
// Cost      O(n) work, O(1) depth; keeps nothing from the forward sweep
// Source    [AD], 5.1.1
//
// Before:      def f [n] (xs: [n]f32): f32 = reduce (+) 0 xs
// After vjp:   def f_vjp [n] (xs: [n]f32) (y_adj: f32): [n]f32 = replicate n y_adj
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

MaybeSweeps reverse_reduce_add(Reverse& r, const Stm& stm, const Reduce& reduce) {
  const auto op = as_vectorised_binop(reduce.op);
  if (!op || op->kind != BinOpKind::add) return std::nullopt;

  Builder b = r.builder(stm, "reverse_reduce_add");
  const Name& xs = reduce.arrays.at(0);
  const Atom y_adj = r.adjoints.take(b, stm.pattern.at(0).name);
  r.adjoints.add(b, reduce.neutral.at(0), y_adj, false);
  if (r.activity.active(xs)) {
    const Name xs_adj = b.let(adj_name(xs), Replicate{{reduce.width}, y_adj});
    r.adjoints.add(b, xs, xs_adj);
  }
  return Sweeps{{stm}, std::move(b.stms)};
}

}  // namespace boustro::ad
