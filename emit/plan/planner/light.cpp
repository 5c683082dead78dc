#include "emit/plan/planner/light.hpp"

#include "emit/plan/build.hpp"
#include "emit/plan/planner/unused.hpp"
#include "emit/plan/walk.hpp"
#include "frontend/values/primitive.hpp"

namespace boustro::plan::planner {
namespace {

constexpr int most_bytes = 32, most_statements = 12;

bool is_simple(const Stm& stm) {
  return std::holds_alternative<Let>(stm.what) || std::holds_alternative<Assign>(stm.what) || std::holds_alternative<If>(stm.what) ||
         std::holds_alternative<Fail>(stm.what) || std::holds_alternative<Return>(stm.what);
}

bool calls_program(const Expr& expr) {
  const auto* call = std::get_if<Call>(&expr.head);
  return (call && !runtime::is_function(call->function)) || std::any_of(expr.args.begin(), expr.args.end(), calls_program);
}

/// Of elements that are read or stored.
int bytes_moved(const Expr& expr) {
  int bytes = std::holds_alternative<Element>(expr.head) ? values::byte_size(expr.type.prim) : 0;
  for (const Expr& arg : expr.args) bytes += bytes_moved(arg);
  return bytes;
}

}  // namespace

bool are_light(const Stms& point) {
  Stms needed = point;
  drop_unused(needed);
  int bytes = 0, statements = 0;
  bool simple = true;
  for_each_stm(needed, [&](const Stm& stm) {
    ++statements;
    simple = simple && is_simple(stm);
    for_each_expr(stm, [&](const Expr& expr) {
      bytes += bytes_moved(expr);
      simple = simple && !calls_program(expr);
    });
  });
  return simple && bytes <= most_bytes && statements <= most_statements;
}

}  // namespace boustro::plan::planner
