// Functions and their uses: application, operators, sections, lambdas.
#include <algorithm>

#include "frontend/check/checker.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/sizes.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {
namespace {

bool mentions_name(const Type& type, const Name& name) {
  bool found = false;
  for_each_size(type, [&](const Size& size) {
    for_each_name(size, [&](const Name& other) { found = found || other == name; });
  });
  return found;
}

bool is_unique(const Pattern& pattern) {
  if (pattern.unique) return true;
  const auto* record = std::get_if<RecordPattern>(&pattern.node);
  return record && std::any_of(record->fields.begin(), record->fields.end(),
                               [](const PatternField& field) { return is_unique(field.pattern); });
}

std::string function_text(const Exp& function) {
  const Exp* at = &function;
  while (const auto* apply = std::get_if<Apply>(&at->node)) at = &*apply->function;
  const auto* var = std::get_if<Var>(&at->node);
  return var ? "`" + var->name.text + "`" : "this function";
}

}  // namespace

// ---- Application

Exp Checker::check_exp(const ast::Apply& syntax, SourceRange at) {
  Exp result = check(*syntax.function);
  for (const ast::Exp& arg : syntax.args) result = apply(std::move(result), check(arg), at);
  return result;
}

Exp Checker::apply(Exp function, Exp argument, SourceRange at) {
  Type type = inference_.resolve_all(function.type);
  if (const auto* variable = std::get_if<TypeVariable>(&type.node);
      variable && inference_.is_variable(variable->name)) {
    type = function_type(argument.type, fresh(at));
    if (!expect(type, function, "it is applied", argument.at)) return wrong(at);
  }
  const auto* known = std::get_if<FunctionType>(&type.node);
  if (!known) {
    source::Diagnostic& diagnostic =
        report(Message::not_a_function, argument.at, function_text(function));
    diagnostic.notes.push_back(
        {function.at, "its type is `" + inference_.print(function.type) + "`"});
    return wrong(at);
  }
  if (!expect(*known->from, argument, "by " + function_text(function), function.at))
    return wrong(at);

  // What the result's type says of the argument, it now says of this one; an argument that is no
  // size gets a name.
  Substitution substitution;
  std::vector<std::pair<Name, Exp>> lets;
  Type result = inference_.resolve_all(*known->to);
  if (known->param && mentions_name(result, *known->param)) {
    auto size = size_of(argument);
    if (!size) {
      lets.emplace_back(inference_.fresh_name(known->param->text), std::move(argument));
      argument = {Var{lets[0].first, {}, {}, false}, lets[0].second.type, lets[0].second.at};
      size = lets[0].first;
      define(lets[0].first, lets[0].second);
    }
    substitution.sizes.emplace(known->param->id, *size);
  }
  std::vector<Name> existentials;
  for (const Name& name : known->existentials) {
    existentials.push_back(inference_.fresh_name(name.text));
    substitution.sizes.emplace(name.id, existentials.back());
  }
  result = name_sizes(substitute(result, substitution), existentials, lets);
  return wrap(
      std::move(lets),
      {Apply{std::move(function), std::move(argument), std::move(existentials)}, result, at});
}

// ---- Operators

bool Checker::is_redefined(const ast::QualifiedName& op) const {
  if (!op.qualifiers.empty()) return true;
  for (const ScopeEntry& entry : scope_) {
    const auto* local = std::get_if<LocalValue>(&entry);
    if (local && local->text == op.name) return true;
    Namespace* const* opened = std::get_if<Namespace*>(&entry);
    if (opened && !(*opened)->is_prelude && (*opened)->values.count(op.name)) return true;
  }
  for (const Namespace* space = &home_; space && !space->is_prelude; space = space->outer)
    if (space->values.count(op.name)) return true;
  return false;
}

