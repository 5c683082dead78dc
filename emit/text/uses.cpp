#include "emit/text/uses.hpp"

#include <algorithm>

namespace boustro::text {
namespace {

using namespace plan;

void add_optional(const std::optional<Expr>& expr, Names& names) {
  if (expr) add_uses(*expr, names);
}

void add_all(const std::vector<Expr>& list, Names& names) {
  for (const Expr& expr : list) add_uses(expr, names);
}

void add_extents(const Extents& extents, Names& names) {
  add_uses(extents.x, names);
  add_optional(extents.y, names);
}

/// The variable that an assignment changes, as a whole or in part.
std::string variable_of(const Expr& target) {
  if (const auto* var = std::get_if<Var>(&target.head)) return var->name;
  return target.args.empty() ? "" : variable_of(target.args.front());
}

/// What `stm` defines for later statements; empty if it does more than that.
std::string defined_by(const Stm& stm) {
  if (const auto* let = std::get_if<Let>(&stm.what)) return let->name;
  if (const auto* assign = std::get_if<Assign>(&stm.what)) return variable_of(assign->target);
  return "";
}

}  // namespace

void add_uses(const Expr& expr, Names& names) {
  if (const auto* var = std::get_if<Var>(&expr.head)) names.insert(var->name);
  add_all(expr.args, names);
}

void add_uses(const Stm& stm, Names& names) {
  const auto in = [&](const Expr& expr) { add_uses(expr, names); };
  const auto in_body = [&](const Stms& body) { add_uses(body, names); };
  ir::match(
      stm.what, [&](const Let& x) { add_optional(x.value, names); },
      [&](const Assign& x) { in(x.target), in(x.value); }, [&](const Do& x) { in(x.call); },
      [&](const LocalArray& x) { in(x.size); },
      [&](const SharedArray& x) { add_optional(x.size, names); }, [](const Barrier&) {},
      [&](const Atomic& x) { in(x.target), in(x.value); }, [&](const Cooperate& x) { in(x.value); },
      [&](const For& x) { in(x.from), in(x.to), add_optional(x.step, names), in_body(x.body); },
      [&](const While& x) { in(x.condition), in_body(x.body); },
      [&](const If& x) { in(x.condition), in_body(x.then_body), in_body(x.else_body); },
      [&](const Block& x) { in_body(x.body); },
      [&](const Return& x) { add_optional(x.value, names); }, [](const Continue&) {},
      [](const Break&) {}, [&](const Fail& x) { in(x.failure), add_all(x.values, names); },
      [&](const RejectIf& x) { in(x.condition); },
      [&](const Launch& x) {
        add_extents(x.grid, names), add_extents(x.block, names);
        add_optional(x.shared_bytes, names), add_all(x.args, names);
      },
      [&](const Run& x) { add_all(x.args, names); },
      [&](const Fill& x) { in(x.pointer), in(x.count); },
      [&](const Copy& x) { in(x.to), in(x.from), in(x.count); },
      [&](const Read& x) { in(x.pointer); });
}

void add_uses(const Stms& stms, Names& names) {
  for (const Stm& stm : stms) add_uses(stm, names);
}

Names names_in(const Stms& stms) {
  Names names;
  add_uses(stms, names);
  return names;
}

Stms needed_part(const Stms& prologue, Names& names) {
  Stms result;
  for (auto stm = prologue.rbegin(); stm != prologue.rend(); ++stm) {
    const std::string defined = defined_by(*stm);
    if (!defined.empty() && !names.contains(defined)) continue;
    add_uses(*stm, names);
    result.push_back(*stm);
  }
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace boustro::text
