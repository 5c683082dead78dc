#include "emit/plan/polish/indices.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "emit/plan/build.hpp"
#include "emit/plan/planner/arithmetic.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

/// A number times factors, none of which is a literal.
struct Term {
  std::int64_t number = 1;
  std::vector<Expr> factors;
  int literals = 0;  // that have become the number
  Expr text;         // what it was
};

void add_factors(const Expr& expr, Term& term) {
  if (const auto value = int_value(expr)) {
    term.number *= *value;
    ++term.literals;
  } else if (is_op(expr, Op::mul)) {
    for (const Expr& arg : expr.args) add_factors(arg, term);
  } else {
    term.factors.push_back(expr);
  }
}

void add_terms(const Expr& expr, std::vector<Term>& terms) {
  if (is_op(expr, Op::add) && !expr.type.pointer) {
    for (const Expr& arg : expr.args) add_terms(arg, terms);
    return;
  }
  Term term;
  term.text = expr;
  add_factors(expr, term);
  const auto alike = std::find_if(terms.begin(), terms.end(), [&](const Term& other) {
    return !term.factors.empty() && other.factors == term.factors && other.text.type == term.text.type;
  });
  if (alike == terms.end()) {
    terms.push_back(std::move(term));
  } else {
    alike->number += term.number;
    alike->literals = 2;
  }
}

/// What the last factor of a product is multiplied by before that becomes one of wider integers.
std::int64_t number_in_type(const Expr& expr, const Expr& last) {
  if (!is_op(expr, Op::mul)) return 1;
  if (expr.type == last.type) {
    Term term;
    add_factors(expr, term);
    return term.number;
  }
  return number_in_type(expr.args[1], last);
}

/// The number beside the last factor, as sizes of rows come last: s * (8 * b). If that is of narrower integers, which a larger multiple
/// may not fit into, the number is not: i * (int64_t{4000} * b) for i * 1000 * (4 * b).
Expr text_of(const Term& term) {
  if (term.literals < 2 || term.factors.empty()) return term.text;
  Expr last = term.factors.back();
  const bool fits = last.type == term.text.type || number_in_type(term.text, last) == term.number;
  if (term.number != 1) last = lit(term.number, (fits ? last : term.text).type.prim) * last;
  for (std::size_t i = term.factors.size() - 1; i-- > 0;) last = term.factors[i] * last;
  return last;
}

/// Whether it is a size that another term steps by: b in j * (8 * b) + b + i.
bool is_step(const Term& term, const std::vector<Term>& terms) {
  return term.factors.size() == 1 && std::any_of(terms.begin(), terms.end(), [&](const Term& other) {
           return other.factors.size() > 1 && other.factors.back() == term.factors[0];
         });
}

/// Rows come before places in them, as in an index of an array of several dimensions: those with more factors first. The sum must not
/// become one of narrower integers that an addition of a wider one comes after.
bool put_rows_first(std::vector<Term>& terms, const Type& type) {
  std::vector<Term> sorted = terms;
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Term& a, const Term& b) {
    return std::pair(a.factors.size(), is_step(a, terms)) > std::pair(b.factors.size(), is_step(b, terms));
  });
  const auto same = [](const Term& a, const Term& b) { return a.text == b.text; };
  if (sorted[0].text.type != type || std::equal(sorted.begin(), sorted.end(), terms.begin(), same)) return false;
  terms = std::move(sorted);
  return true;
}

Expr shortened(const Expr& index) {
  std::vector<Term> terms;
  add_terms(index, terms);
  const bool fewer = std::any_of(terms.begin(), terms.end(), [](const Term& term) { return term.literals >= 2 && !term.factors.empty(); });
  if (!put_rows_first(terms, index.type) && !fewer) return index;
  Expr sum = text_of(terms[0]);
  for (std::size_t i = 1; i < terms.size(); ++i) sum = sum + text_of(terms[i]);
  return sum.type == index.type ? sum : index;
}

void polish(Expr& expr) {
  for (Expr& arg : expr.args) polish(arg);
  if (std::holds_alternative<Element>(expr.head)) expr.args[1] = shortened(expr.args[1]);
  if (is_op(expr, Op::add) && expr.type.pointer) expr.args[1] = shortened(expr.args[1]);
}

void replace(Expr& expr, const Expr& value, const Expr& by) {
  if (expr == value) {
    expr = Expr(by);
    return;
  }
  for (Expr& arg : expr.args) replace(arg, value, by);
}

void replace_in_indices(Expr& expr, const Expr& value, const Expr& by) {
  const bool is_place = std::holds_alternative<Element>(expr.head) || (is_op(expr, Op::add) && expr.type.pointer);
  for (std::size_t i = 0; i < expr.args.size(); ++i) is_place && i > 0 ? replace(expr.args[i], value, by) : replace_in_indices(expr.args[i], value, by);
}

/// Strides, which are products, are clearer as what they are.
bool is_sum(const Let& let) {
  return !let.changes && let.value && is_integer(let.type) && let.value->type == let.type && (is_op(*let.value, Op::add) || is_op(*let.value, Op::sub)) &&
         !planner::reads_changing(*let.value);
}

/// What a statement has given a name is called by it.
void use_names(Stms& stms) {
  for (std::size_t at = 0; at < stms.size(); ++at) {
    for_each_body(stms[at], [](Stms& body) { use_names(body); });
    const auto* let = std::get_if<Let>(&stms[at].what);
    if (!let || !is_sum(*let)) continue;
    const Expr value = *let->value, name = var(let->name, let->type);
    const auto behind = std::span(stms).subspan(at + 1);
    std::set<std::string> operands;
    add_names(value, operands);
    if (std::any_of(behind.begin(), behind.end(), [&](const Stm& stm) { return assigns_any(stm, operands); })) continue;
    for_each_stm(behind, [&](Stm& stm) { for_each_expr(stm, [&](Expr& expr) { replace_in_indices(expr, value, name); }); });
  }
}

void polish(Stms& stms) {
  use_names(stms);
  for_each_stm(std::span(stms), [](Stm& stm) { for_each_expr(stm, [](Expr& expr) { polish(expr); }); });
}

void polish(std::vector<Definition>& definitions) {
  for (Definition& definition : definitions) {
    if (auto* function = std::get_if<Function>(&definition)) polish(function->body);
    if (auto* functor = std::get_if<Functor>(&definition)) polish(functor->body);
  }
}

}  // namespace

void polish_indices(Program& plan) {
  polish(plan.definitions);
  for (Entry& entry : plan.entries) {
    polish(entry.definitions);
    for (Kernel& kernel : entry.kernels) polish(kernel.body);
    polish(entry.body);
  }
}

}  // namespace boustro::plan