Exp Checker::check_exp(const ast::Binary& binary, SourceRange at) {
  const std::string& op = binary.op.name;
  const bool built_in = !is_redefined(binary.op);
  const int mark = inference_.name_count();
  Exp lhs = check(*binary.lhs);
  if (built_in && op == "|>") return pipe(std::move(lhs), *binary.rhs, mark, at);
  Exp rhs = check(*binary.rhs);
  if (built_in && op == "<|") return apply(std::move(lhs), std::move(rhs), at);
  if (built_in && op == ">->") return compose(std::move(lhs), std::move(rhs), at);
  if (built_in && op == "<-<") return compose(std::move(rhs), std::move(lhs), at);
  if (built_in && (op == "&&" || op == "||")) {
    expect(boolean(), lhs, "by `" + op + "`", binary.op.at);
    expect(boolean(), rhs, "by `" + op + "`", binary.op.at);
    Exp constant{Literal{PrimValue::of_bool(op == "||")}, boolean(), at};
    if (op == "&&")
      return {If{std::move(lhs), std::move(rhs), std::move(constant), {}}, boolean(), at};
    return {If{std::move(lhs), std::move(constant), std::move(rhs), {}}, boolean(), at};
  }
  Exp partial = apply(operator_named(binary.op), std::move(lhs), at);
  return apply(std::move(partial), std::move(rhs), at);
}

// x |> f. The argument comes first, also where the function needs sizes that the argument makes;
// `mark` is older than those.
Exp Checker::pipe(Exp argument, const ast::Exp& function, int mark, SourceRange at) {
  bool makes_sizes = false;
  for (const Size& size : sizes_of(argument.type))
    for_each_name(size, [&](const Name& name) {
      makes_sizes = makes_sizes || (name.id >= mark && !inference_.is_variable(name));
    });
  std::vector<std::pair<Name, Exp>> lets;
  if (makes_sizes) argument = named(std::move(argument), "x", lets);
  return wrap(std::move(lets), apply(check(function), std::move(argument), at));
}

Exp Checker::check_exp(const ast::Unary& unary, SourceRange at) {
  const bool negates = unary.op == ast::UnaryOp::negate;
  if (const auto* literal = std::get_if<ast::IntLiteral>(&unary.operand->node); negates && literal)
    if (auto negative = negative_literal(*literal, at)) return std::move(*negative);
  Exp operand = check(*unary.operand);
  return apply(intrinsic(negates ? Intrinsic::neg : Intrinsic::complement, at), std::move(operand),
               at);
}

// -128 is an i8 though 128 is none. -0 may be a float, and differs from 0 then.
std::optional<Exp> Checker::negative_literal(const ast::IntLiteral& literal, SourceRange at) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 63;
  if (literal.value == 0 || literal.value > largest) return std::nullopt;
  const Type type = literal.suffix ? prim_type(*literal.suffix) : fresh(at, TypeClass::numeric);
  return Exp{Literal{{PrimType::i64, -literal.value}}, type, at};
}

// ---- Sections

Exp Checker::check_exp(const ast::LeftSection& section, SourceRange at) {
  return apply(operator_named(section.op), check(*section.operand), at);
}

// (op y) is let y = .. in \x -> x op y: y is evaluated once.
Exp Checker::check_exp(const ast::RightSection& section, SourceRange at) {
  std::vector<std::pair<Name, Exp>> lets;
  Exp operand = named(check(*section.operand), "y", lets);
  Level level(inference_);
  const int mark = inference_.name_count();
  const Name x = inference_.fresh_name("x");
  const Type type = fresh(at);
  Exp partial = apply(operator_named(section.op), {Var{x, {}, {}, false}, type, at}, at);
  Exp body = apply(std::move(partial), std::move(operand), at);
  return wrap(std::move(lets), make_lambda(x, type, std::move(body), at, mark));
}

Exp Checker::check_exp(const ast::AccessSection& section, SourceRange at) {
  Level level(inference_);
  const int mark = inference_.name_count();
  const Name x = inference_.fresh_name("x");
  const Type type = fresh(at);
  Exp body{Var{x, {}, {}, false}, type, at};
  for (const ast::Access& access : section.path) {
    if (const auto* field = std::get_if<ast::Identifier>(&access))
      body = project(std::move(body), field->text, at);
    else
      body = index(std::move(body), indices(std::get<std::vector<ast::DimIndex>>(access)), at);
  }
  return make_lambda(x, type, std::move(body), at, mark);
}

// \x -> second (first x)
Exp Checker::compose(Exp first, Exp second, SourceRange at) {
  std::vector<std::pair<Name, Exp>> lets;
  Exp f = named(std::move(first), "f", lets);
  Exp g = named(std::move(second), "g", lets);
  Level level(inference_);
  const int mark = inference_.name_count();
  const Name x = inference_.fresh_name("x");
  const Type type = fresh(at);
  Exp inner = apply(std::move(f), {Var{x, {}, {}, false}, type, at}, at);
  Exp body = apply(std::move(g), std::move(inner), at);
  return wrap(std::move(lets), make_lambda(x, type, std::move(body), at, mark));
}

