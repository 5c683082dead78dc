// Partial derivatives of every scalar operator, conversion and built-in function: one table, from which
// forward and reverse mode both come.
//
// Integers are differentiated with wrap-around arithmetic, bool as 0 and 1 with `or` for + and `and` for *.
#pragma once

#include "transform/ir/builder.hpp"

namespace boustro::ad {

/// How the result of an operator changes with one operand: what a tangent or an adjoint is multiplied with. The forms other
/// than `factor` exist to make no product with 1, and no 0 * inf.
struct Partial {
  enum class Form {
    zero,      // the operator is locally constant in this operand
    one,       // v
    minus,     // -v
    factor,    // v * atom
    divisor,   // v / atom
    ratio,     // (v / atom) * scale: no atom by atom overflows, and no inf meets v = 0
    quotient,  // v // atom, of integers
    selected,  // if atom then v else 0
    converted, // v of the other type: the exact transpose of a conversion
    bits,      // v's bit pattern as the other type
    unknown,   // there is one, but we do not know it
  };
  Form form = Form::unknown;
  ir::Atom atom = ir::int_atom(0);
  ir::Atom scale = ir::int_atom(1);
};

/// The partial derivative of `exp`, whose value is `result`, with respect to operand number `operand`.
/// Computes what it needs with the builder.
Partial partial_of(ir::Builder& builder, const ir::Exp& exp, const ir::Atom& result,
                   std::size_t operand);

/// The derivative times a tangent v of the operand.
ir::Atom times_tangent(ir::Builder& builder, const ir::Exp& exp, const Partial& partial,
                       const ir::Atom& v);
/// The derivative times an adjoint v of the result.
ir::Atom times_adjoint(ir::Builder& builder, const ir::Exp& exp, const Partial& partial,
                       const ir::Atom& v);

/// True if the derivative with respect to that operand is zero wherever it exists: that of floor, ...
bool is_locally_constant(const ir::Exp& exp, std::size_t operand);

/// The operands of a scalar operator other than a comparison, in order; empty for any other expression.
std::vector<ir::Atom> scalar_operands(const ir::Exp& exp);
/// As a message names it: `i32.popc`, `f64.+`.
std::string operator_name(const ir::Exp& exp);

/// What + and * are for tangents and adjoints of this type.
ir::BinOpKind addition_of(ir::PrimType type);
ir::BinOpKind product_of(ir::PrimType type);

}  // namespace boustro::ad
