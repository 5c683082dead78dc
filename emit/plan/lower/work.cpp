#include "emit/plan/lower/work.hpp"

#include <algorithm>

#include "transform/facts/work.hpp"

namespace boustro::plan::planner {
namespace {

using Product = facts::Polynomial::Product;

/// A loop of more steps than this is enough work in any case; so products of such numbers do not overflow.
constexpr std::int64_t max_steps = 1 << 16;
/// How many are reckoned with where only the points know their number.
constexpr std::int64_t unknown_steps = 64;

Scalar combined(const Scalar& x, const Scalar& y, Expr (*op)(const Expr&, const Expr&)) {
  Scalar result{op(x.expr, y.expr)};
  result.exact = x.exact && y.exact;
  if (x.upper && y.upper) result.upper = op(*x.upper, *y.upper);
  return result;
}

bool is_known(Code& code, const ir::Name& name) {
  return code.knows(name) && std::holds_alternative<Scalar>(code.value_of(name));
}

Scalar factor(Code& code, const ir::Name& name) {
  Scalar scalar = code.scalar(name);
  scalar.expr = wide(scalar.expr);
  if (not_negative(scalar.range)) return scalar;
  return {runtime::min(scalar.expr, lit(max_steps)), std::nullopt, std::nullopt, scalar.exact};
}

/// Sizes that are at least as large as those that a point computes: the other operand of a minimum, or the extent of an index that one was
/// added to.
class Bounds {
 public:
  explicit Bounds(const ir::Nest& nest) { add(nest); }

  ir::Name of(const ir::Name& name) const {
    const auto found = bounds_.find(name);
    return found == bounds_.end() ? name : of(found->second);
  }

 private:
  void add(const ir::Nest& nest) {
    for (std::size_t d = 0; d < nest.space.size(); ++d)
      note(nest.point.params[nest.accumulators.size() + d].name, nest.space[d]);
    add(nest.point.body);
  }

  void add(const ir::Body& body) {
    for (const ir::Stm& stm : body.stms) {
      if (const auto* op = std::get_if<ir::BinOp>(&stm.exp)) {
        const bool next = op->kind == ir::BinOpKind::add && op->rhs == ir::int_atom(1);
        if (op->kind == ir::BinOpKind::min) note(stm.pattern[0].name, op->rhs);
        if (next) note(stm.pattern[0].name, op->lhs);
      }
      if (const auto* nest = std::get_if<ir::Nest>(&stm.exp)) add(*nest);
      else ir::for_each_body(stm.exp, [&](const ir::Body& inner) { add(inner); });
    }
  }

  void note(const ir::Name& name, const ir::Atom& bound) {
    if (const ir::Name* size = ir::name_in(bound)) bounds_.insert_or_assign(name, *size);
  }

  std::unordered_map<ir::Name, ir::Name> bounds_;
};

/// Every factor of x is one of y.
bool divides(const Product& x, const Product& y) {
  return std::includes(y.begin(), y.end(), x.begin(), x.end());
}

}  // namespace

Scalar product(const Scalar& x, const Scalar& y) { return combined(x, y, times); }
Scalar sum(const Scalar& x, const Scalar& y) { return combined(x, y, plus); }

Expr wide(const Expr& expr) {
  return int_value(expr) ? lit(*int_value(expr)) : cast(PrimType::i64, expr);
}

Scalar elements(const std::vector<Scalar>& extents) {
  Scalar count = extents.at(0);
  count.expr = wide(count.expr);
  for (std::size_t i = 1; i < extents.size(); ++i) count = product(count, extents[i]);
  return count;
}

Scalar work_of_point(Code& code, const ir::Nest& nest) {
  const facts::Callees callees(code.context().core);
  ir::Nest one = nest;
  one.space[0] = ir::int_atom(1);
  const Bounds bounds(nest);
  std::map<Product, std::int64_t> terms;
  const facts::Polynomial all = facts::Works(callees).of(ir::Stm{{}, one, {}, {}});
  for (const auto& [factors, coefficient] : all.terms()) {
    Product known;
    std::int64_t times = coefficient;
    for (const ir::Name& factor : factors) {
      const ir::Name name = is_known(code, factor) ? factor : bounds.of(factor);
      if (is_known(code, name))
        known.push_back(name);
      else
        times *= unknown_steps;
    }
    std::sort(known.begin(), known.end());
    terms[known] += times;
  }

  std::optional<Scalar> work;
  for (const auto& [factors, coefficient] : terms) {
    const bool grows_most =
        std::none_of(terms.begin(), terms.end(), [&, &factors = factors](const auto& other) {
          return other.first != factors && divides(factors, other.first);
        });
    if (!grows_most) continue;
    Scalar term = size_literal(coefficient);
    for (const ir::Name& name : factors) term = product(term, factor(code, name));
    work = work ? sum(*work, term) : term;
  }
  return work.value_or(size_literal(1));
}

}  // namespace boustro::plan::planner
