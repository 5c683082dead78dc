// Reverse mode: iota with respect to its size, which Futhark defines although it is discrete.
//
// Rule      is = iota n    gives    n_adj += sum of is_adj[i]
// Applies   an n that is differentiated; sizes of array parameters are not
// Cost      one reduction
// Source    Futhark's tests/ad/iota0.fut
//
// Before:      def f (n: i64): [n]i64 = iota n
// After vjp:   def f_vjp (n: i64) (is_adj: [n]i64): i64 = i64.sum is_adj
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

Sweeps reverse_iota(Reverse& r, const Stm& stm, const Iota& e) {
  Builder b = r.builder(stm, "reverse_iota");
  if (r.activity.active(e.width)) {
    const Name is_adj = std::get<Name>(r.adjoints.take(b, stm.pattern.at(0).name));
    r.adjoints.add(b, e.width, sum_of_rows(b, adj_name(std::get<Name>(e.width)), is_adj));
  }
  return {{stm}, std::move(b.stms)};
}

}  // namespace boustro::ad
