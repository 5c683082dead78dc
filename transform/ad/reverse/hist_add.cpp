// Reverse mode: reduce_by_index with addition.
//
// Rule      ys = reduce_by_index xs (+) 0 is vs    gives    vs_adj[k] += ys_adj[is[k]], 0 out of bounds;  xs_adj += ys_adj
// Applies   addition of numbers, or of rows element by element
// Cost      a gather
// Source    [AD], 5.1.2; [Brix], 3.2
//
// Before:      def f [n] [m] (xs: *[m]f64) (is: [n]i64) (vs: [n]f64): [m]f64 = reduce_by_index xs (+) 0 is vs
// After vjp:   def f_vjp [n] [m] (_: [m]f64) (is: [n]i64) (_: [n]f64) (ys_adj: [m]f64): ([m]f64, [n]f64) =
//                (ys_adj, map (\i -> if 0 <= i && i < m then ys_adj[i] else 0) is)
#include "transform/ad/reverse/hist.hpp"
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

MaybeSweeps reverse_hist_add(Reverse& r, const Stm& stm, const ReduceByIndex& e) {
  const Histogram& histogram = e.histograms.at(0);
  const auto op = as_vectorised_binop(histogram.op);
  if (!op || op->kind != BinOpKind::add) return std::nullopt;
  Builder b = r.builder(stm, "reverse_hist_add");
  const HistogramOperands operands(e);
  const DenseAdjoint ys_adj = r.adjoints.take_dense(b, stm.pattern.at(0).name);
  if (r.activity.active(operands.values)) {
    const Name vs_adj = gathered_at(b, e, std::get<Name>(ys_adj.value), {},
                                    [](Builder&, const Atom& y_adj, const auto&, const Atom&) { return y_adj; });
    r.adjoints.add(b, operands.values, vs_adj);
  }
  r.adjoints.add(b, histogram.destinations.at(0), ys_adj.value, ys_adj.owned);
  return Sweeps{{stm}, std::move(b.stms)};
}

}  // namespace boustro::ad
