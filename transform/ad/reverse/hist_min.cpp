// Reverse mode: reduce_by_index with min or max.
//
// Rule      ys = reduce_by_index xs min ne is vs    gives, with w[c] the first k whose value won cell c, or -1:
//             vs_adj[w[c]] += ys_adj[c];    xs_adj[c] = ys_adj[c] if w[c] = -1, else 0
// Applies   min and max of scalars
// Cost      the forward sweep keeps w, as a second component; a scatter over the cells
// Source    [Brix], 3.2; [AD], 5.1.2
//
// Before:      def f [n] [m] (xs: *[m]f64) (is: [n]i64) (vs: [n]f64): [m]f64 = reduce_by_index xs f64.min f64.inf is vs
// After vjp:   def f_vjp [n] [m] (xs: [m]f64) (is: [n]i64) (vs: [n]f64) (ys_adj: [m]f64): ([m]f64, [n]f64) =
//                let ys = reduce_by_index (copy xs) f64.min f64.inf is vs
//                let won c k = is[k] == c && vs[k] == ys[c] && vs[k] < xs[c]
//                let ws = map (\c -> i64.minimum (map (\k -> if won c k then k else n) (iota n))) (iota m)
//                in (map2 (\w y_adj -> if w == n then y_adj else 0) ws ys_adj, scatter (replicate n 0) ws ys_adj)
#include "transform/ad/reverse/hist.hpp"
#include "transform/ad/reverse/winner.hpp"
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// map over all cells, however many dimensions they have.
Atom unless_won(Builder& b, const Name& ys_adj, const Name& winners, std::size_t dimensions) {
  const auto cell = [](Builder& inner, const Atom& y_adj, const Atom& winner) {
    const Atom lost = inner.cmp("lost", CmpOpKind::lt, winner, int_atom(0));
    return value_or_zero(inner, "x_adj", lost, inner.names.type_of(y_adj),
                         [&](Builder&) { return y_adj; });
  };
  const std::function<Atom(Builder&, const Atom&, const Atom&, std::size_t)> over =
      [&](Builder& builder, const Atom& y_adj, const Atom& winner, std::size_t depth) -> Atom {
    if (depth == 0) return cell(builder, y_adj, winner);
    const Name rows = std::get<Name>(y_adj), winner_rows = std::get<Name>(winner);
    const Lambda fn = builder.lambda({{"y_adj", row_type(builder.names.type_of(rows))},
                                      {"winner", row_type(builder.names.type_of(winner_rows))}},
                                     [&](Builder& inner, const std::vector<Name>& p) {
                                       return std::vector<Atom>{over(inner, p[0], p[1], depth - 1)};
                                     });
    return builder.let("xs_adj",
                       Map{builder.names.type_of(rows).shape.at(0), fn, {rows, winner_rows}, {}});
  };
  return over(b, ys_adj, winners, dimensions);
}

}  // namespace

MaybeSweeps reverse_hist_min(Reverse& r, const Stm& stm, const ReduceByIndex& e) {
  const Histogram& histogram = e.histograms.at(0);
  const auto kind = as_binop(histogram.op);
  if (kind != BinOpKind::min && kind != BinOpKind::max) return std::nullopt;
  const HistogramOperands operands(e);
  const Param& ys = stm.pattern.at(0);
  const std::size_t dimensions = histogram.shape.size();

  Builder forward = r.forward_builder(stm, "reverse_hist_min");
  const Name none = forward.let("winners", Replicate{histogram.shape, int_atom(-1)});
  const Name numbers = forward.let("numbers", Iota{e.width});
  const auto results =
      histogram_like(forward, e, winner_operator(forward, *kind, ys.type.elem, histogram.destinations.at(0)),
                     {histogram.neutral.at(0), int_atom(-1)}, {histogram.destinations.at(0), none},
                     {operands.values, numbers});
  bind_as(forward, ys, results[0]);
  const Name& winners = results[1];

  Builder b = r.builder(stm, "reverse_hist_min");
  const Name ys_adj = std::get<Name>(r.adjoints.take(b, ys.name));
  if (r.activity.active(operands.values)) {
    const Atom cells = cell_count(b, histogram.shape);
    const Name blank =
        std::get<Name>(zeros(b, adj_name(operands.values), r.adjoints.type_of(operands.values)));
    const Name vs_adj =
        b.let(adj_name(operands.values), Scatter{cells,
                                                 {flattened(b, winners, cells, dimensions)},
                                                 {blank},
                                                 {flattened(b, ys_adj, cells, dimensions)}});
    r.adjoints.add(b, operands.values, vs_adj);
  }
  if (r.activity.active(histogram.destinations.at(0)))
    r.adjoints.add(b, histogram.destinations.at(0), unless_won(b, ys_adj, winners, dimensions));
  return Sweeps{std::move(forward.stms), std::move(b.stms)};
}

}  // namespace boustro::ad
