#include "emit/plan/polish/halves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "emit/plan/build.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

bool is_derived(const Stm& stm) { return stm.origin.sweep == ir::Sweep::reverse || stm.origin.sweep == ir::Sweep::tangent; }

std::optional<double> number_in(const Expr& expr) {
  const auto* literal = std::get_if<Literal>(&expr.head);
  return literal && values::is_float(expr.type.prim) ? std::optional(literal->value.as_float()) : std::nullopt;
}

/// 2.0 * of
bool is_twice(const Expr& expr, const std::string& of) { return is_op(expr, Op::mul) && number_in(expr.args[0]) == 2.0 && is_variable(expr.args[1], of); }

/// It does not become infinite. Of f16 that is not asked.
bool is_number_of(double number, PrimType type) {
  const double most = type == PrimType::f64 ? std::numeric_limits<double>::max() : type == PrimType::f32 ? std::numeric_limits<float>::max() : 0;
  return std::fabs(number) <= most;
}

/// number * x
Expr multiple(double number, const Expr& x) { return number == 1 ? x : number == -1 ? -x : lit_float(number, x.type.prim) * x; }

/// 0.5 * x * y as x * y, 1.5 * x as 3.0 * x; nothing if no number is its first factor.
std::optional<Expr> doubled(const Expr& product) {
  if (!is_op(product, Op::mul)) return std::nullopt;
  if (const auto number = number_in(product.args[0])) {
    if (!is_number_of(2 * *number, product.type.prim)) return std::nullopt;
    return multiple(2 * *number, product.args[1]);
  }
  auto first = doubled(product.args[0]);
  return first ? std::optional(*first * product.args[1]) : std::nullopt;
}

/// False if there is none.
bool replace_twice(Expr& expr, const std::string& of, const Expr& by) {
  if (is_twice(expr, of)) return expr = by, true;
  return std::any_of(expr.args.begin(), expr.args.end(), [&](Expr& arg) { return replace_twice(arg, of, by); });
}

/// Takes the product out of the next statement's way, if that is all that needs it.
bool double_in_next(const Let& product, Stms& stms, std::size_t next) {
  const auto twice = product.value && !product.changes ? doubled(*product.value) : std::nullopt;
  if (!twice || !is_derived(stms[next])) return false;
  bool is_replaced = false;
  if (uses_of(product.name, stms, next) == 1) for_each_expr(stms[next], [&](Expr& expr) { is_replaced = is_replaced || replace_twice(expr, product.name, *twice); });
  return is_replaced;
}

void double_in(Stms& stms) {
  for (Stm& stm : stms) for_each_body(stm, double_in);
  for (std::size_t i = 0; i + 1 < stms.size();) {
    const auto* let = std::get_if<Let>(&stms[i].what);
    const bool is_done = let && stms[i].above.empty() && stms[i].beside.empty() && double_in_next(*let, stms, i + 1);
    if (is_done) stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(i));
    else ++i;
  }
}

}  // namespace

void double_at_once(Entry& entry) { for_each_code(entry, true, double_in); }

}  // namespace boustro::plan
