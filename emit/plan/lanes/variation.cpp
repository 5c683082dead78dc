#include "emit/plan/lanes/variation.hpp"

#include <algorithm>
#include <utility>

#include "emit/plan/walk.hpp"

namespace boustro::plan::lanes {

std::string base_of(const Expr& expr) {
  const auto* variable = std::get_if<Var>(&expr.head);
  return variable ? variable->name : "";
}

Variation::Variation(const For& points, std::set<std::string> temporaries)
    : temporaries_(std::move(temporaries)) {
  declare(points.body);
  for_each_stm(points.body, [&](const Stm& stm) {
    const auto* assign = std::get_if<Assign>(&stm.what);
    const std::string target = assign ? base_of(assign->target) : "";
    if (!target.empty() && !inside_.contains(target)) running_.insert(target);
  });
  varying_.insert(points.name);
  varying_.insert(running_.begin(), running_.end());  // each point finds what the one before has left
  do {
    changed_ = false;
    visit(points.body, false);
  } while (changed_);
}

void Variation::declare(const Stms& stms) {
  for_each_stm(stms, [&](const Stm& stm) {
    if (const auto* let = std::get_if<Let>(&stm.what)) inside_.insert(let->name);
    if (const auto* loop = std::get_if<For>(&stm.what)) inside_.insert(loop->name);
    if (const auto* array = std::get_if<LocalArray>(&stm.what)) {
      inside_.insert(array->name);
      temporaries_.insert(array->name);
    }
  });
}

bool Variation::varies(const Expr& expr) const {
  if (const auto* variable = std::get_if<Var>(&expr.head)) return varies(variable->name);
  return std::any_of(expr.args.begin(), expr.args.end(), [&](const Expr& arg) { return varies(arg); });
}

void Variation::vary(const std::string& name) { changed_ = varying_.insert(name).second || changed_; }

void Variation::visit(const Stms& stms, bool guarded) {
  for (const Stm& stm : stms) {
    if (const auto* let = std::get_if<Let>(&stm.what)) {
      if (guarded || (let->value && varies(*let->value))) vary(let->name);
    } else if (const auto* assign = std::get_if<Assign>(&stm.what)) {
      const bool element = std::holds_alternative<Element>(assign->target.head);
      const std::string base = base_of(element ? assign->target.args[0] : assign->target);
      const bool own = element ? is_temporary(base) : is_inside(base);
      if (own && (guarded || varies(assign->value) || varies(assign->target))) vary(base);
    } else if (const auto* loop = std::get_if<For>(&stm.what)) {
      varying_loops_ = varying_loops_ || varies(loop->from) || varies(loop->to) || (loop->step && varies(*loop->step));
      visit(loop->body, guarded);
    } else if (const auto* branch = std::get_if<If>(&stm.what)) {
      const bool differs = guarded || varies(branch->condition);
      visit(branch->then_body, differs);
      visit(branch->else_body, differs);
    }
  }
}

bool Variation::has_effect(const Stm& stm) const {
  bool result = false;
  for_each_stm({stm}, [&](const Stm& inner) {
    if (const auto* assign = std::get_if<Assign>(&inner.what)) {
      const bool element = std::holds_alternative<Element>(assign->target.head);
      const std::string base = base_of(element ? assign->target.args[0] : assign->target);
      result = result || !(element ? is_temporary(base) : is_inside(base));
    }
    for_each_expr(inner, [&](const Expr& expr) {
      std::set<std::string> names;
      add_names(expr, names);
      result = result || std::any_of(names.begin(), names.end(), [&](const std::string& name) { return running_.contains(name); });
    });
  });
  return result;
}

bool Variation::differs(const Stm& stm) const {
  if (has_effect(stm)) return true;
  bool result = false;
  for_each_stm({stm}, [&](const Stm& inner) {
    if (const auto* let = std::get_if<Let>(&inner.what)) result = result || varies(let->name);
    if (const auto* array = std::get_if<LocalArray>(&inner.what)) result = result || varies(array->name);
    for_each_expr(inner, [&](const Expr& expr) { result = result || varies(expr); });
  });
  return result;
}

}  // namespace boustro::plan::lanes
