#include "emit/plan/polish/slab_sizes.hpp"

#include "emit/plan/build.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

constexpr std::int64_t enough_sums = 1 << 22, most_slabs = 512, least_size = 64;

/// The other argument of `function` with this number, if the expression is that.
const Expr* beside(const Expr* expr, const char* function, std::int64_t number) {
  const auto* call = expr ? std::get_if<Call>(&expr->head) : nullptr;
  if (!call || call->function != function || expr->args.size() != 2) return nullptr;
  for (const std::size_t i : {0u, 1u})
    if (int_value(expr->args[1 - i]) == number) return &expr->args[i];
  return nullptr;
}

const Expr* as_quotient(const Expr* expr) { return expr && expr->head == Head(Op::div) ? expr : nullptr; }

std::optional<Expr> as_slab_size(const Expr& expr) {
  const Expr* size = as_quotient(beside(&expr, "max", least_size));
  const Expr* slabs = size ? beside(beside(&size->args[1], "max", 1), "min", most_slabs) : nullptr;
  const Expr* filling = as_quotient(slabs);
  if (!filling || int_value(filling->args[0]) != enough_sums) return std::nullopt;
  const Expr* sums = beside(&filling->args[1], "max", 1);
  return sums ? std::optional(runtime::slab_size_for(size->args[0], *sums)) : std::nullopt;
}

void call_in(Expr& expr) {
  if (auto size = as_slab_size(expr)) expr = std::move(*size);
  for (Expr& arg : expr.args) call_in(arg);
}

}  // namespace

void call_slab_sizes(Entry& entry) {
  for (Let& size : entry.scratch.sizes) call_in(*size.value);
  for (Stms* stms : {&entry.prologue, &entry.body})
    for_each_stm(std::span(*stms), [](Stm& stm) { for_each_expr(stm, [](Expr& expr) { call_in(expr); }); });
}

}  // namespace boustro::plan
