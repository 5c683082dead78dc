#include "emit/plan/planner/apart.hpp"

#include <algorithm>
#include <optional>

#include "emit/plan/build.hpp"
#include "emit/plan/walk.hpp"
#include "transform/facts/polynomial.hpp"

namespace boustro::plan::planner {
namespace {

using facts::Polynomial;

/// As a wider signed integer, or the same.
bool keeps_value(const Expr& cast) {
  const PrimType from = cast.args[0].type.prim, to = cast.type.prim;
  return is_integer(cast.args[0].type) && values::is_signed(to) && (from == to || values::byte_size(from) < values::byte_size(to));
}

/// Of what is computed without wrapping around: signed arithmetic.
std::optional<Polynomial> polynomial_of(const Expr& index) {
  if (!is_integer(index.type) || (!index.args.empty() && !values::is_signed(index.type.prim))) return std::nullopt;
  if (const auto value = int_value(index)) return Polynomial(*value);
  if (const auto* variable = std::get_if<Var>(&index.head)) return Polynomial(ir::Name{variable->name});
  if (std::holds_alternative<Cast>(index.head)) return keeps_value(index) ? polynomial_of(index.args[0]) : std::nullopt;
  if (!is_op(index, Op::add) && !is_op(index, Op::sub) && !is_op(index, Op::mul)) return std::nullopt;
  const auto x = polynomial_of(index.args[0]), y = polynomial_of(index.args[1]);
  if (!x || !y) return std::nullopt;
  return is_op(index, Op::add) ? *x + *y : is_op(index, Op::sub) ? *x - *y : *x * *y;
}

/// Which the planner lets no launch have more of than an `int` holds, where it counts them by one.
bool counts_threads(const Expr& expr) {
  if (std::holds_alternative<Position>(expr.head)) return true;
  return (is_op(expr, Op::add) || is_op(expr, Op::mul)) && std::all_of(expr.args.begin(), expr.args.end(), counts_threads);
}

}  // namespace

bool Signs::is_not_negative(const Expr& expr) const {
  if (!is_integer(expr.type)) return false;
  if (const auto value = int_value(expr)) return *value >= 0;
  if (std::holds_alternative<Position>(expr.head)) return true;
  if (const auto* variable = std::get_if<Var>(&expr.head)) return not_negative.contains(variable->name) || expr == runtime::block_size();
  if (std::holds_alternative<Cast>(expr.head) && !keeps_value(expr)) return counts_threads(expr.args[0]);
  const bool keeps_sign = std::holds_alternative<Cast>(expr.head) || is_op(expr, Op::add) || is_op(expr, Op::mul);
  return keeps_sign && std::all_of(expr.args.begin(), expr.args.end(), [&](const Expr& arg) { return is_not_negative(arg); });
}

void Signs::learn(const Stm& stm) {
  const auto* let = std::get_if<Let>(&stm.what);
  if (let && !let->changes && let->value && is_not_negative(*let->value)) not_negative.insert(let->name);
}

Signs Signs::inside(const Stm& stm) const {
  Signs result = *this;
  const auto* loop = std::get_if<For>(&stm.what);
  if (!loop || loop->down || !is_not_negative(loop->from)) return result;
  result.not_negative.insert(loop->name);
  const auto* end = std::get_if<Var>(&loop->to.head);
  if (end && !assigns_any(stm, {end->name})) {
    result.not_negative.insert(end->name);
    result.positive.insert(end->name);
  }
  return result;
}

bool are_apart(const Expr& x, const Expr& y, const Signs& signs) {
  const auto first = polynomial_of(x), second = polynomial_of(y);
  if (!first || !second) return false;
  const Polynomial difference = *first - *second;
  bool any = false, added = false, subtracted = false;
  for (const auto& [product, coefficient] : difference.terms()) {
    const auto all_in = [&](const std::set<std::string>& names) {
      return std::all_of(product.begin(), product.end(), [&](const ir::Name& name) { return names.contains(name.base); });
    };
    if (!all_in(signs.not_negative)) return false;
    any = any || all_in(signs.positive);
    (coefficient < 0 ? subtracted : added) = true;
  }
  return any && added != subtracted;
}

}  // namespace boustro::plan::planner
