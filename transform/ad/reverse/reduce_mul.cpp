// Reverse mode: reduce with multiplication.
//
// Rule      with p = product of the nonzero xs[i] and z = the number of zeros among them:
//             xs_adj[i] += y_adj * p / xs[i]  if z = 0;   y_adj * p  if z = 1 and xs[i] = 0;   0 otherwise
// Applies   reduce (*) over one array of floats. Integers, of which the product wraps around and cannot be divided
//           again: reduce_general.cpp
// Cost      O(n) work; the forward sweep reduces p and z together
// Source    [AD], 5.1.1
//
// Before:      def f [n] (xs: [n]f64): f64 = reduce (*) 1 xs
// After vjp:   def f_vjp [n] (xs: [n]f64) (y_adj: f64): [n]f64 =
//                let p = f64.product (map (\x -> if x == 0 then 1 else x) xs)
//                let z = i64.sum (map (\x -> i64.bool (x == 0)) xs)
//                in map (\x -> y_adj * (if x == 0 then (if z == 1 then p else 0) else if z == 0 then p / x else 0)) xs
#include "transform/ad/reverse/product.hpp"
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

MaybeSweeps reverse_reduce_mul(Reverse& r, const Stm& stm, const Reduce& reduce) {
  const auto kind = as_binop(reduce.op);
  const Param& y = stm.pattern.at(0);
  if (kind != BinOpKind::mul || !values::is_float(y.type.elem)) return std::nullopt;

  const Name& xs = reduce.arrays.at(0);
  Builder forward = r.forward_builder(stm, "reverse_reduce_mul");
  const auto [nonzeros, zero_counts] = split_zeros(forward, xs);
  const Lambda mul = operator_on(forward, BinOpKind::mul, y.type);
  const Name product = forward.let("product", Reduce{reduce.width, mul, {PrimValue::one(y.type.elem)},
                                                     {nonzeros}, true});
  const Atom zero_count = sum_of_rows(forward, "zero_count", zero_counts);
  forward.let({y}, AtomExp{product_of_parts(forward, product, zero_count)});

  Builder b = r.builder(stm, "reverse_reduce_mul");
  const Atom y_adj = r.adjoints.take(b, y.name);
  const Type element = row_type(r.names.type_of(xs));
  const Lambda fn = b.lambda({{"x", element}}, [&](Builder& inner, const std::vector<Name>& p) {
    const Atom factor = product_of_others(inner, product, zero_count, p[0]);
    return std::vector<Atom>{elementwise(inner, "x_adj", {y_adj}, [&](Builder& s, const std::vector<Atom>& v) {
      return s.binop("x_adj", BinOpKind::mul, v[0], factor);
    })};
  });
  r.adjoints.add(b, xs, b.let(adj_name(xs), Map{reduce.width, fn, {xs}, {}}));
  return Sweeps{std::move(forward.stms), std::move(b.stms)};
}

}  // namespace boustro::ad
