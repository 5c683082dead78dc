// Reverse mode: concatenation.
//
// Rule      zs = xs ++ ys    gives    xs_adj += zs_adj[:n],  ys_adj += zs_adj[n:]
// Applies   any number of arrays, along the outermost dimension
// Cost      none: views
// Source    derived here: each element is in one place of the result
//
// Before:      def f (xs: [2]f64) (ys: [3]f64): [5]f64 = xs ++ ys
// After vjp:   def f_vjp (_: [2]f64) (_: [3]f64) (zs_adj: [5]f64): ([2]f64, [3]f64) = (zs_adj[:2], zs_adj[2:])
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

Sweeps reverse_concat(Reverse& r, const Stm& stm, const Concat& e) {
  Builder b = r.builder(stm, "reverse_concat");
  const Name z_adj = std::get<Name>(r.adjoints.take(b, stm.pattern.at(0).name));
  Atom start = int_atom(0);
  for (std::size_t i = 0; i < e.arrays.size(); ++i) {  // by position: xs ++ xs is two parts
    const Name& xs = e.arrays[i];
    const Atom count = r.names.type_of(xs).shape.at(0);
    if (r.activity.active(xs)) {
      const Name part =
          b.let(adj_name(xs), Index{z_adj, {Slice{start, count, int_atom(1)}}, false});
      r.adjoints.add(b, xs, part, false);
    }
    if (i + 1 < e.arrays.size()) start = b.binop("start", BinOpKind::add, start, count);
  }
  return {{stm}, std::move(b.stms)};
}

}  // namespace boustro::ad
