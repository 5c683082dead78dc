#include "emit/plan/planner/branch_results.hpp"

#include <algorithm>

#include "emit/plan/planner/code.hpp"
#include "emit/plan/planner/repeated_rows.hpp"

namespace boustro::plan::planner {
namespace {

struct Maker {
  const ir::Stm* stm = nullptr;
  std::size_t place = 0;
};

Maker maker_of(const ir::Body& body, const ir::Name& name) {
  for (const ir::Stm& stm : body.stms)
    for (std::size_t i = 0; i < stm.pattern.size(); ++i)
      if (stm.pattern[i].name == name) return {&stm, i};
  return {};
}

/// It computes an array, in memory that is chosen for it.
bool computes(const Maker& made) {
  const ir::Exp& exp = made.stm->exp;
  const bool kind = std::holds_alternative<ir::Nest>(exp) || std::holds_alternative<ir::If>(exp);
  return kind && !updated_in_place(exp, made.place);
}

/// The array and what it is a view of that has the same elements in the same order, the maker last.
std::vector<ir::Name> versions(const ir::Body& body, ir::Name name) {
  std::vector<ir::Name> result{name};
  for (;;) {
    const Maker made = maker_of(body, result.back());
    const auto* reshape = made.stm ? std::get_if<ir::Reshape>(&made.stm->exp) : nullptr;
    if (!reshape) return result;
    result.push_back(reshape->array);
  }
}

/// Nobody but the branch uses them, and they use each other.
bool are_used_by(const ir::Stm& branch, const std::vector<ir::Name>& names, const ir::Body& body) {
  const auto is_one = [&](const ir::Name& name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  const bool is_result = std::any_of(body.result.begin(), body.result.end(), [&](const ir::Atom& atom) {
    const ir::Name* name = ir::name_in(atom);
    return name && is_one(*name);
  });
  return !is_result && std::all_of(body.stms.begin(), body.stms.end(), [&](const ir::Stm& stm) {
    if (&stm == &branch || is_one(stm.pattern.empty() ? ir::Name() : stm.pattern[0].name)) return true;
    const ir::NameSet used = ir::free_names(stm);
    return std::none_of(names.begin(), names.end(), [&](const ir::Name& name) { return used.contains(name); });
  });
}

}  // namespace

BranchResults branch_results(const ir::Body& body, std::size_t result, const facts::Callees& callees) {
  const ir::Name* whole = ir::name_in(body.result[result]);
  const Maker made = whole ? maker_of(body, *whole) : Maker();
  const auto* branch = made.stm ? std::get_if<ir::If>(&made.stm->exp) : nullptr;
  const ir::Name* condition = branch ? ir::name_in(branch->condition) : nullptr;
  if (!condition) return {};
  const ir::Name* yes = ir::name_in(branch->then_body.result[made.place]);
  const ir::Name* no = ir::name_in(branch->else_body.result[made.place]);
  if (!yes || !no) return {};
  const bool on_true = maker_of(body, *yes).stm != nullptr, on_false = maker_of(body, *no).stm != nullptr;
  if (on_true == on_false) return {};
  const ir::Name& array = on_true ? *yes : *no;
  const std::vector<ir::Name> names = versions(body, array);
  const Maker first = maker_of(body, names.back());
  const bool found = first.stm && computes(first) && are_used_by(*made.stm, names, body);
  if (!found || planned_aliases(body.stms, callees).is_consumed(names.back())) return {};
  const Maker decides = maker_of(body, *condition);
  const bool computed = decides.stm && ir::is_scalar_operation(decides.stm->exp) && !ir::may_fail(decides.stm->exp);
  return {{names.back(), BranchResult{*whole, *condition, computed ? std::optional(decides.stm->exp) : std::nullopt, on_true, array, {}}}};
}

// ---- Their places

std::optional<Expr> Code::known_condition(const BranchResult& branch) {
  if (knows(branch.condition)) return value(branch.condition);
  bool known = branch.computed.has_value();
  if (known)
    ir::for_each_atom(*branch.computed, [&](const ir::Atom& atom) { known = known && (!ir::name_in(atom) || knows(*ir::name_in(atom))); });
  return known ? std::optional(scalar_exp(*branch.computed).expr) : std::nullopt;
}

/// The sizes must be known, of which there is room for the result then: it has as many elements.
void Code::claim_branch_result(const ir::Stm& stm) {
  for (const ir::Param& param : stm.pattern) {
    const auto found = branch_results_.find(param.name);
    if (found == branch_results_.end() || destinations_.contains(param.name)) continue;
    const BranchResult& branch = found->second;
    const auto whole = destinations_.find(branch.whole);
    if (whole == destinations_.end() || coerced_.contains(branch.whole)) continue;
    const auto sizes = known_sizes(param.type.shape);
    if (!sizes || (!whole->second.late && !is_dense(whole->second))) continue;
    const auto condition = known_condition(branch);
    if (!condition) continue;
    const View there = settled(whole->second, *sizes), apart = temporary(param.name.base, param.type.elem, *sizes);
    const auto begin = [](const View& array) { return plus(array.memory()->base, array.memory()->offset); };
    const Type pointer = pointer_to(param.type.elem);
    const std::string name = identifiers_.fresh(param.name.base);
    const Expr taken = branch.on_true ? *condition : !*condition;
    emit(Let{.name = name, .type = pointer, .value = chosen(taken, begin(there), begin(apart))});
    destinations_.emplace(param.name, dense_view(var(name, pointer), param.type.elem, *sizes));
    made_in_place_.emplace(branch.whole, branch).first->second.pointer = name;
  }
}

/// Some makers have memory of their own, as sums of rows by parts do.
bool Code::is_where_claimed(const BranchResult& branch) {
  const View made = view(branch.array);
  return made.memory() && is_variable(made.memory()->base, branch.pointer);
}

}  // namespace boustro::plan::planner
