// Reverse mode: reduce with min or max.
//
// Rule      y = min of xs[i]    gives    xs_adj[k] += y_adj,    where k is the first index at which xs[k] is least
// Applies   reduce with min or max of scalars. k is -1 if the neutral element won, and then nothing is added
// Cost      the forward sweep keeps k, as a second component of the reduction; the adjoint is sparse: O(1)
// Source    [AD], 5.1.1; first index on ties as Futhark's tests/ad/minimum.fut
//
// Before:      def f [n] (xs: [n]f32): f32 = reduce f32.min f32.inf xs
// After vjp:   def f_vjp [n] (xs: [n]f32) (y_adj: f32): [n]f32 =
//                let y = f32.minimum xs    let k = i64.minimum (map2 (\i x -> if x == y then i else n) (iota n) xs)
//                in scatter (replicate n 0) [k] [y_adj]
#include "transform/ad/reverse/winner.hpp"
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

MaybeSweeps reverse_reduce_min(Reverse& r, const Stm& stm, const Reduce& reduce) {
  const auto kind = as_binop(reduce.op);
  if (kind != BinOpKind::min && kind != BinOpKind::max) return std::nullopt;

  const Name& xs = reduce.arrays.at(0);
  const Param& y = stm.pattern.at(0);
  Builder forward = r.forward_builder(stm, "reverse_reduce_min");
  const Name indices = forward.let("indices", Iota{reduce.width});
  const Lambda op = winner_operator(forward, *kind, y.type.elem, reduce.neutral.at(0));
  const Param index = r.names.fresh_param("winner", scalar(PrimType::i64));
  forward.let({y, index}, Reduce{reduce.width, op, {reduce.neutral.at(0), int_atom(-1)}, {xs, indices}, true});

  Builder b = r.builder(stm, "reverse_reduce_min");
  const Atom y_adj = r.adjoints.take(b, y.name);
  const Atom won = b.cmp("won", CmpOpKind::le, int_atom(0), index.name);
  r.adjoints.add_entry(b, xs, {{index.name}, y_adj, won});
  if (r.activity.active(reduce.neutral.at(0))) {  // such as xs[0], which is neutral enough
    const Atom lost = b.unop("lost", UnOpKind::complement, won);
    r.adjoints.add(b, reduce.neutral.at(0),
                   value_or_zero(b, "neutral_adj", lost, r.adjoints.type_of(y.name), [&](Builder&) { return y_adj; }));
  }
  return Sweeps{std::move(forward.stms), std::move(b.stms)};
}

}  // namespace boustro::ad
