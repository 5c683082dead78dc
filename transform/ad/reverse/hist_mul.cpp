// Reverse mode: reduce_by_index with multiplication.
//
// Rule      as reduce_mul.cpp, for each cell c: with p[c] the product of the nonzero values of c, that of the destination
//           included, and z[c] the number of its zeros,
//             vs_adj[k] += ys_adj[c] * p[c] / vs[k]  if z[c] = 0;   ys_adj[c] * p[c]  if z[c] = 1 and vs[k] = 0;   0 otherwise
// Applies   multiplication of floats, one dimension of cells
// Cost      two histograms and a gather
// Source    [Brix], 3.2; [AD], 5.1.2
//
// Before:      def f [n] [m] (xs: *[m]f64) (is: [n]i64) (vs: [n]f64): [m]f64 = reduce_by_index xs (*) 1 is vs
// After vjp:   def f_vjp [n] [m] (xs: [m]f64) (is: [n]i64) (vs: [n]f64) (ys_adj: [m]f64): ([m]f64, [n]f64) =
//                let nonzero x = if x == 0 then 1 else x    let zero x = i64.bool (x == 0)
//                let ps = reduce_by_index (map nonzero xs) (*) 1 is (map nonzero vs)
//                let zs = reduce_by_index (map zero xs) (+) 0 is (map zero vs)
//                let of_others c x = if x == 0 then (if zs[c] == 1 then ps[c] else 0)
//                                    else if zs[c] == 0 then ps[c] / x else 0
//                in (map3 (\c x y_adj -> y_adj * of_others c x) (iota m) xs ys_adj,
//                    map2 (\i v -> if i < 0 || i >= m then 0 else ys_adj[i] * of_others i v) is vs)
#include "transform/ad/reverse/hist.hpp"
#include "transform/ad/reverse/product.hpp"
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

Atom scaled(Builder& b, const Atom& y_adj, const Atom& factor) {
  return elementwise(b, "v_adj", {y_adj}, [&](Builder& s, const std::vector<Atom>& v) {
    return s.binop("v_adj", BinOpKind::mul, v[0], factor);
  });
}

}  // namespace

MaybeSweeps reverse_hist_mul(Reverse& r, const Stm& stm, const ReduceByIndex& e) {
  const Histogram& histogram = e.histograms.at(0);
  const Param& ys = stm.pattern.at(0);
  if (as_binop(histogram.op) != BinOpKind::mul || !values::is_float(ys.type.elem) || histogram.shape.size() != 1)
    return std::nullopt;
  const HistogramOperands operands(e);
  const Name& xs = histogram.destinations.at(0);
  const Type cell = scalar(ys.type.elem);

  Builder forward = r.forward_builder(stm, "reverse_hist_mul");
  const auto [xs_nonzero, xs_zero] = split_zeros(forward, xs);
  const auto [vs_nonzero, vs_zero] = split_zeros(forward, operands.values);
  const Name products = histogram_like(forward, e, operator_on(forward, BinOpKind::mul, cell),
                                       {PrimValue::one(cell.elem)}, {xs_nonzero}, {vs_nonzero})[0];
  const Name zero_counts = histogram_like(forward, e, operator_on(forward, BinOpKind::add, scalar(PrimType::i64)),
                                          {int_atom(0)}, {xs_zero}, {vs_zero})[0];
  const Lambda whole = forward.lambda({{"product", cell}, {"zero_count", scalar(PrimType::i64)}},
                                      [](Builder& b, const std::vector<Name>& p) {
                                        return std::vector<Atom>{product_of_parts(b, p[0], p[1])};
                                      });
  forward.let({ys}, Map{histogram.shape[0], whole, {products, zero_counts}, {}});

  Builder b = r.builder(stm, "reverse_hist_mul");
  const Name ys_adj = std::get<Name>(r.adjoints.take(b, ys.name));
  if (r.activity.active(operands.values))
    r.adjoints.add(b, operands.values,
                   gathered_at(b, e, ys_adj, {products, zero_counts},
                               [](Builder& inner, const Atom& y_adj, const std::vector<Atom>& cells, const Atom& v) {
                                 return scaled(inner, y_adj, product_of_others(inner, cells[0], cells[1], v));
                               }));
  if (r.activity.active(xs)) {
    const Lambda fn = b.lambda({{"y_adj", row_type(r.names.type_of(ys_adj))},
                                {"product", cell}, {"zero_count", scalar(PrimType::i64)}, {"x", cell}},
                               [](Builder& inner, const std::vector<Name>& p) {
                                 return std::vector<Atom>{
                                     scaled(inner, p[0], product_of_others(inner, p[1], p[2], p[3]))};
                               });
    r.adjoints.add(b, xs, b.let(adj_name(xs), Map{histogram.shape[0], fn, {ys_adj, products, zero_counts, xs}, {}}));
  }
  return Sweeps{std::move(forward.stms), std::move(b.stms)};
}

}  // namespace boustro::ad
