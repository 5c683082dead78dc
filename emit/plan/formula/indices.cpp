#include "emit/plan/formula/indices.hpp"

#include <algorithm>
#include <cctype>

#include "emit/plan/build.hpp"

namespace boustro::plan::formula {
namespace {

struct Term {
  bool negative = false;
  std::vector<Expr> factors;
};

const Expr& without_cast(const Expr& expr) {
  const bool widens = std::holds_alternative<Cast>(expr.head) && is_integer(expr.type) &&
                      is_integer(expr.args[0].type);
  return widens ? without_cast(expr.args[0]) : expr;
}

std::optional<Op> binary_operator_of(const Expr& expr) {
  const Op* op = std::get_if<Op>(&expr.head);
  return op && expr.args.size() == 2 ? std::optional(*op) : std::nullopt;
}

void add_factors(const Expr& expr, std::vector<Expr>& factors) {
  const Expr& bare = without_cast(expr);
  if (binary_operator_of(bare) != Op::mul) return factors.push_back(bare);
  add_factors(bare.args[0], factors);
  add_factors(bare.args[1], factors);
}

void add_terms(const Expr& expr, bool negative, std::vector<Term>& terms) {
  const Expr& bare = without_cast(expr);
  const auto op = binary_operator_of(bare);
  if (op == Op::add || op == Op::sub) {
    add_terms(bare.args[0], negative, terms);
    return add_terms(bare.args[1], negative != (op == Op::sub), terms);
  }
  Term term{negative, {}};
  add_factors(bare, term.factors);
  terms.push_back(std::move(term));
}

bool reads_memory(const Expr& expr) {
  return std::holds_alternative<Element>(expr.head) ||
         std::any_of(expr.args.begin(), expr.args.end(), reads_memory);
}

/// A size is a parameter, not what is found in memory: elements here may be without an index, which
/// no text of a plan knows.
bool is_size(const Expr& factor, const std::string& size) {
  return !reads_memory(factor) && to_string(factor) == size;
}

/// Takes the factors of a stride out of the term, if it has them all.
bool take(Term& term, const std::vector<std::string>& stride) {
  std::vector<Expr> rest = term.factors;
  for (const std::string& size : stride) {
    const auto found = std::find_if(rest.begin(), rest.end(),
                                    [&](const Expr& factor) { return is_size(factor, size); });
    if (found == rest.end()) return false;
    rest.erase(found);
  }
  term.factors = std::move(rest);
  return true;
}

Expr value_of(const Term& term) {
  Expr result = term.factors.empty() ? lit(1) : term.factors[0];
  for (std::size_t i = 1; i < term.factors.size(); ++i) result = result * term.factors[i];
  return result;
}

std::optional<Expr> sum(const std::vector<Term>& terms) {
  std::optional<Expr> result;
  for (const Term& term : terms) {
    const Expr value = value_of(term);
    if (!result) {
      result = term.negative ? -value : value;
    } else {
      result = term.negative ? *result - value : *result + value;
    }
  }
  return result;
}

/// Of an extent that is a number.
std::optional<std::int64_t> number_in(const std::string& extent) {
  const bool digits = !extent.empty() && extent.size() < 10 && std::all_of(extent.begin(), extent.end(), [](unsigned char c) { return std::isdigit(c); });
  return digits ? std::optional<std::int64_t>(std::stoll(extent)) : std::nullopt;
}

/// Of an extent that is a number, a stride alone means one, too, and no term at all 0, if that is an index of it.
std::optional<Expr> constant_index(const std::vector<Term>& terms, std::int64_t extent) {
  std::int64_t index = 0;
  for (const Term& term : terms) {
    const auto value = int_value(value_of(term));
    if (!value || term.negative) return std::nullopt;
    index += *value;
  }
  return index >= 0 && index < extent ? std::optional(lit(index)) : std::nullopt;
}

std::optional<Expr> index_of(const std::vector<Term>& terms, const std::string& extent) {
  const auto number = number_in(extent);
  const auto constant = number ? constant_index(terms, *number) : std::nullopt;
  if (constant) return constant;
  // A stride alone may be a row further on, or the end of a row that is counted from behind.
  if (std::any_of(terms.begin(), terms.end(), [](const Term& term) { return term.factors.empty(); })) return std::nullopt;
  return sum(terms);
}

}  // namespace

std::optional<std::vector<Expr>> indices_of(const Expr& flat,
                                            const std::vector<std::string>& shape) {
  if (shape.size() == 1) return std::vector{flat};
  std::vector<Term> terms;
  add_terms(flat, false, terms);
  std::vector<std::vector<Term>> dimensions(shape.size());
  for (Term& term : terms) {
    // The largest stride that divides the term tells the dimension.
    for (std::size_t dim = 0; dim < shape.size(); ++dim) {
      if (!take(term, {shape.begin() + static_cast<std::ptrdiff_t>(dim) + 1, shape.end()}))
        continue;
      dimensions[dim].push_back(std::move(term));
      break;
    }
  }
  // Without a term, a row may be seen flat, unless there is a constant for a dimension further in.
  bool constant_inside = false;
  for (std::size_t dim = shape.size(); dim-- > 0;) {
    if (dimensions[dim].empty() && !constant_inside) return std::nullopt;
    constant_inside = constant_inside || (number_in(shape[dim]) && !dimensions[dim].empty() && constant_index(dimensions[dim], *number_in(shape[dim])));
  }
  std::vector<Expr> indices;
  for (std::size_t dim = 0; dim < shape.size(); ++dim) {
    const auto index = index_of(dimensions[dim], shape[dim]);
    if (!index) return std::nullopt;
    indices.push_back(*index);
  }
  return indices;
}

}  // namespace boustro::plan::formula
