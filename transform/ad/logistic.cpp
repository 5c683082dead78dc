#include "transform/ad/logistic.hpp"

namespace boustro::ad {

using namespace ir;

void Logistics::note(const std::vector<Stm>& scope) {
  std::unordered_map<Name, Atom> exponents;
  std::unordered_map<Name, Logistic> divisors;
  for (const Stm& stm : scope) {
    if (const auto* math = std::get_if<MathOp>(&stm.exp); math && math->fn == MathFn::exp) exponents.emplace(stm.pattern[0].name, math->args[0]);
    const auto* op = std::get_if<BinOp>(&stm.exp);
    if (op && op->kind == BinOpKind::add) {
      for (const auto& [power, other] : {std::pair(op->lhs, op->rhs), std::pair(op->rhs, op->lhs)}) {
        const auto exponent = name_in(power) ? exponents.find(*name_in(power)) : exponents.end();
        if (exponent != exponents.end() && other == Atom(PrimValue::one(op->type))) divisors.emplace(stm.pattern[0].name, Logistic{exponent->second, stm.pattern[0].name});
      }
    } else if (op && op->kind == BinOpKind::div && name_in(op->rhs)) {
      if (const auto divisor = divisors.find(*name_in(op->rhs)); divisor != divisors.end()) quotients_.emplace(stm.pattern[0].name, divisor->second);
    }
  }
}

std::optional<Logistic> Logistics::of(const Stm& stm) const {
  const auto found = quotients_.find(stm.pattern[0].name);
  return found == quotients_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Atom> operands_of(const Exp& exp, const std::optional<Logistic>& logistic) {
  if (logistic) return {std::get<BinOp>(exp).lhs, logistic->exponent};
  return scalar_operands(exp);
}

Partial partial_of(Builder& builder, const Exp& exp, const std::optional<Logistic>& logistic, const Atom& result, std::size_t operand) {
  if (!logistic || operand == 0) return partial_of(builder, exp, result, operand);
  const Atom one = PrimValue::one(std::get<BinOp>(exp).type);
  const Atom part = std::get<BinOp>(exp).lhs == one ? result : builder.binop("part", BinOpKind::div, one, logistic->divisor);
  const Atom product = builder.binop("partial", BinOpKind::mul, result, builder.binop("rest", BinOpKind::sub, one, part));
  return {Partial::Form::factor, builder.unop("partial", UnOpKind::neg, product)};
}

}  // namespace boustro::ad
