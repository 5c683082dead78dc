#include "emit/plan/planner/unused.hpp"

#include <algorithm>

#include "emit/plan/build.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::planner {
namespace {

using Names = std::set<std::string>;

/// Evaluating it does nothing else: it neither checks an index nor calls a function that might.
bool has_no_effect(const Expr& expr) {
  const auto* const call = std::get_if<Call>(&expr.head);
  if (call && (!runtime::is_function(call->function) || runtime::is_check(call->function)))
    return false;
  return std::all_of(expr.args.begin(), expr.args.end(), has_no_effect);
}

bool is_unused(const Stm& stm, const Names& mentioned) {
  if (const auto* const array = std::get_if<LocalArray>(&stm.what)) {
    return !mentioned.contains(array->name) &&
           std::all_of(array->values.begin(), array->values.end(), has_no_effect);
  }
  const auto* const let = std::get_if<Let>(&stm.what);
  return let && !let->changes && let->value && !mentioned.contains(let->name) &&
         has_no_effect(*let->value);
}

/// The statement gives the variable, or an element of the array, a value, and does nothing else.
bool only_sets(const Stm& stm, const std::string& name) {
  const auto* const assign = std::get_if<Assign>(&stm.what);
  if (!assign || !has_no_effect(assign->value)) return false;
  const bool element = std::holds_alternative<Element>(assign->target.head);
  if (!is_variable(element ? assign->target.args[0] : assign->target, name)) return false;
  Names used;
  add_names(assign->value, used);
  for (std::size_t i = 1; element && i < assign->target.args.size(); ++i) {
    if (!has_no_effect(assign->target.args[i])) return false;
    add_names(assign->target.args[i], used);
  }
  return !used.contains(name);
}

bool is_read(const std::string& name, const Stms& stms) {
  bool result = false;
  for_each_stm(stms, [&](const Stm& stm) {
    const auto* const swap = std::get_if<Swap>(&stm.what);
    result = result || (swap && (swap->x == name || swap->y == name));
    if (result || only_sets(stm, name)) return;
    Names used;
    for_each_expr(stm, [&](const Expr& expr) { add_names(expr, used); });
    result = used.contains(name);
  });
  return result;
}

void drop_sets(Stms& stms, const std::string& name) {
  std::erase_if(stms, [&](const Stm& stm) { return only_sets(stm, name); });
  for (Stm& stm : stms)
    for_each_body(stm, [&](Stms& body) { drop_sets(body, name); });
  std::erase_if(stms, [](const Stm& stm) {
    const auto* const loop = std::get_if<For>(&stm.what);
    return loop && loop->body.empty();
  });
}

/// The variable or array that the statement declares, if it does nothing else.
std::string declared_by(const Stm& stm) {
  const auto* const array = std::get_if<LocalArray>(&stm.what);
  if (array) return std::all_of(array->values.begin(), array->values.end(), has_no_effect) ? array->name : "";
  const auto* const let = std::get_if<Let>(&stm.what);
  return let && let->changes && (!let->value || has_no_effect(*let->value)) ? let->name : "";
}

/// A variable or array that is set and never read: it goes, and what sets it.
bool drop_unread(Stms& stms, std::size_t at) {
  const std::string name = declared_by(stms[at]);
  if (name.empty()) return false;
  Stms rest(stms.begin() + static_cast<std::ptrdiff_t>(at) + 1, stms.end());
  if (is_read(name, rest)) return false;
  drop_sets(rest, name);
  stms.resize(at, Stm(Break{}));
  stms.insert(stms.end(), rest.begin(), rest.end());
  return true;
}

void drop_constants(Stms& stms);

/// As long as something goes: what it was computed from may go, too.
void drop_from(Stms& stms) {
  for (bool again = true; again;) {
    drop_constants(stms);
    again = false;
    for (std::size_t i = stms.size(); i-- > 0;) again = drop_unread(stms, i) || again;
  }
}

/// From the last statement to the first, since a constant is visible in those behind it alone:
/// elsewhere another one may have its name.
void drop_constants(Stms& stms) {
  Names mentioned;
  for (std::size_t i = stms.size(); i-- > 0;) {
    if (is_unused(stms[i], mentioned)) {
      stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    for_each_body(stms[i], drop_from);
    mentioned.merge(names_in({stms[i]}));
  }
}

}  // namespace

void drop_unused(Stms& stms) { drop_from(stms); }

void drop_unused(Entry& entry) {
  for_each_code(entry, true, drop_from);
}

}  // namespace boustro::plan::planner
