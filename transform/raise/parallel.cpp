// Parallel operators and accumulators.
#include <algorithm>
#include <utility>

#include "transform/ir/traversal.hpp"
#include "transform/raise/raiser.hpp"

namespace boustro::raise {

using namespace ir;

namespace {

/// The function of a prelude's module that negates, for \x -> -x.
std::optional<ast::Exp> negation(const Lambda& fn) {
  if (fn.params.size() != 1 || fn.body.stms.size() != 1) return std::nullopt;
  const Stm& only = fn.body.stms[0];
  const auto* op = std::get_if<UnOp>(&only.exp);
  const bool negates = op && op->kind == UnOpKind::neg && op->operand == Atom(fn.params[0].name);
  if (!negates || fn.body.result != std::vector<Atom>{only.pattern.at(0).name}) return std::nullopt;
  return member(values::name_of(op->type), "neg");
}

}  // namespace

ast::Exp Raiser::over_numbers(ast::Exp width, ast::Exp fn) const {
  if (is_prelude("tabulate")) return applied("tabulate", {std::move(width), std::move(fn)});
  return applied("map", {std::move(fn), applied("iota", {std::move(width)})});
}

/// map2 f xs ys. Over the numbers of an iota it is a tabulate; more than five arrays are zipped.
ast::Exp Raiser::mapped(const Map& e, const std::vector<Param>& pattern) {
  std::vector<Name> like;
  for (const Param& p : pattern) like.push_back(p.name);
  const std::size_t n = e.arrays.size();
  if (n == 0) return over_numbers(count(e.width), lambda(e.fn, {wildcard()}, like));
  const Stm* made = n == 1 ? definition_of(e.arrays[0]) : nullptr;
  if (made && std::holds_alternative<Iota>(made->exp)) return over_numbers(count(e.width), lambda(e.fn, params(e.fn.params, 0, 1), like));
  if (n > 5) return applied("map", {lambda(e.fn, {nested_tuple(params(e.fn.params, 0, n))}, like), zipped(arrays(e.arrays))});
  std::vector<ast::Exp> args;
  auto negate = negation(e.fn);
  args.push_back(negate ? std::move(*negate) : as_binop(e.fn) ? operator_exp(e.fn, like) : lambda(e.fn, params(e.fn.params, 0, n), like));
  for (ast::Exp& array : arrays(e.arrays)) args.push_back(std::move(array));
  return applied(n == 1 ? "map" : "map" + std::to_string(n), std::move(args));
}

/// reduce op ne (zip xs ys)
ast::Exp Raiser::folded(std::string_view function, const Lambda& op, const std::vector<Atom>& neutral,
                        const std::vector<Name>& arrays) {
  std::vector<ast::Exp> start;
  for (std::size_t i = 0; i < neutral.size(); ++i) start.push_back(operand(neutral[i], arrays.at(i)));
  return applied(function, {operator_exp(op, arrays), nested_tuple(std::move(start)), zipped(this->arrays(arrays))});
}

/// core.with_add xs (\xs_acc -> .. in core.finish xs_acc); several are nested directly.
ast::Exp Raiser::with_accumulators(const WithAcc& e, const std::vector<Param>& pattern) {
  std::vector<Name> like;
  for (const Param& p : pattern) like.push_back(p.name);
  std::vector<ast::Exp> yielded = results(e.fn.body, like, {});
  for (std::size_t i = 0; i < e.inputs.size(); ++i) yielded.at(i) = applied(core("finish"), {std::move(yielded.at(i))});
  ast::Exp body = scope(e.fn.body, flat_tuple(std::move(yielded)));
  for (std::size_t i = e.inputs.size(); i-- > 0;) {
    const AccumulatorInput& input = e.inputs[i];
    std::vector<ast::Exp> args;
    const auto* combine = std::get_if<Combine>(&input.kind);
    // The type of core.with_combine does not say what the operator has to do with the array.
    if (combine) {
      const bool annotate = std::exchange(around_.annotate, true);
      args = {operator_exp(combine->op, {}), operand(combine->neutral, false)};
      around_.annotate = annotate;
    }
    args.push_back(variable(input.destination));
    args.push_back(exp(ast::Lambda{{param(e.fn.params.at(i))}, std::nullopt, std::move(body)}));
    const char* name = combine ? "with_combine" : std::holds_alternative<AddUp>(input.kind) ? "with_add" : "with_overwrite";
    body = applied(core(name), std::move(args));
  }
  return body;
}

ast::Exp Raiser::update_of_accumulator(const UpdateAcc& e) const {
  std::vector<ast::Exp> args{variable(e.accumulator)};
  for (const Atom& index : e.indices) args.push_back(count(index));
  args.push_back(operand(e.value, e.accumulator));
  return applied(core("update_" + std::to_string(e.indices.size()) + "d"), std::move(args));
}

}  // namespace boustro::raise
