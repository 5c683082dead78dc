// Reverse mode: permutation of dimensions.
//
// Rule      yss = rearrange p xss    gives    xss_adj += rearrange (inverse of p) yss_adj
// Applies   every rearrange; the seed dimensions stay innermost
// Cost      none: a view
// Source    derived here: a permutation of elements is its own adjoint's inverse
//
// Before:      def f [n] [m] (xss: [n][m]f64): [m][n]f64 = transpose xss
// After vjp:   def f_vjp [n] [m] (xss: [n][m]f64) (yss_adj: [m][n]f64): [n][m]f64 = transpose yss_adj
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

Sweeps reverse_rearrange(Reverse& r, const Stm& stm, const Rearrange& e) {
  Builder b = r.builder(stm, "reverse_rearrange");
  const DenseAdjoint y_adj = r.adjoints.take_dense(b, stm.pattern.at(0).name);
  std::vector<int> inverse(e.permutation.size() + r.seed_shape.size());
  for (std::size_t i = 0; i < inverse.size(); ++i) inverse[i] = static_cast<int>(i);
  for (std::size_t i = 0; i < e.permutation.size(); ++i)
    inverse[static_cast<std::size_t>(e.permutation[i])] = static_cast<int>(i);
  const Name x_adj = b.let(adj_name(e.array), Rearrange{inverse, std::get<Name>(y_adj.value)});
  r.adjoints.add(b, e.array, x_adj, y_adj.owned);
  return {{stm}, std::move(b.stms)};
}

}  // namespace boustro::ad
