#include "emit/plan/lanes/loops.hpp"

#include <algorithm>
#include <utility>

#include "emit/plan/build.hpp"
#include "emit/plan/lanes/pointers.hpp"
#include "emit/plan/lanes/unique.hpp"
#include "emit/plan/planner/arithmetic.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::lanes {
namespace {

/// Whole variables and elements of arrays are followed; fields of structs are not.
bool is_place(const Expr& target) {
  return std::holds_alternative<Var>(target.head) || std::holds_alternative<Element>(target.head);
}

bool takes_pointers(const Expr& expr) {
  const bool call = std::holds_alternative<Call>(expr.head);
  return std::any_of(expr.args.begin(), expr.args.end(),
                     [&](const Expr& arg) { return (call && arg.type.pointer) || takes_pointers(arg); });
}

bool is_of_known_kind(const Stm& stm) {
  bool known = true;
  for_each_expr(stm, [&](const Expr& expr) { known = known && !takes_pointers(expr); });
  if (!known) return false;
  if (const auto* assign = std::get_if<Assign>(&stm.what)) return is_place(assign->target);
  if (const auto* array = std::get_if<LocalArray>(&stm.what)) return array->values.empty();
  if (const auto* loop = std::get_if<For>(&stm.what)) return !loop->parallel;
  return std::holds_alternative<Let>(stm.what) || std::holds_alternative<If>(stm.what) || std::holds_alternative<Fill>(stm.what) ||
         std::holds_alternative<Copy>(stm.what);
}

Stm over_elements(const Expr& count, const std::string& index, const std::function<Stm(const Expr&)>& element) {
  return For{.name = index, .type = type(PrimType::i64), .from = lit(0), .to = count, .body = {element(var(index, PrimType::i64))}};
}

/// Fills and copies element by element.
void write_out(Stms& stms, const std::string& index) {
  for (Stm& stm : stms) {
    for_each_body(stm, [&](Stms& body) { write_out(body, index); });
    if (const auto* fill = std::get_if<Fill>(&stm.what)) {
      const Fill what = *fill;
      stm.what = over_elements(what.count, index, [&](const Expr& at) {
                   const Expr target = what.pointer[at];
                   return Assign{target, zero_of(target.type)};
                 }).what;
    } else if (const auto* copy = std::get_if<Copy>(&stm.what)) {
      const Copy what = *copy;
      stm.what = over_elements(what.count, index, [&](const Expr& at) { return Assign{what.to[at], what.from[at]}; }).what;
    }
  }
}

std::string pointer_behind(const Expr& pointer) {
  const Expr* at = &pointer;
  while (at->args.size() == 2 && at->head == Head(Op::add)) at = &at->args[0];
  return base_of(*at);
}

bool contains(const Expr& expr, const Expr& part) {
  return expr == part || std::any_of(expr.args.begin(), expr.args.end(), [&](const Expr& arg) { return contains(arg, part); });
}

/// total += x, or total = f(total).
bool continues(const Assign& assign) { return assign.op || contains(assign.value, assign.target); }

std::set<std::string> declared_in(const Stms& stms) {
  std::set<std::string> names;
  for (const Stm& stm : stms)
    if (const auto* let = std::get_if<Let>(&stm.what)) names.insert(let->name);
  return names;
}

}  // namespace

std::optional<For> prepared(For points, const std::set<std::string>& temporaries) {
  bool known = true;
  for_each_stm(std::as_const(points.body), [&](const Stm& stm) { known = known && is_of_known_kind(stm); });
  if (!known) return std::nullopt;
  std::string index = "t";
  while (names_in(points.body).contains(index)) index += "t";
  write_out(points.body, index);
  make_unique(points.body);
  std::set<std::string> arrays = temporaries;
  for_each_stm(std::as_const(points.body), [&](const Stm& stm) {
    if (const auto* array = std::get_if<LocalArray>(&stm.what)) arrays.insert(array->name);
  });
  std::set<std::string> views = arrays;
  const auto of_temporary = [&](const Let& let) {
    const bool view = let.value && views.contains(pointer_behind(*let.value));
    if (view) views.insert(let.name);
    return view;
  };
  if (!without_pointers(points.body, of_temporary)) return std::nullopt;
  const Variation variation(points, temporaries);
  if (!without_pointers(points.body, [&](const Let& let) { return variation.varies(let.name); })) return std::nullopt;
  for (const std::string& array : arrays)
    if (!only_elements(array, points.body)) return std::nullopt;
  // Those that are left are the same for all points, whatever is computed between them.
  const Variation left(points, temporaries);
  bool differ = false;
  for_each_stm(std::as_const(points.body), [&](const Stm& stm) {
    const auto* let = std::get_if<Let>(&stm.what);
    differ = differ || (let && let->type.pointer && left.differs(stm));
  });
  if (differ) return std::nullopt;
  return points;
}

bool has_sums_in_order(const Stms& stms, const Variation& variation) {
  bool result = false;
  for_each_stm(stms, [&](const Stm& stm) {
    const auto* loop = std::get_if<For>(&stm.what);
    if (!loop) return;
    const std::set<std::string> inner = declared_in(loop->body);
    for (const Stm& step : loop->body) {
      const auto* assign = std::get_if<Assign>(&step.what);
      const auto* target = assign ? std::get_if<Var>(&assign->target.head) : nullptr;
      result = result || (target && variation.is_inside(target->name) && variation.varies(target->name) &&
                          !inner.contains(target->name) && continues(*assign) && values::is_float(assign->target.type.prim));
    }
  });
  return result;
}

bool is_independent(const For& points, const Variation& variation, const std::set<std::string>& shared) {
  if (variation.has_varying_loops()) return false;
  bool result = true;
  for_each_stm(points.body, [&](const Stm& stm) {
    const auto* assign = std::get_if<Assign>(&stm.what);
    const bool element = assign && std::holds_alternative<Element>(assign->target.head);
    const bool adds = assign && assign->op == Op::add;
    if (element && !adds) result = result && !shared.contains(base_of(assign->target.args[0]));
    for_each_expr(stm, [&](const Expr& expr) {
      std::set<std::string> names;
      add_names(element && &expr == &assign->target ? expr.args[1] : expr, names);  // they are only added to
      result = result && std::none_of(names.begin(), names.end(), [&](const std::string& name) { return shared.contains(name); });
    });
  });
  return result;
}

bool keeps_order(const ForLanes& points, const Variation& variation) {
  std::set<std::string> running;
  for_each_stm(points.body, [&](const Stm& stm) {
    const auto* assign = std::get_if<Assign>(&stm.what);
    const auto* target = assign ? std::get_if<Var>(&assign->target.head) : nullptr;
    if (target && variation.is_running(target->name)) running.insert(target->name);
  });
  for (const std::string& name : running) {
    int loops = 0;
    for (const Stm& stm : points.body) {
      if (!names_in({stm}).contains(name)) continue;
      const auto* loop = std::get_if<For>(&stm.what);
      loops += loop && loop->name == "lane" ? 1 : 2;
    }
    if (loops != 1) return false;
  }
  return true;
}

}  // namespace boustro::plan::lanes
