// Reverse mode: addition into an accumulator.
//
// Rule      acc' = acc[i] += v    gives    v_adj += acc_adj[i],    where acc_adj is the adjoint of the array that the
//           accumulator becomes: one array for the whole scope of the accumulator
// Applies   accumulators that add; the update is linear, so nothing is recomputed. An index that may be out of bounds,
//           and then is ignored, contributes zero
// Cost      O(size of v): a gather
// Source    [AD], 5.4; derived here: the array is the sum of what it held and all v
//
// Before:      def f [m] (xs: *[m]f64) (i: i64) (v: f64): [m]f64 =
//                core.with_add xs (\acc -> core.finish (core.update_1d acc i v))
// After vjp:   def f_vjp [m] (_: [m]f64) (i: i64) (_: f64) (ys_adj: [m]f64): ([m]f64, f64) =
//                (ys_adj, if i < 0 || i >= m then 0 else ys_adj[i])
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

Sweeps reverse_update_acc(Reverse& r, const Stm& stm, const UpdateAcc& e) {
  Builder b = r.builder(stm, "reverse_update_acc");
  const DenseAdjoint acc_adj = r.adjoints.take_dense(b, stm.pattern.at(0).name);
  if (r.activity.active(e.value)) {
    const Name& array = std::get<Name>(acc_adj.value);
    const std::string base = adj_name(std::get<Name>(e.value));
    const Type type = r.adjoints.type_of(e.value);
    const auto gather = [&](Builder& inner) -> Atom {
      return e.indices.empty() ? Atom(array) : inner.index(base, array, e.indices);
    };
    const Atom v_adj = e.in_bounds || e.indices.empty()
                           ? gather(b)
                           : value_or_zero(b, base,
                                           all_in_bounds(b, e.indices, r.names.type_of(array).shape),
                                           type, gather);
    r.adjoints.add(b, e.value, v_adj, false);
  }
  r.adjoints.set(e.accumulator, DenseAdjoint{acc_adj.value});
  return {{stm}, std::move(b.stms)};
}

}  // namespace boustro::ad
