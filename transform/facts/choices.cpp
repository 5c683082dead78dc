#include "transform/facts/choices.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "transform/ir/operands.hpp"
#include "transform/ir/scalar.hpp"

namespace boustro::facts {
namespace {

using namespace ir;

/// Values and indices x, i, y, j: all that comparisons can tell apart.
struct Case {
  double x;
  std::int64_t i;
  double y;
  std::int64_t j;
};

PrimValue value_of(PrimType type, double number) {
  return values::is_float(type) ? PrimValue::of_float(type, number) : PrimValue::of_int(type, static_cast<std::int64_t>(number));
}

/// What the condition of the choice is for some operands; nothing if it is made of anything but comparisons.
class Condition {
 public:
  Condition(const Lambda& op, const If& choice) : op_(op), choice_(choice) {}

  std::optional<bool> holds(const Case& of) {
    known_.clear();
    const PrimType value = op_.params[0].type.elem, index = op_.params[1].type.elem;
    known_.emplace(op_.params[0].name, value_of(value, of.x));
    known_.emplace(op_.params[1].name, PrimValue::of_int(index, of.i));
    known_.emplace(op_.params[2].name, value_of(value, of.y));
    known_.emplace(op_.params[3].name, PrimValue::of_int(index, of.j));
    const std::vector<Stm> before(op_.body.stms.begin(), op_.body.stms.end() - 1);
    const auto condition = result_of({before, {choice_.condition}});
    return condition ? std::optional(condition->as_bool()) : std::nullopt;
  }

 private:
  std::optional<PrimValue> result_of(const Body& body) {
    for (const Stm& stm : body.stms) {
      const auto result = stm.pattern.size() == 1 ? applied(stm.exp) : std::nullopt;
      if (!result) return std::nullopt;
      known_.insert_or_assign(stm.pattern[0].name, *result);
    }
    return value_of_atom(body.result.at(0));
  }

  std::optional<PrimValue> value_of_atom(const Atom& atom) const {
    if (const PrimValue* literal = literal_in(atom)) return *literal;
    const auto found = known_.find(*name_in(atom));
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }

  std::optional<PrimValue> applied(const Exp& exp) {
    if (const auto* e = std::get_if<CmpOp>(&exp)) return compared(*e);
    if (const auto* e = std::get_if<BinOp>(&exp)) return combined(*e);
    if (const auto* e = std::get_if<UnOp>(&exp)) return negated(*e);
    if (const auto* e = std::get_if<If>(&exp)) return chosen(*e);
    const auto* fn = std::get_if<MathOp>(&exp);
    return fn && fn->fn == MathFn::isnan && is_param(fn->args[0], 0) ? apply(fn->fn, fn->type, std::array{*value_of_atom(fn->args[0])}) : std::nullopt;
  }

  std::optional<PrimValue> compared(const CmpOp& e) const {
    const bool comparable = (is_param(e.lhs, 0) && is_param(e.rhs, 0)) || (is_param(e.lhs, 1) && is_param(e.rhs, 1));
    return comparable ? apply(e.kind, *value_of_atom(e.lhs), *value_of_atom(e.rhs)) : std::nullopt;
  }

  std::optional<PrimValue> combined(const BinOp& e) const {
    const auto lhs = value_of_atom(e.lhs), rhs = value_of_atom(e.rhs);
    return e.type == PrimType::boolean && lhs && rhs ? apply(e.kind, *lhs, *rhs) : std::nullopt;
  }

  std::optional<PrimValue> negated(const UnOp& e) const {
    const auto operand = value_of_atom(e.operand);
    return operand && operand->type == PrimType::boolean ? apply(e.kind, *operand) : std::nullopt;
  }

  std::optional<PrimValue> chosen(const If& e) {
    const auto condition = value_of_atom(e.condition);
    if (!condition) return std::nullopt;
    return result_of(condition->as_bool() ? e.then_body : e.else_body);
  }

  /// Of either operand.
  bool is_param(const Atom& atom, std::size_t component) const {
    return atom == Atom(op_.params[component].name) || atom == Atom(op_.params[2 + component].name);
  }

  const Lambda& op_;
  const If& choice_;
  std::unordered_map<Name, PrimValue> known_;
};

/// (y, j) is picked if y is smaller, or larger.
bool picks_better(Condition& condition, bool smaller) {
  const double x = smaller ? 2 : 1, y = smaller ? 1 : 2;
  for (const auto& [i, j] : {std::pair{0, 1}, std::pair{1, 0}}) {
    if (condition.holds({x, i, y, j}) != std::optional(true)) return false;
    if (condition.holds({y, i, x, j}) != std::optional(false)) return false;
    if (condition.holds({1, i, 1, j}) != std::optional(j < i)) return false;
  }
  return true;
}

bool picks_numbers(Condition& condition) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [i, j] : {std::pair{0, 1}, std::pair{1, 0}}) {
    if (condition.holds({nan, i, 1, j}) != std::optional(true)) return false;
    if (condition.holds({1, i, nan, j}) != std::optional(false)) return false;
  }
  return true;
}

}  // namespace

const If* choice_in(const Lambda& op) {
  if (op.body.stms.empty()) return nullptr;
  const Stm& last = op.body.stms.back();
  const If* choice = std::get_if<If>(&last.exp);
  const std::size_t count = op.body.result.size();
  if (!choice || last.pattern.size() != count) return nullptr;
  if (!choice->then_body.stms.empty() || !choice->else_body.stms.empty()) return nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    if (!last.pattern[i].type.is_scalar()) return nullptr;
    const bool picks = choice->then_body.result[i] == Atom(op.params[count + i].name) && choice->else_body.result[i] == Atom(op.params[i].name);
    if (!picks || op.body.result[i] != Atom(last.pattern[i].name)) return nullptr;
  }
  return choice;
}

bool is_number(const Atom& atom) {
  const PrimValue* value = literal_in(atom);
  return value && (!values::is_float(value->type) || !std::isnan(value->as_float()));
}

std::optional<BinOpKind> picks_extremum(const Lambda& op) {
  const If* choice = choice_in(op);
  if (!choice || op.params.size() != 4 || op.params[1].type != scalar(PrimType::i64) || op.params[0].type.elem == PrimType::boolean)
    return std::nullopt;
  Condition condition(op, *choice);
  if (values::is_float(op.params[0].type.elem) && !picks_numbers(condition)) return std::nullopt;
  if (picks_better(condition, true)) return BinOpKind::min;
  return picks_better(condition, false) ? std::optional(BinOpKind::max) : std::nullopt;
}

}  // namespace boustro::facts
