// Reverse mode: reduce with any operator.
//
// Rule      ys = xs[0] * ... * xs[n-1] for an operator *, l[i] and r[i] the products before and after i, gives
//             (xs_adj[i], w_adj) += adjoints of x = xs[i] and of w in  (l[i] * x) * r[i],  where w is free in the
//             operator and counts in its first use only
// Applies   every associative operator, of tuples too
// Cost      O(n) applications: two exclusive scans and one map
// Source    [AD], 5.1; free variables: derived here, since the first use at i is one step of the product taken from
//           the left, with the adjoint that this step's result has
//
// Before:      def f [n] (xs: [n]f64): f64 = reduce (\x y -> x + y + x * y) 0 xs
// After vjp:   see the rule
#include "frontend/source/diagnostics.hpp"
#include "transform/ad/reverse/prefix.hpp"
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// The operator with copies, which are inactive, in place of its active free names.
Lambda with_constants(Reverse& r, Builder& b, const Lambda& op) {
  NameSet params;
  for (const Param& p : op.params) params.insert(p.name);
  Substitution substitution;
  for (const Name& name : active_free_names(r, op.body, params))
    substitution.emplace(name, b.let(name.base, AtomExp{name}));
  return rename(op, r.names, substitution);
}

std::vector<Atom> concatenated(const std::vector<Name>& x, const std::vector<Name>& y) {
  std::vector<Atom> result(x.begin(), x.end());
  result.insert(result.end(), y.begin(), y.end());
  return result;
}

}  // namespace

MaybeSweeps reverse_reduce_general(Reverse& r, const Stm& stm, const Reduce& reduce) {
  for (const Atom& neutral : reduce.neutral)
    if (r.activity.active(neutral))
      refuse_derivative(r.derivation, stm, "reduce", "its neutral element");

  Builder b = r.builder(stm, "reverse_reduce_general");
  const std::size_t width = reduce.arrays.size();
  const auto before = products_before(b, reduce);
  const auto after = products_after(b, reduce);
  const Lambda constant_op = with_constants(r, b, reduce.op);

  std::vector<std::pair<std::string, Type>> params;
  std::vector<Name> inputs;
  for (const auto& arrays : {before, reduce.arrays, after})
    for (const Name& array : arrays) {
      params.emplace_back(array.base, row_type(r.names.type_of(array)));
      inputs.push_back(array);
    }
  Lambda fn = b.lambda(params, [&](Builder& inner, const std::vector<Name>& p) {
    const auto part = [&](std::size_t i) {
      return std::vector<Name>(p.begin() + static_cast<std::ptrdiff_t>(i * width),
                               p.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
    };
    std::vector<Atom> args = inline_lambda(inner, reduce.op, concatenated(part(0), part(1)));
    for (const Name& name : part(2)) args.emplace_back(name);
    return inline_lambda(inner, constant_op, args);
  });
  fn.result_types = reduce.op.result_types;

  // ys[i] is the whole product for every i, so the adjoint of the product is that of each.
  Stm products{{}, Map{reduce.width, fn, inputs, {}}, stm.origin, {}};
  for (std::size_t i = 0; i < width; ++i) {
    const Param& y = stm.pattern[i];
    products.pattern.push_back(r.names.fresh_param(y.name.base, array_of(reduce.width, y.type)));
  }
  r.activity.analyse({products});
  for (std::size_t i = 0; i < width; ++i) {
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