// ---- Lambdas

Exp Checker::check_exp(const ast::Lambda& lambda, SourceRange at) {
  Scope scope(*this);
  Level level(inference_);
  const int mark = inference_.name_count();
  std::vector<Pattern> params;
  for (const ast::Pattern& param : lambda.params) {
    params.push_back(pattern(param, fresh(param.at)));
    remember_lasting(params.back());
    level.deepen();
  }
  std::optional<WrittenType> result;
  if (lambda.result) result = written(*lambda.result);
  Exp body = check(*lambda.body);
  if (result)
    expect(flexible(*result, lambda.result->at), body, "the result is said to be of this type",
           lambda.result->at);
  Exp function = finish_lambda(std::move(params), std::move(body), at, mark);
  if (result) declare_unique(function.type, lambda.params.size(), *result);
  return function;
}

// `type` is of a function with so many parameters and a result that was written with these
// asterisks.
void Checker::declare_unique(Type& type, std::size_t params, const WrittenType& result) {
  Type* at = &type;
  for (std::size_t i = 1; i < params; ++i) at = &*std::get<FunctionType>(at->node).to;
  auto& function = std::get<FunctionType>(at->node);
  function.unique_result = result.unique;
  function.unique_fields = result.unique_fields;
}

Exp Checker::make_lambda(const Name& param, const Type& type, Exp body, SourceRange at, int mark) {
  std::vector<Pattern> params{{NamePattern{param}, type, false, at}};
  return finish_lambda(std::move(params), std::move(body), at, mark);
}

Exp Checker::finish_lambda(std::vector<Pattern> params, Exp body, SourceRange at, int mark) {
  std::vector<Name> names, existentials;
  for (const Pattern& param : params)
    if (const auto* name = std::get_if<NamePattern>(&param.node)) names.push_back(name->name);
  const Type result = without_inner_sizes(body.type, mark, names, existentials, true);
  check_told(result, existentials, mark, names, body.at);
  const Type type = function_type_of(params, result, existentials);
  return {Lambda{std::move(params), std::move(body), result, std::move(existentials)}, type, at};
}

Type Checker::function_type_of(const std::vector<Pattern>& params, const Type& result,
                               const std::vector<Name>& existentials) {
  Type type = inference_.resolve_all(result);
  for (std::size_t i = params.size(); i-- > 0;) {
    FunctionType function{std::nullopt,
                          inference_.resolve_all(params[i].type),
                          {},
                          std::move(type),
                          is_unique(params[i]),
                          false,
                          {}};
    if (i + 1 == params.size()) function.existentials = existentials;
    const auto* name = std::get_if<NamePattern>(&params[i].node);
    if (name && mentions_name(*function.to, name->name)) function.param = name->name;
    type = {std::move(function)};
  }
  return type;
}

Type Checker::type_of(const Definition& definition) {
  Type type = function_type_of(definition.params, definition.result, definition.existentials);
  Type* at = &type;
  for (std::size_t i = 0; i < definition.params.size(); ++i) {
    auto& function = std::get<FunctionType>(at->node);
    if (i + 1 == definition.params.size()) {
      function.unique_result = definition.unique_result;
      function.unique_fields = definition.unique_fields;
    }
    at = &*function.to;
  }
  return type;
}

// ---- Names that were made up

Exp Checker::make_let(const Name& name, Exp bound, Exp body) {
  const SourceRange at = body.at;
  const Type type = body.type;
  Pattern pattern{NamePattern{name}, bound.type, false, bound.at};
  return {Let{{}, std::move(pattern), std::move(bound), std::move(body)}, type, at};
}

Exp Checker::named(Exp exp, const std::string& text, std::vector<std::pair<Name, Exp>>& lets) {
  if (is_atomic(exp)) return exp;
  const Name name = inference_.fresh_name(text);
  Exp use{Var{name, {}, {}, false}, exp.type, exp.at};
  lets.emplace_back(name, std::move(exp));
  return use;
}

Exp Checker::wrap(std::vector<std::pair<Name, Exp>> lets, Exp body) {
  for (auto let = lets.rbegin(); let != lets.rend(); ++let)
    body = make_let(let->first, std::move(let->second), std::move(body));
  return body;
}

}  // namespace boustro::check
