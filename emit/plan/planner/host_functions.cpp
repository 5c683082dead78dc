#include "emit/plan/planner/host_functions.hpp"

#include <ranges>
#include <set>
#include <string>

#include "emit/plan/walk.hpp"

namespace boustro::plan::planner {
namespace {

void add_calls(const Expr& expr, std::set<std::string>& called) {
  if (const auto* call = std::get_if<Call>(&expr.head)) called.insert(call->function);
  for (const Expr& arg : expr.args) add_calls(arg, called);
}

void add_calls(const Stms& stms, std::set<std::string>& called) {
  for_each_stm(stms, [&](const Stm& stm) {
    for_each_expr(stm, [&](const Expr& expr) { add_calls(expr, called); });
  });
}

}  // namespace

void mark_host_functions(Program& plan) {
  std::set<std::string> called;
  for (const Entry& entry : plan.entries) {
    add_calls(entry.prologue, called);
    add_calls(entry.body, called);
    for (const RejectIf& reject : entry.rejects) add_calls(reject.condition, called);
    for (const Piece& piece : entry.scratch.pieces) add_calls(piece.count, called);
    for (const Let& size : entry.scratch.sizes)
      if (size.value) add_calls(*size.value, called);
  }
  // Each uses earlier ones only.
  for (Definition& definition : plan.definitions | std::views::reverse) {
    auto* function = std::get_if<Function>(&definition);
    if (!function || !called.contains(function->name)) continue;
    function->host = true;
    add_calls(function->body, called);
  }
}

}  // namespace boustro::plan::planner
