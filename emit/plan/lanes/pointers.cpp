#include "emit/plan/lanes/pointers.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "emit/plan/planner/arithmetic.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::lanes {
namespace {

struct Position {
  Expr base, offset;
};

using Positions = std::map<std::string, Position>;

std::set<std::string> changing_in(const Stms& stms) {
  std::set<std::string> names;
  for_each_stm(stms, [&](const Stm& stm) {
    const auto* let = std::get_if<Let>(&stm.what);
    if (let && (let->changes || !let->value)) names.insert(let->name);
  });
  return names;
}

bool mentions(const Expr& expr, const std::set<std::string>& names) {
  std::set<std::string> used;
  add_names(expr, used);
  return std::any_of(used.begin(), used.end(), [&](const std::string& name) { return names.contains(name); });
}

/// The pointer as a variable or field and what is added to it; nothing if it is something else.
std::optional<Position> position_of(const Expr& pointer, const Positions& known) {
  if (const auto* variable = std::get_if<Var>(&pointer.head)) {
    const auto found = known.find(variable->name);
    return found != known.end() ? found->second : Position{pointer, lit(0)};
  }
  if (std::holds_alternative<Field>(pointer.head)) return Position{pointer, lit(0)};
  const Op* op = std::get_if<Op>(&pointer.head);
  if (!op || *op != Op::add || !pointer.args[0].type.pointer) return std::nullopt;
  auto result = position_of(pointer.args[0], known);
  if (result) result->offset = planner::plus(result->offset, pointer.args[1]);
  return result;
}

bool rewrite(Expr& expr, const Positions& known) {
  if (const auto* variable = std::get_if<Var>(&expr.head)) return !known.contains(variable->name);
  if (!std::holds_alternative<Element>(expr.head))
    return std::all_of(expr.args.begin(), expr.args.end(), [&](Expr& arg) { return rewrite(arg, known); });
  const auto position = position_of(expr.args[0], known);
  if (!position) return rewrite(expr.args[0], known) && rewrite(expr.args[1], known);
  if (!rewrite(expr.args[1], known)) return false;
  const Type elem = expr.type;
  expr = position->base[planner::plus(position->offset, expr.args[1])];
  expr.type = elem;
  return true;
}

bool rewrite(Stms& stms, const WhichPointers& which, const std::set<std::string>& changing, Positions known) {
  bool ok = true;
  std::erase_if(stms, [&](Stm& stm) {
    const auto* let = std::get_if<Let>(&stm.what);
    if (!ok || !let || !let->type.pointer || !which(*let)) return false;
    auto position = let->value && !let->changes ? position_of(*let->value, known) : std::nullopt;
    ok = position && !mentions(position->offset, changing);
    if (ok) known[let->name] = *position;
    return ok;
  });
  if (known.empty()) return ok;
  for (Stm& stm : stms) {
    for_each_expr(stm, [&](Expr& expr) { ok = ok && rewrite(expr, known); });
    for_each_body(stm, [&](Stms& body) { ok = ok && rewrite(body, which, changing, known); });
  }
  return ok;
}

/// How often the variable stands anywhere but before an index.
int other_uses(const std::string& name, const Expr& expr) {
  if (is_variable(expr, name)) return 1;
  const bool element = std::holds_alternative<Element>(expr.head) && is_variable(expr.args[0], name);
  int count = 0;
  for (std::size_t i = element ? 1 : 0; i < expr.args.size(); ++i) count += other_uses(name, expr.args[i]);
  return count;
}

}  // namespace

bool without_pointers(Stms& stms, const WhichPointers& which) {
  return rewrite(stms, which, changing_in(stms), {});
}

bool only_elements(const std::string& pointer, const Stms& stms) {
  int others = 0;
  for_each_stm(stms, [&](const Stm& stm) {
    for_each_expr(stm, [&](const Expr& expr) { others += other_uses(pointer, expr); });
  });
  return others == 0;
}

}  // namespace boustro::plan::lanes
