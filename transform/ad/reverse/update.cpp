// Reverse mode: in-place update of an element, row or slice.
//
// Rule      ys = xs with [i] = v    gives    v_adj += ys_adj[i],  then  xs_adj = ys_adj with [i] = 0
// Applies   every update. Where the return sweep needs elements that were overwritten, see ad/restore.hpp
// Cost      O(size of v): the adjoint is updated in place too
// Source    [AD], 5.3, for one index
//
// Before:      def f [n] (xs: *[n]f64) (v: f64): *[n]f64 = xs with [0] = v
// After vjp:   def f_vjp [n] (xs: [n]f64) (v: f64) (ys_adj: *[n]f64): ([n]f64, f64) =
//                let v_adj = ys_adj[0] in (ys_adj with [0] = 0, v_adj)
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

Sweeps reverse_update(Reverse& r, const Stm& stm, const Update& e) {
  Builder b = r.builder(stm, "reverse_update");
  const Name& y = stm.pattern.at(0).name;
  const Name ys_adj = std::get<Name>(r.activity.active(e.array) ? r.adjoints.take_owned(b, y)
                                                                : r.adjoints.take(b, y));
  const Index written{ys_adj, e.indices, e.checked};
  const Type written_type = r.names.types_of(written).at(0);
  if (r.activity.active(e.value)) {
    const Name& v = std::get<Name>(e.value);
    // A copy of a row, since the array below is updated.
    const Atom v_adj = fresh_copy(b, adj_name(v), b.let(adj_name(v), written));
    r.adjoints.add(b, v, v_adj);
  }
  if (r.activity.active(e.array)) {
    const Atom zero = zeros(b, "zeros", written_type);
    const Name xs_adj = b.let(adj_name(e.array), Update{ys_adj, e.indices, zero, e.checked});
    r.adjoints.add(b, e.array, xs_adj);
  }
  return {{stm}, std::move(b.stms)};
}

}  // namespace boustro::ad
