#include "transform/ad/logistic.hpp"

namespace boustro::ad {

using namespace ir;

void Logistics::note(const std::vector<Stm>& scope) {
  std::unordered_map<Name, Atom> powers, divisors;  // what has exp w, and 1 + exp w: w
  for (const Stm& stm : scope) {
    if (const auto* math = std::get_if<MathOp>(&stm.exp); math && math->fn == MathFn::exp) powers.emplace(stm.pattern[0].name, math->args[0]);
    const auto* op = std::get_if<BinOp>(&stm.exp);
    if (op && op->kind == BinOpKind::add) {
      for (const auto& [power, other] : {std::pair(op->lhs, op->rhs), std::pair(op->rhs, op->lhs)}) {
        const auto exponent = name_in(power) ? powers.find(*name_in(power)) : powers.end();
        if (exponent != powers.end() && other == Atom(PrimValue::one(op->type))) divisors.emplace(stm.pattern[0].name, exponent->second);
      }
    } else if (op && op->kind == BinOpKind::div && name_in(op->rhs)) {
      if (const auto exponent = divisors.find(*name_in(op->rhs)); exponent != divisors.end()) exponents_.emplace(stm.pattern[0].name, exponent->second);
    }
  }
}

std::optional<Atom> Logistics::exponent_in(const Stm& stm) const {
  const auto found = exponents_.find(stm.pattern[0].name);
  return found == exponents_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Atom> operands_of(const Exp& exp, const std::optional<Atom>& exponent) {
  if (exponent) return {std::get<BinOp>(exp).lhs, *exponent};
  return scalar_operands(exp);
}

Partial partial_of(Builder& builder, const Exp& exp, const std::optional<Atom>& exponent, const Atom& result, std::size_t operand) {
  if (!exponent || operand == 0) return partial_of(builder, exp, result, operand);
  const auto& quotient = std::get<BinOp>(exp);
  const Atom one = PrimValue::one(quotient.type);
  const Atom part = quotient.lhs == one ? result : builder.binop("part", BinOpKind::div, one, quotient.rhs);
  const Atom product = builder.binop("partial", BinOpKind::mul, result, builder.binop("rest", BinOpKind::sub, one, part));
  return {Partial::Form::factor, builder.unop("partial", UnOpKind::neg, product)};
}

}  // namespace boustro::ad
