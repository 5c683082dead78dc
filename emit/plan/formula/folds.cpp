#include "emit/plan/formula/folds.hpp"

#include <algorithm>
#include <cmath>

#include "emit/plan/build.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::formula {
namespace {

/// min or max for a literal that is its neutral element.
bool is_infinity(const Expr& expr, bool positive) {
  const auto* literal = std::get_if<Literal>(&expr.head);
  if (!literal || !values::is_float(literal->value.type)) return false;
  const double value = literal->value.as_float();
  return std::isinf(value) && (value > 0) == positive;
}

bool is_number(const Expr& expr, double number) {
  const auto* literal = std::get_if<Literal>(&expr.head);
  if (!literal) return false;
  if (values::is_float(literal->value.type)) return literal->value.as_float() == number;
  return int_value(expr) == static_cast<std::int64_t>(number);
}

class Folder {
 public:
  explicit Folder(const Carried& carried) : c_(carried) {}

  std::optional<Expr> run() {
    const Expr& end = c_.end.at(c_.name);
    if (is_self(end)) return c_.start.at(c_.name);
    if (is_unknown(c_.start.at(c_.name), c_.definitions)) return std::nullopt;
    if (const auto result = sum(end)) return result;
    if (const auto result = product(end)) return result;
    if (const auto result = extremum(end)) return result;
    return winner(end);
  }

 private:
  const Expr& root(const Expr& expr) const { return resolved(expr, c_.definitions); }

  static bool is(const Expr& expr, const std::string& name) {
    const Var* var = std::get_if<Var>(&expr.head);
    return var && var->name == "@" + name;
  }
  bool is_self(const Expr& expr) const { return is(root(expr), c_.name); }
  bool is_known(const Expr& expr) const { return !is_unknown(expr, c_.definitions); }

  Expr folded(const std::string& function, const Expr& term, const Type& type) const {
    return call(function, type, {c_.index, c_.bound, term});
  }
  const Expr& start() const { return c_.start.at(c_.name); }

  // ---- Sums and products -----------------------------------------------------------------------

  /// The terms that are added to the variable's old value; false if that is not among them once.
  bool terms(const Expr& expr, bool negative, std::optional<Expr>& rest, int& selves) const {
    if (is_self(expr)) {
      ++selves;
      return !negative;
    }
    // Only terms that contain the variable are taken apart.
    if (is_known(expr)) {
      const Expr& term = expr;
      rest = rest ? Expr{negative ? Op::sub : Op::add, {*rest, term}, term.type}
                  : (negative ? Expr{Op::neg, {term}, term.type} : term);
      return true;
    }
    const Expr& whole = root(expr);
    const auto op = operator_of(whole);
    if (whole.args.size() != 2 || (op != Op::add && op != Op::sub)) return false;
    return terms(whole.args[0], negative, rest, selves) &&
           terms(whole.args[1], negative != (op == Op::sub), rest, selves);
  }

  std::optional<Expr> sum(const Expr& end) const {
    std::optional<Expr> rest;
    int selves = 0;
    if (!terms(end, false, rest, selves) || selves != 1 || !rest) return std::nullopt;
    const Expr total = folded("%sum", *rest, end.type);
    return is_number(start(), 0) ? total : Expr{Op::add, {start(), total}, end.type};
  }

  std::optional<Expr> product(const Expr& end) const {
    const Expr& whole = root(end);
    if (operator_of(whole) != Op::mul) return std::nullopt;
    const bool first = is_self(whole.args[0]);
    if (!first && !is_self(whole.args[1])) return std::nullopt;
    const Expr& factor = whole.args[first ? 1 : 0];
    if (!is_known(factor)) return std::nullopt;
    const Expr total = folded("%product", factor, end.type);
    return is_number(start(), 1) ? total : Expr{Op::mul, {start(), total}, end.type};
  }

  // ---- Least and largest -----------------------------------------------------------------------

  std::optional<Expr> extremum(const Expr& end) const {
    const Expr& whole = root(end);
    if (const auto kind = extremum_of(whole)) {
      const bool first = is_self(whole.args[0]);
      if (!first && !is_self(whole.args[1])) return std::nullopt;
      return extreme(*kind == ir::BinOpKind::min, whole.args[first ? 1 : 0]);
    }
    const auto choice = choice_of(c_.name);
    return choice ? extreme(choice->least, choice->term) : std::nullopt;
  }

  std::optional<Expr> extreme(bool least, const Expr& term) const {
    if (!is_known(term)) return std::nullopt;
    const std::string function = least ? "min" : "max";
    const Expr result = folded("%" + function, term, term.type);
    if (is_infinity(start(), least)) return result;
    return call(function, term.type, {start(), result});
  }

  struct Choice {
    Expr condition;
    bool least;
    Expr term;
  };

  /// term < old ? term : old, or with >.
  std::optional<Choice> choice_of(const std::string& name) const {
    const Expr& whole = root(c_.end.at(name));
    if (operator_of(whole) != Op::select || !is(root(whole.args[2]), name)) return std::nullopt;
    const Expr& test = root(whole.args[0]);
    const auto op = operator_of(test);
    if (op != Op::lt && op != Op::gt) return std::nullopt;
    const bool old_second = is(root(test.args[1]), name);
    if (!old_second && !is(root(test.args[0]), name)) return std::nullopt;
    const Expr& term = test.args[old_second ? 0 : 1];
    if (!(root(term) == root(whole.args[1]))) return std::nullopt;
    return Choice{whole.args[0], (op == Op::lt) == old_second, term};
  }

  /// The index at which another variable found its least or largest term.
  std::optional<Expr> winner(const Expr& end) const {
    const Expr& whole = root(end);
    if (operator_of(whole) != Op::select || !is(root(whole.args[2]), c_.name)) return std::nullopt;
    const Expr* index = &root(whole.args[1]);
    while (std::holds_alternative<Cast>(index->head)) index = &root(index->args[0]);
    const Var* var = std::get_if<Var>(&index->head);
    if (!var || var->name != std::get<Var>(c_.index.head).name) return std::nullopt;
    if (!is_number(start(), -1)) return std::nullopt;
    for (const auto& [name, value] : c_.end) {
      if (!c_.start.contains(name)) continue;
      const auto choice = choice_of(name);
      if (!choice || !(choice->condition == whole.args[0]) || !is_known(choice->term)) continue;
      if (!is_infinity(c_.start.at(name), choice->least)) continue;
      return folded(choice->least ? "%argmin" : "%argmax", choice->term, end.type);
    }
    return std::nullopt;
  }

  const Carried& c_;
};

}  // namespace

std::optional<Expr> fold(const Carried& carried) { return Folder(carried).run(); }

}  // namespace boustro::plan::formula
