#include "emit/plan/formula/mirrored.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <utility>

#include "emit/plan/build.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::formula {
namespace {

/// terms[0].second * terms[0].first + ... + constant
struct Sum {
  std::vector<std::pair<Expr, std::int64_t>> terms = {};
  std::int64_t constant = 0;

  void add(const Expr& term, std::int64_t times) {
    const auto known = std::find_if(terms.begin(), terms.end(), [&](const auto& one) { return one.first == term; });
    if (known == terms.end()) terms.emplace_back(term, times);
    else known->second += times;
  }
};

/// Indices have 32 bits where these are enough; other narrow types may be there because they wrap around.
bool can_index(const Type& type) { return is_integer(type) && values::byte_size(type.prim) >= 4; }
bool is_index_cast(const Expr& expr) { return std::holds_alternative<Cast>(expr.head) && can_index(expr.args[0].type) && can_index(expr.type); }

bool is_sum(const Expr& expr) {
  const Op* op = std::get_if<Op>(&expr.head);
  return op && (*op == Op::add || *op == Op::sub) && is_integer(expr.type);
}

void collect(const Expr& expr, std::int64_t times, Sum& sum) {
  if (const auto number = int_value(expr)) {
    sum.constant += times * *number;
  } else if (is_index_cast(expr)) {
    collect(expr.args[0], times, sum);
  } else if (is_sum(expr)) {
    collect(expr.args[0], times, sum);
    collect(expr.args[1], expr.head == Head(Op::add) ? times : -times, sum);
  } else {
    sum.add(expr, times);
  }
}

Sum sum_of(const Expr& expr) {
  Sum sum;
  collect(expr, 1, sum);
  std::erase_if(sum.terms, [](const auto& term) { return term.second == 0; });
  return sum;
}

/// Nothing if a term is there more than once.
std::optional<Expr> expr_of(const Sum& sum) {
  std::optional<Expr> result;
  for (const std::int64_t times : {1, -1})
    for (const auto& [term, count] : sum.terms) {
      if (std::abs(count) != 1) return std::nullopt;
      if (count != times) continue;
      if (result) result = times == 1 ? *result + term : *result - term;
      else result = times == 1 ? term : -term;
    }
  if (!result) return lit(sum.constant);
  if (sum.constant == 0) return result;
  return sum.constant > 0 ? *result + sum.constant : *result - -sum.constant;
}

bool mentions(const Expr& expr, const std::string& name) {
  std::set<std::string> names;
  add_names(expr, names);
  return names.contains(name);
}

std::int64_t times_in(const Sum& sum, const std::string& index) {
  const auto found = std::find_if(sum.terms.begin(), sum.terms.end(), [&](const auto& term) { return is_variable(term.first, index); });
  return found == sum.terms.end() ? 0 : found->second;
}

/// The index is a term of what is added up, and not inside of one.
bool is_minus(const Expr& expr, const std::string& index) {
  const Sum sum = sum_of(expr);
  const auto hides = [&](const auto& term) { return !is_variable(term.first, index) && mentions(term.first, index); };
  return times_in(sum, index) == -1 && std::none_of(sum.terms.begin(), sum.terms.end(), hides);
}

/// Counts indices that mention the variable, and those of them that go backwards.
void count(const Expr& expr, const std::string& index, int& all, int& backwards) {
  for (const Expr& arg : expr.args) count(arg, index, all, backwards);
  if (!std::holds_alternative<Element>(expr.head)) return;
  for (std::size_t i = 1; i < expr.args.size(); ++i) {
    if (!mentions(expr.args[i], index)) continue;
    ++all;
    backwards += is_minus(expr.args[i], index) ? 1 : 0;
  }
}

}  // namespace

bool are_backwards(const std::vector<Expr>& exprs, const std::string& variable) {
  int all = 0, backwards = 0;
  for (const Expr& expr : exprs) count(expr, variable, all, backwards);
  return all > 0 && all == backwards;
}

Expr with_short_sums(const Expr& expr) {
  Expr result = expr;
  if (is_sum(expr)) result = expr_of(sum_of(expr)).value_or(expr);
  for (Expr& arg : result.args) arg = with_short_sums(arg);
  return result;
}

}  // namespace boustro::plan::formula
