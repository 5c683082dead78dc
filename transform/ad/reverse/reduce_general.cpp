// Reverse mode: reduce with any operator.
//
// Rule      ys = xs[0] * ... * xs[n-1] for an operator *, l[i] and r[i] the products before and after i, gives
//             (xs_adj[i], w_adj) += adjoints of x = xs[i] and of w in  (l[i] * x) * r[i],  where w
//             is free in the operator and counts in its first use only
// Applies   every associative operator, of tuples too
// Cost      O(n) applications: two exclusive scans and one map
// Source    [AD], 5.1; free variables: derived here, since the first use at i is one step of the product taken from
//           the left, with the adjoint that this step's result has
//
// Before:      def op x y: f64 = x + y + x * y    def f [n] (xs: [n]f64): f64 = reduce op 0 xs
// After vjp:   def f_vjp [n] (xs: [n]f64) (y_adj: f64): [n]f64 =
//                let ls = map (\i -> reduce op 0 xs[:i]) (iota n)    let rs = map (\i -> reduce op 0 xs[i + 1:]) (iota n)
//                in map3 (\l x r -> vjp (\x -> op (op l x) r) x y_adj) ls xs rs
#include "transform/ad/reverse/products.hpp"

namespace boustro::ad {

using namespace ir;

MaybeSweeps reverse_reduce_general(Reverse& r, const Stm& stm, const Reduce& reduce) {
  refuse_active_neutral(r, stm, reduce.neutral, "reduce");
  Builder b = r.builder(stm, "reverse_reduce_general");
  const Factors factors{reduce.width, reduce.op, reduce.neutral, reduce.arrays};
  const auto before = products_before(b, factors);
  const auto after = products_after(b, factors);

  // ys[i] is the whole product for every i, so the adjoint of the product is that of each.
  const Stm products = products_of_parts(r, b, stm, factors, before, after);
  r.activity.analyse({products});
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    const Name& y = stm.pattern[i].name;
    r.activity.add_result(products.pattern[i].name);
    if (r.adjoints.is_zero(y)) continue;
    const Name y_adjs = b.let(adj_name(y), Replicate{{reduce.width}, r.adjoints.take(b, y)});
    r.adjoints.set(products.pattern[i].name, DenseAdjoint{y_adjs, true});
  }
  const Sweeps sweeps = reverse_stm(r, products);
  b.add(sweeps.forward);
  b.add(sweeps.reverse);
  return Sweeps{{stm}, std::move(b.stms)};
}

}  // namespace boustro::ad
