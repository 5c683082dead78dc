#include "emit/plan/polish/signs.hpp"

#include <optional>

#include "emit/plan/build.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

bool is_wide_float(const Expr& expr) { return expr.type.prim == PrimType::f32 || expr.type.prim == PrimType::f64; }

/// Nothing if another operation comes first.
std::optional<Expr> negated(const Expr& x) {
  if (const auto* literal = std::get_if<Literal>(&x.head)) return lit_float(-literal->value.as_float(), x.type.prim);
  if (std::holds_alternative<Var>(x.head)) return -x;
  if (!is_op(x, Op::mul) && !is_op(x, Op::div)) return std::nullopt;
  auto first = negated(x.args[0]);
  return first ? std::optional(op(std::get<Op>(x.head), *first, x.args[1])) : std::nullopt;
}

/// What is added may stay a product with a sign: it is printed as what is subtracted.
void give_signs(Expr& expr, bool is_added = false) {
  const bool adds = is_op(expr, Op::add);
  for (Expr& arg : expr.args) give_signs(arg, adds);
  const bool negates = expr.head == Head(Op::neg) && !is_added;
  if (!negates || !is_wide_float(expr) || expr.type.pointer || expr.args[0].args.size() != 2) return;
  if (auto product = negated(expr.args[0])) expr = std::move(*product);
}

void give_signs(Stms& stms) {
  for_each_stm(std::span(stms), [](Stm& stm) {
    const auto* assign = std::get_if<Assign>(&stm.what);
    for_each_expr(stm, [&](Expr& expr) { give_signs(expr, assign && assign->op == Op::add); });
  });
}

}  // namespace

void give_signs_to_first_factors(Entry& entry) {
  for_each_code(entry, true, [](Stms& stms) { give_signs(stms); });
}

}  // namespace boustro::plan
