// Forward mode: scalar operators, conversions and built-in functions.
//
// Rule      y = f(x1, ..., xk)    gives    y_tan = sum of df/dxi * xi_tan,    from the table in ad/scalar.cpp
// Applies   every scalar operator, and quotients c / (1 + exp w) as one of c and w (ad/logistic.hpp); an operand that has a
//           tangent and whose derivative is unknown is refused
// Cost      a few operations each
// Source    [AD], 2.0.1
//
// Before:      def f (x: f64) (y: f64): f64 = x * y
// After jvp:   def f_jvp (x: f64) (y: f64) (x_tan: f64) (y_tan: f64): f64 = x_tan * y + y_tan * x
#include "transform/ad/rules.hpp"
#include "transform/ad/scalar.hpp"

namespace boustro::ad {

using namespace ir;

void forward_scalar(Forward& f, Builder& builder, const Stm& stm) {
  builder.add(stm);
  Builder b = f.builder(stm, "forward_scalar");
  const Name& y = stm.pattern.at(0).name;
  const auto exponent = f.logistics.exponent_in(stm);
  const std::vector<Atom> operands = operands_of(stm.exp, exponent);
  std::vector<Partial> partials;
  std::vector<Atom> tangents;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!f.has_tangent(operands[i])) continue;
    const Partial partial = partial_of(b, stm.exp, exponent, y, i);
    if (partial.form == Partial::Form::zero) continue;
    if (partial.form == Partial::Form::unknown)
      refuse_derivative(f.derivation, stm, operator_name(stm.exp), std::get<Name>(operands[i]).base);
    partials.push_back(partial);
    tangents.push_back(f.tangent(b, operands[i]));
  }
  if (!tangents.empty())
    f.set(y, elementwise(b, tan_name(y), tangents, [&](Builder& inner, const std::vector<Atom>& v) {
            Atom total = times_tangent(inner, stm.exp, partials[0], v[0]);
            if (v.size() == 1) return called(inner, tan_name(y), total);
            for (std::size_t i = 1; i < v.size(); ++i)
              total = sum(inner, tan_name(y), total, times_tangent(inner, stm.exp, partials[i], v[i]));
            return total;
          }));
  builder.add(b.stms);
}

}  // namespace boustro::ad
