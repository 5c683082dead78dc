#include "emit/plan/planner/branch_variables.hpp"

#include <algorithm>

#include "emit/plan/build.hpp"
#include "emit/plan/planner/tidy.hpp"
#include "emit/plan/polish/renamed.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::planner {
namespace {

bool is_addressed(const Expr& expr, const std::string& name) {
  return (expr.head == Head(Op::address) && uses_variable(expr.args[0], name)) ||
         std::any_of(expr.args.begin(), expr.args.end(), [&](const Expr& arg) { return is_addressed(arg, name); });
}

/// Somebody else may see the variable, or what comes next may not be reached.
bool is_shared_or_skipped(const Stm& stm, const std::string& name) {
  bool result = false;
  for_each_stm({stm}, [&](const Stm& inner) {
    for_each_expr(inner, [&](const Expr& expr) { result = result || is_addressed(expr, name); });
    result = result || std::holds_alternative<Continue>(inner.what) || std::holds_alternative<Break>(inner.what) ||
             (std::holds_alternative<Closure>(inner.what) && uses_variable(inner, name));
  });
  return result;
}

/// Whether `value`, once it has been assigned, can be the variable `taker` from there on.
class BranchPath {
 public:
  BranchPath(const std::string& value, const std::string& taker) : value_(value), taker_(taker) {}

  bool allows(const Stm& stm) {
    if (const auto* assign = std::get_if<Assign>(&stm.what); assign && is_variable(assign->target, value_)) {
      if (assign->op || uses_variable(assign->value, value_) || (is_assigned_ && uses_variable(assign->value, taker_))) return false;
      return is_assigned_ = true;
    }
    if (const auto* branch = std::get_if<If>(&stm.what)) return allows(*branch);
    // What a loop assigns, its next step may see.
    if (uses_variable(stm, value_)) return false;
    return !is_assigned_ || !uses_variable(stm, taker_);
  }

 private:
  bool allows(const If& branch) {
    if (uses_variable(branch.condition, value_) || (is_assigned_ && uses_variable(branch.condition, taker_))) return false;
    const bool before = is_assigned_;
    bool any = false;
    for (const Stms* body : {&branch.then_body, &branch.else_body}) {
      is_assigned_ = before;
      if (!std::all_of(body->begin(), body->end(), [&](const Stm& stm) { return allows(stm); })) return false;
      any = any || is_assigned_;
    }
    is_assigned_ = any;
    return true;
  }

  const std::string &value_, &taker_;
  bool is_assigned_ = false;
};

/// The place of `taker = value`.
std::optional<std::size_t> taken_at(const Stms& stms, std::size_t from, const std::string& value) {
  for (std::size_t at = from; at < stms.size(); ++at) {
    const auto* assign = std::get_if<Assign>(&stms[at].what);
    if (assign && !assign->op && is_variable(assign->value, value) && std::holds_alternative<Var>(assign->target.head)) return at;
  }
  return std::nullopt;
}

bool is_self_assignment(const Stm& stm) {
  const auto* assign = std::get_if<Assign>(&stm.what);
  return assign && !assign->op && std::holds_alternative<Var>(assign->target.head) && assign->target == assign->value;
}

bool assign_at_once(Stms& stms, std::size_t at) {
  const auto* let = std::get_if<Let>(&stms[at].what);
  if (!let || let->value || let->type.pointer) return false;
  const std::string value = let->name;
  const auto end = taken_at(stms, at + 1, value);
  if (!end) return false;
  const Expr& target = std::get<Assign>(stms[*end].what).target;
  if (target.type != let->type) return false;  // the value is converted
  const std::string taker = std::get<Var>(target.head).name;
  const auto first = stms.begin() + static_cast<std::ptrdiff_t>(at) + 1, last = stms.begin() + static_cast<std::ptrdiff_t>(*end);
  const auto is_free = [&](const Stm& stm) { return !is_shared_or_skipped(stm, value) && !is_shared_or_skipped(stm, taker); };
  BranchPath path(value, taker);
  if (taker == value || !std::all_of(first, last, is_free) || !std::all_of(first, last, [&](const Stm& stm) { return path.allows(stm); })) return false;
  if (std::any_of(last + 1, stms.end(), [&](const Stm& stm) { return uses_variable(stm, value); })) return false;
  Stms between(std::make_move_iterator(first), std::make_move_iterator(last));
  for_each_stm(std::span(between), [&](Stm& stm) { for_each_expr(stm, [&](Expr& expr) { rename_variables(expr, {{value, taker}}); }); });
  if (!between.empty()) between.front().gap = between.front().gap || stms[at].gap;
  drop_statements(between, is_self_assignment);
  Stms rest(std::make_move_iterator(last + 1), std::make_move_iterator(stms.end()));
  stms.resize(at, Stm(Break{}));
  std::move(between.begin(), between.end(), std::back_inserter(stms));
  std::move(rest.begin(), rest.end(), std::back_inserter(stms));
  return true;
}

}  // namespace

void assign_in_branches(Stms& stms) {
  for (std::size_t at = 0; at < stms.size();)
    if (!assign_at_once(stms, at)) ++at;
  for (Stm& stm : stms) for_each_body(stm, [](Stms& body) { assign_in_branches(body); });
}

void assign_in_branches(Entry& entry) {
  for_each_code(entry, true, [](Stms& stms) { assign_in_branches(stms); });
}

}  // namespace boustro::plan::planner
