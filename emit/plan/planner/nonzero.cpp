#include "emit/plan/planner/nonzero.hpp"

#include <algorithm>

#include "emit/plan/planner/arithmetic.hpp"

namespace boustro::plan::planner {
namespace {

/// The same number as another type of integer has it.
const Expr& unwidened(const Expr& expr) {
  const bool widens = std::holds_alternative<Cast>(expr.head) && is_integer(expr.type) &&
                      is_integer(expr.args[0].type) &&
                      values::byte_size(expr.args[0].type.prim) <= values::byte_size(expr.type.prim);
  return widens ? unwidened(expr.args[0]) : expr;
}

/// Memory may change.
bool reads_memory(const Expr& expr) {
  return std::holds_alternative<Element>(expr.head) || expr.head == Head(Op::dereference) ||
         std::any_of(expr.args.begin(), expr.args.end(), reads_memory);
}

bool is_maximum(const Expr& expr) {
  const auto* call = std::get_if<Call>(&expr.head);
  if (call) return call->function == "max";
  const auto* fn = std::get_if<Intrinsic>(&expr.head);
  return fn && fn->fn == decltype(fn->fn){ir::BinOpKind::max};
}

/// Of which the sign or the bits do not matter: it is zero only if the operand is.
bool keeps_zero_apart(const Expr& expr) {
  if (expr.head == Head(Op::neg)) return true;
  const auto* fn = std::get_if<Intrinsic>(&expr.head);
  return fn && (fn->fn == decltype(fn->fn){ir::UnOpKind::neg} ||
                fn->fn == decltype(fn->fn){ir::UnOpKind::abs} ||
                fn->fn == decltype(fn->fn){ir::UnOpKind::sgn});
}

/// Whether `x relation y` says that x is not zero.
bool excludes_zero(Op relation, const Expr& y) {
  const auto bound = int_value(y);
  if (!bound) return false;
  switch (relation) {
    case Op::ne:
      return *bound == 0;
    case Op::eq:
      return *bound != 0;
    case Op::gt:
      return *bound >= 0;
    case Op::ge:
      return *bound > 0;
    case Op::lt:
      return *bound <= 0;
    case Op::le:
      return *bound < 0;
    default:
      return false;
  }
}

Op opposite(Op relation) {
  switch (relation) {
    case Op::eq:
      return Op::ne;
    case Op::ne:
      return Op::eq;
    case Op::lt:
      return Op::ge;
    case Op::le:
      return Op::gt;
    case Op::gt:
      return Op::le;
    case Op::ge:
      return Op::lt;
    default:
      return relation;
  }
}

bool is_relation(Op op) {
  return op == Op::eq || op == Op::ne || op == Op::lt || op == Op::le || op == Op::gt ||
         op == Op::ge;
}

}  // namespace

void Nonzero::add(const Expr& expr) {
  const Expr& number = unwidened(expr);
  if (int_value(number) || reads_memory(number)) return;
  known_.add(number);
  if (number.head == Head(Op::mul))
    for (const Expr& factor : number.args) add(factor);
}

void Nonzero::assume(const Expr& condition, bool holds) {
  const Op* op = std::get_if<Op>(&condition.head);
  if (!op) return;
  if (*op == Op::logical_not) return assume(condition.args[0], !holds);
  if (*op == (holds ? Op::logical_and : Op::logical_or)) {
    for (const Expr& part : condition.args) assume(part, holds);
    return;
  }
  if (!is_relation(*op) || !is_integer(condition.args[0].type)) return;
  const Op relation = holds ? *op : opposite(*op);
  const Expr &x = condition.args[0], &y = condition.args[1];
  if (excludes_zero(relation, y)) add(x);
  if (excludes_zero(swapped(relation), x)) add(y);
}

bool Nonzero::proves(const Scalar& number) const {
  const bool bounded_away = number.range && (number.range->low > 0 || number.range->high < 0);
  return number.nonzero || bounded_away || proves(number.expr);
}

bool Nonzero::proves(const Expr& expr) const {
  const Expr& number = unwidened(expr);
  if (const auto value = int_value(number)) return *value != 0;
  if (known_.contains(number)) return true;
  const auto positive = [](const Expr& arg) { return int_value(arg).value_or(0) > 0; };
  if (is_maximum(number)) return std::any_of(number.args.begin(), number.args.end(), positive);
  if (keeps_zero_apart(number)) return proves(number.args[0]);
  if (number.head == Head(Op::select)) return proves_choice(number);
  if (number.head == Head(Op::bit_or)) return proves(number.args[0]) || proves(number.args[1]);
  return false;
}

/// condition ? x : y
bool Nonzero::proves_choice(const Expr& choice) const {
  Nonzero yes = *this, no = *this;
  yes.assume(choice.args[0], true);
  no.assume(choice.args[0], false);
  return yes.proves(choice.args[1]) && no.proves(choice.args[2]);
}

}  // namespace boustro::plan::planner
