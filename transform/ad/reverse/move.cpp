// Reverse mode: another name, a copy or a coercion of a value.
//
// Rule      y = x    gives    x_adj += y_adj
// Applies   atoms, copy, coerce
// Cost      none
// Source    derived here: the derivative of the identity
//
// Before:      def f [n] (xs: [n]f64): [n]f64 = copy xs
// After vjp:   def f_vjp [n] (_: [n]f64) (ys_adj: [n]f64): [n]f64 = ys_adj
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

Sweeps reverse_move(Reverse& r, const Stm& stm, const Atom& operand) {
  Builder b = r.builder(stm, "reverse_move");
  r.adjoints.move(b, stm.pattern.at(0).name, operand);
  return {{stm}, std::move(b.stms)};
}

}  // namespace boustro::ad
