// Reverse mode: replicate.
//
// Rule      ys = replicate [n, m, ...] x    gives    x_adj += sum of ys_adj[i, j, ...]
// Applies   every replicate; with several dimensions the rows are counted in one
// Cost      O(n m ...) work, one reduction
// Source    derived here: every element is x
//
// Before:      def f (n: i64) (x: f64): [n]f64 = replicate n x
// After vjp:   def f_vjp (n: i64) (x: f64) (ys_adj: [n]f64): f64 = f64.sum ys_adj
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

Sweeps reverse_replicate(Reverse& r, const Stm& stm, const Replicate& e) {
  Builder b = r.builder(stm, "reverse_replicate");
  const Name& y = stm.pattern.at(0).name;
  Name rows = std::get<Name>(r.adjoints.take(b, y));
  if (e.shape.size() > 1) {
    Atom count = e.shape[0];
    for (std::size_t i = 1; i < e.shape.size(); ++i)
      count = b.binop("count", BinOpKind::mul, count, e.shape[i]);
    Shape shape = r.adjoints.type_of(e.value).shape;
    shape.insert(shape.begin(), count);
    rows = b.let(adj_name(y), Reshape{shape, rows});
  }
  const std::string base = name_in(e.value) ? adj_name(std::get<Name>(e.value)) : "value_adj";
  r.adjoints.add(b, e.value, sum_of_rows(b, base, rows));
  return {{stm}, std::move(b.stms)};
}

}  // namespace boustro::ad
