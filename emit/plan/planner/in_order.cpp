#include "emit/plan/planner/in_order.hpp"

#include <optional>

#include "emit/plan/plan.hpp"
#include "transform/facts/choices.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

class Specialiser {
 public:
  /// `numbers`: the values on the left are no NaN.
  Specialiser(const ir::Operator& op, const std::vector<bool>& counts, bool numbers)
      : op_(op), counts_(counts), numbers_(numbers) {}

  ir::Lambda run() {
    ir::Lambda result = op_.op;
    result.body.stms.clear();
    for (ir::Stm stm : op_.op.body.stms) {
      substitute(stm, known_);
      const auto value = simplified(stm.exp);
      if (value) {
        known_.emplace(stm.pattern[0].name, *value);
      } else {
        result.body.stms.push_back(std::move(stm));
      }
    }
    return result;
  }

 private:
  static ir::Atom truth(bool value) { return PrimValue::of_bool(value); }

  std::optional<std::size_t> component(const ir::Atom& atom, bool right) const {
    const std::size_t count = op_.neutral.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (atom == ir::Atom(op_.op.params[right ? count + i : i].name)) return i;
    }
    return std::nullopt;
  }

  std::optional<ir::Atom> simplified(const ir::Exp& exp) const {
    if (const auto* cmp = std::get_if<ir::CmpOp>(&exp)) return compared(*cmp);
    const auto* op = std::get_if<ir::BinOp>(&exp);
    if (!op || op->type != PrimType::boolean) return std::nullopt;
    if (const auto* x = literal_in(op->lhs)) return combined(op->kind, x->as_bool(), op->rhs);
    if (const auto* y = literal_in(op->rhs)) return combined(op->kind, y->as_bool(), op->lhs);
    return std::nullopt;
  }

  static std::optional<ir::Atom> combined(ir::BinOpKind kind, bool known, const ir::Atom& other) {
    if (kind == ir::BinOpKind::bit_and) return known ? other : truth(false);
    if (kind == ir::BinOpKind::bit_or) return known ? truth(true) : other;
    return std::nullopt;
  }

  std::optional<ir::Atom> compared(const ir::CmpOp& cmp) const {
    // The index on the right is the larger one.
    const auto later = component(cmp.lhs, true), earlier = component(cmp.rhs, false);
    if (cmp.kind == ir::CmpOpKind::lt && later && later == earlier && counts_[*later])
      return truth(false);
    const bool itself = cmp.lhs == cmp.rhs && component(cmp.lhs, false);
    if (itself && numbers_ && cmp.kind == ir::CmpOpKind::eq) return truth(true);
    if (itself && numbers_ && cmp.kind == ir::CmpOpKind::ne) return truth(false);
    return std::nullopt;
  }

  const ir::Operator& op_;
  const std::vector<bool>& counts_;
  bool numbers_;
  ir::Substitution known_;
};

/// Whether the operator picks its right operand only if that compares as less or greater: then the
/// picked value is no NaN.
bool picks_numbers(const ir::Operator& op, const ir::Lambda& specialised, std::size_t value) {
  const ir::If* choice = facts::choice_in(specialised);
  const ir::Name* condition = choice ? name_in(choice->condition) : nullptr;
  const ir::Atom left = op.op.params[value].name, right = op.op.params[op.neutral.size() + value].name;
  for (const ir::Stm& stm : specialised.body.stms) {
    const auto* cmp = std::get_if<ir::CmpOp>(&stm.exp);
    if (!condition || !cmp || stm.pattern[0].name != *condition) continue;
    return cmp->kind == ir::CmpOpKind::lt &&
           ((cmp->lhs == left && cmp->rhs == right) || (cmp->lhs == right && cmp->rhs == left));
  }
  return false;
}

}  // namespace

ir::Operator in_order(ir::Operator op, const std::vector<bool>& counts) {
  if (!facts::choice_in(op.op)) return op;
  std::vector<bool> indices = counts;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    // The neutral index is less than all.
    const PrimValue* value = literal_in(op.neutral[i]);
    indices[i] = indices[i] && value && value->type == PrimType::i64 && value->as_int() < 0;
  }
  // Of two components, that is: a value and its index.
  for (std::size_t i = 0; i < op.neutral.size() && op.neutral.size() == 2; ++i) {
    if (indices[i] || !facts::is_number(op.neutral[i])) continue;
    const ir::Lambda specialised = Specialiser(op, indices, true).run();
    if (!picks_numbers(op, specialised, i)) continue;
    op.op = specialised;
    return op;
  }
  op.op = Specialiser(op, indices, false).run();
  return op;
}

}  // namespace boustro::plan::planner
