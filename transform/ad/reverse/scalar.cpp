// Reverse mode: scalar operators, conversions and built-in functions.
//
// Rule      y = f(x1, ..., xk)    gives    xi_adj += y_adj * df/dxi,    from the table in ad/scalar.cpp
// Applies   every scalar operator, and quotients c / (1 + exp w) as one of c and w (ad/logistic.hpp); an operand that is active
//           and whose derivative is unknown is refused
// Cost      a few operations each; recomputes nothing, the operands being in scope
// Source    [AD], 2.0.2
//
// Before:      def f (x: f64): f64 = f64.sin x
// After vjp:   def f_vjp (x: f64) (y_adj: f64): f64 = y_adj * f64.cos x
#include "transform/ad/rules.hpp"
#include "transform/ad/scalar.hpp"

namespace boustro::ad {

using namespace ir;

Sweeps reverse_scalar(Reverse& r, const Stm& stm) {
  Builder b = r.builder(stm, "reverse_scalar");
  const Name& y = stm.pattern.at(0).name;
  const Atom y_adj = r.adjoints.take(b, y);
  const auto exponent = r.logistics.exponent_in(stm);
  const std::vector<Atom> operands = operands_of(stm.exp, exponent);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!r.activity.active(operands[i])) continue;
    const Name& x = std::get<Name>(operands[i]);
    const Partial partial = partial_of(b, stm.exp, exponent, y, i);
    if (partial.form == Partial::Form::zero) continue;
    if (partial.form == Partial::Form::unknown)
      refuse_derivative(r.derivation, stm, operator_name(stm.exp), x.base);
    const bool same = partial.form == Partial::Form::one;
    const Atom contribution =
        same ? y_adj : elementwise(b, adj_name(x), {y_adj}, [&](Builder& inner, const std::vector<Atom>& v) {
          return called(inner, adj_name(x), times_adjoint(inner, stm.exp, partial, v[0]));
        });
    r.adjoints.add(b, x, contribution, !same);
  }
  return {{stm}, std::move(b.stms)};
}

}  // namespace boustro::ad
