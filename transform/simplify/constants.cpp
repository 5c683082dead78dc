// Operators on literals.
//
// Before:  let x = 2 + 3
// After:   let x = 5
// Never:   1 / 0 and other errors, which stay to happen when they are reached
#include "transform/ir/scalar.hpp"
#include "transform/simplify/rules.hpp"

namespace boustro::simplify {

using namespace ir;

std::optional<PrimValue> value_of_literals(const Exp& exp) {
  const auto literals = [](std::initializer_list<const Atom*> atoms) {
    std::vector<PrimValue> values;
    for (const Atom* atom : atoms) {
      if (const PrimValue* value = literal_in(*atom)) values.push_back(*value);
    }
    return values;
  };
  using Result = std::optional<PrimValue>;
  return match(
      exp,
      [&](const UnOp& e) {
        const auto x = literals({&e.operand});
        return x.size() == 1 ? apply(e.kind, x[0]) : Result{};
      },
      [&](const BinOp& e) {
        const auto x = literals({&e.lhs, &e.rhs});
        return x.size() == 2 ? apply(e.kind, x[0], x[1]) : Result{};
      },
      [&](const CmpOp& e) {
        const auto x = literals({&e.lhs, &e.rhs});
        return x.size() == 2 ? apply(e.kind, x[0], x[1]) : Result{};
      },
      [&](const Convert& e) {
        const auto x = literals({&e.operand});
        return x.size() == 1 ? Result{convert(e.to, x[0])} : Result{};
      },
      [&](const MathOp& e) {
        std::vector<PrimValue> args;
        for (const Atom& atom : e.args) {
          if (const PrimValue* value = literal_in(atom)) args.push_back(*value);
        }
        return args.size() == e.args.size() ? apply(e.fn, e.type, args) : Result{};
      },
      [](const auto&) { return Result{}; });
}

RuleResult fold_constants(Stm& stm, Context&) {
  const auto value = value_of_literals(stm.exp);
  if (!value) return std::nullopt;
  return replaced(stm, AtomExp{*value});
}

}  // namespace boustro::simplify
