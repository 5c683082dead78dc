#include "transform/raise/tidy.hpp"

#include <algorithm>
#include <optional>

#include "transform/raise/walk.hpp"

namespace boustro::raise {
namespace {

bool is_point(const ast::DimIndex& index) { return std::holds_alternative<ast::Box<ast::Exp>>(index); }

/// xs[i][j]
void join_indices(ast::Exp& exp) {
  auto* outer = node_in<ast::Index>(exp);
  auto* inner = outer ? node_in<ast::Index>(*outer->array) : nullptr;
  if (!inner || !std::all_of(inner->indices.begin(), inner->indices.end(), is_point)) return;
  ast::Index joined = std::move(*inner);
  for (ast::DimIndex& index : outer->indices) joined.indices.push_back(std::move(index));
  exp = raise::exp(std::move(joined));
}

/// if c then x else false is c && x; if c then true else x is c || x.
void connect_truths(ast::Exp& exp) {
  auto* branch = node_in<ast::If>(exp);
  if (!branch) return;
  const auto* yes = node_in<ast::BoolLiteral>(*branch->then_branch);
  const auto* no = node_in<ast::BoolLiteral>(*branch->else_branch);
  ast::Exp& other = yes ? *branch->else_branch : *branch->then_branch;
  const bool fits = (no && !no->value && !yes) || (yes && yes->value && !no);
  if (!fits || node_in<ast::Let>(other) || node_in<ast::If>(other) || node_in<ast::Loop>(other)) return;
  ast::Exp condition = std::move(*branch->condition), rest = std::move(other);
  exp = binary(std::move(condition), yes ? "||" : "&&", std::move(rest));
}

/// -(2 * x) is -2 * x.
void negate_factor(ast::Exp& exp) {
  auto* negation = node_in<ast::Unary>(exp);
  if (!negation || negation->op != ast::UnaryOp::negate) return;
  auto* product = node_in<ast::Binary>(*negation->operand);
  if (!product || product->op.name != "*" || !node_in<ast::IntLiteral>(*product->lhs)) return;
  ast::Exp factor = raise::exp(ast::Unary{ast::UnaryOp::negate, std::move(product->lhs)});
  ast::Exp negated = binary(std::move(factor), "*", std::move(*product->rhs));
  exp = std::move(negated);
}

/// x + -2 is x - 2.
void subtract(ast::Exp& exp) {
  auto* sum = node_in<ast::Binary>(exp);
  if (!sum || sum->op.name != "+" || !sum->op.qualifiers.empty()) return;
  auto* negation = node_in<ast::Unary>(*sum->rhs);
  if (!negation || !is_literal(*sum->rhs)) return;
  ast::Exp magnitude = std::move(*negation->operand);
  ast::Exp difference = binary(std::move(*sum->lhs), "-", std::move(magnitude));
  exp = std::move(difference);
}

struct Mentions {
  const std::string& wanted;
  bool found = false;
  void use(const std::string& name) { found = found || name == wanted; }
  void mention(const std::string& name) { use(name); }
  void bind(std::string&) {}
  void enter(ScopeKind) {}
  void leave() {}
};

bool mentions(ast::Exp& exp, const std::string& name) {
  Mentions visitor{name};
  walk(exp, visitor);
  return visitor.found;
}

bool is_variable(const ast::Exp& exp, const std::string& name) {
  const std::string* its = plain_name(exp);
  return its && *its == name;
}
bool costs_nothing(const ast::Exp& exp) {
  const std::string* name = plain_name(exp);
  return is_literal(exp) || (name && is_tagged(*name));
}

/// The parameters, if they are names without types.
std::optional<std::vector<std::string>> names_of_params(const ast::Lambda& lambda) {
  std::vector<std::string> names;
  for (const ast::Pattern& param : lambda.params) {
    const auto* name = std::get_if<ast::NamePattern>(&param.node);
    if (!name) return std::nullopt;
    names.push_back(name->name.text);
  }
  return names;
}

/// \x y -> f z x y is f z, for a named function and operands that cost nothing.
std::optional<ast::Exp> without_params(ast::Apply& apply, const std::vector<std::string>& params) {
  const std::size_t rest = apply.args.size() - std::min(apply.args.size(), params.size());
  if (apply.args.size() < params.size() || !node_in<ast::Var>(*apply.function)) return std::nullopt;
  for (std::size_t i = 0; i < params.size(); ++i)
    if (!is_variable(apply.args[rest + i], params[i])) return std::nullopt;
  std::vector<ast::Exp> args(apply.args.begin(), apply.args.begin() + static_cast<std::ptrdiff_t>(rest));
  for (ast::Exp& arg : args) {
    const bool is_given = std::any_of(params.begin(), params.end(), [&](const std::string& param) { return mentions(arg, param); });
    if (is_given || !(costs_nothing(arg) || node_in<ast::Var>(arg))) return std::nullopt;
  }
  return args.empty() ? std::move(*apply.function) : raise::applied(std::move(*apply.function), std::move(args));
}

/// \x y -> x + y is (+); \x -> x * 2 is (* 2); \x -> 1 / x is (1 /). A minus on the left would be a sign.
std::optional<ast::Exp> section(ast::Binary& binary, const std::vector<std::string>& params) {
  if (params.size() == 2 && is_variable(*binary.lhs, params[0]) && is_variable(*binary.rhs, params[1]))
    return exp(ast::Var{binary.op});
  if (params.size() != 1) return std::nullopt;
  const bool on_left = is_variable(*binary.lhs, params[0]), on_right = is_variable(*binary.rhs, params[0]);
  const bool is_signed = node_in<ast::Unary>(*binary.lhs) || node_in<ast::Unary>(*binary.rhs);
  if (is_signed) return std::nullopt;
  if (on_left && !on_right && costs_nothing(*binary.rhs) && binary.op.name != "-")
    return exp(ast::RightSection{binary.op, std::move(binary.rhs)});
  if (on_right && !on_left && costs_nothing(*binary.lhs)) return exp(ast::LeftSection{std::move(binary.lhs), binary.op});
  return std::nullopt;
}

void name_function(ast::Exp& exp) {
  auto* lambda = node_in<ast::Lambda>(exp);
  const auto params = lambda ? names_of_params(*lambda) : std::nullopt;
  if (!params || params->empty()) return;
  std::optional<ast::Exp> function;
  if (auto* apply = node_in<ast::Apply>(*lambda->body)) function = without_params(*apply, *params);
  if (auto* binary = node_in<ast::Binary>(*lambda->body)) function = section(*binary, *params);
  if (function) exp = std::move(*function);
}

}  // namespace

void tidy(ast::Exp& exp) {
  join_indices(exp);
  connect_truths(exp);
  negate_factor(exp);
  subtract(exp);
  name_function(exp);
}

}  // namespace boustro::raise
