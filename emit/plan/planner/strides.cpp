#include "emit/plan/planner/strides.hpp"

#include "emit/plan/build.hpp"
#include "emit/plan/planner/arithmetic.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::planner {
namespace {

bool is(Op op, const Expr& expr) { return expr.head == Head(op) && expr.args.size() == 2; }

/// n, if the expression is (n + size - 1) / size.
const Expr* divided_up(const Expr& expr, const Expr& size) {
  if (!is(Op::div, expr) || expr.args[1] != size) return nullptr;
  const Expr& rounded = expr.args[0];
  if (!is(Op::sub, rounded) || int_value(rounded.args[1]) != 1 || !is(Op::add, rounded.args[0])) return nullptr;
  const Expr& sum = rounded.args[0];
  return sum.args[1] == size ? &sum.args[0] : nullptr;
}

void count_in_stride(For& loop) {
  const Let* const first = loop.body.empty() ? nullptr : std::get_if<Let>(&loop.body[0].what);
  if (!first || first->changes || !first->value || !is(Op::mul, *first->value) || loop.step || loop.down || loop.parallel || !is_zero(loop.from)) return;
  const Expr &number = first->value->args[0], &size = first->value->args[1];
  const Expr* const n = is_variable(number, loop.name) && first->type == loop.type ? divided_up(loop.to, size) : nullptr;
  if (!n || names_in(Stms(loop.body.begin() + 1, loop.body.end())).contains(loop.name)) return;
  loop.step = size;
  loop.to = Expr(*n);
  loop.name = first->name;
  loop.body.erase(loop.body.begin());
  if (!loop.body.empty()) loop.body[0].gap = false;
}

}  // namespace

void count_in_strides(Stms& stms) {
  for (Stm& stm : stms) {
    if (auto* loop = std::get_if<For>(&stm.what)) count_in_stride(*loop);
    for_each_body(stm, [](Stms& body) { count_in_strides(body); });
  }
}

}  // namespace boustro::plan::planner
