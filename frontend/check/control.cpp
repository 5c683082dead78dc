// if, match and let.
#include <algorithm>
#include <variant>

#include "frontend/check/checker.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/sizes.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {

Exp Checker::check_exp(const ast::If& syntax, SourceRange at) {
  Exp condition = check(*syntax.condition);
  expect(boolean(), condition, "a condition is a `bool`");
  Level level(inference_);
  const int mark = inference_.name_count();
  Exp then_branch = check(*syntax.then_branch);
  Exp else_branch = check(*syntax.else_branch);
  level.leave();
  std::vector<Name> merged, existentials;
  const Type both =
      merge(then_branch.type, else_branch.type, merged, then_branch.at, else_branch.at);
  const Type type = without_inner_sizes(both, mark, {}, existentials);
  restrict_result(type, Lift::sizes, "the result of a branch", at);
  return {If{std::move(condition), std::move(then_branch), std::move(else_branch),
             std::move(existentials)},
          type, at};
}

Exp Checker::check_exp(const ast::Match& syntax, SourceRange at) {
  Match result{check(*syntax.scrutinee), {}, {}};
  const int mark = inference_.name_count();
  std::vector<Name> merged;
  Type type = fresh(at);
  for (const ast::Case& syntax_case : syntax.cases) {
    Scope scope(*this);
    Level level(inference_);
    Pattern case_pattern = pattern(syntax_case.pattern, result.scrutinee->type);
    Exp body = check(syntax_case.body);
    type = result.cases.empty()
               ? body.type
               : merge(type, body.type, merged, result.cases.back().body.at, body.at);
    result.cases.push_back({std::move(case_pattern), std::move(body), syntax_case.at});
  }
  type = without_inner_sizes(type, mark, {}, result.existentials);
  restrict_result(type, Lift::sizes, "the result of a branch", at);
  return {std::move(result), type, at};
}

// ---- let

// A long row of bindings is built from its end, without recursion over it.
Exp Checker::check_exp(const ast::Let& syntax, SourceRange at) {
  Scope scope(*this);
  std::vector<std::pair<std::variant<PendingLet, Definition>, SourceRange>> pending;
  for (const ast::LetBinding& binding : syntax.bindings) {
    match(
        binding.node,
        [&](const ast::LetPattern& let) { pending.emplace_back(let_pattern(let), binding.at); },
        [&](const ast::LetFunction& let) {
          pending.emplace_back(let_function(let, binding.at), binding.at);
        },
        [&](const ast::LetUpdate& let) {
          pending.emplace_back(let_update(let, binding.at), binding.at);
        });
  }
  Exp body = check(*syntax.body);
  for (auto next = pending.rbegin(); next != pending.rend(); ++next) {
    const SourceRange here = source::join(next->second, at);
    const Type type = body.type;
    body = match(
        next->first,
        [&](PendingLet& let) -> Exp {
          return {Let{std::move(let.sizes), std::move(let.pattern), std::move(let.bound),
                      std::move(body)},
                  type, here};
        },
        [&](Definition& definition) -> Exp {
          return {LetFunction{std::move(definition), std::move(body)}, type, here};
        });
  }
  return body;
}

Checker::PendingLet Checker::let_pattern(const ast::LetPattern& syntax) {
  Exp bound = check(*syntax.bound);
  std::vector<Name> sizes;
  for (const ast::Identifier& size : syntax.sizes) sizes.push_back(bind_size(size.text));
  check_sizes_named(syntax.sizes, syntax.pattern);
  if (sizes.empty()) {
    Pattern bound_pattern = pattern(syntax.pattern, bound.type);
    const auto* name = std::get_if<NamePattern>(&bound_pattern.node);
    if (name && is_prim(inference_.resolve(bound.type), PrimType::i64)) {
      if (const auto size = size_of(bound)) size_definitions_.emplace(name->name.id, *size);
      define(name->name, bound);
    }
    return {{}, std::move(bound_pattern), std::move(bound)};
  }
  const Type open = with_open_sizes_and_types(bound.type);
  Pattern bound_pattern = pattern(syntax.pattern, open);
  if (const auto failure = unify_up_to_sizes(open, bound.type))
    mismatch(bound.at, open, bound.type, *failure, "the pattern says so here", syntax.pattern.at);
  close_sizes(open, bound.type, sizes, bound.at);
  return {std::move(sizes), std::move(bound_pattern), std::move(bound)};
}

// let f x = ..: not polymorphic in types, except over what it names.
Definition Checker::let_function(const ast::LetFunction& syntax, SourceRange at) {
  Definition definition =
      function({syntax.name, syntax.type_params, syntax.params, syntax.result, *syntax.body}, at);
  definition.name = inference_.fresh_name(syntax.name.text);
  bind(definition.name, {definition.type_params, type_of(definition)});
  return definition;
}

Checker::PendingLet Checker::let_update(const ast::LetUpdate& syntax, SourceRange at) {
  Exp target = qualified({{}, syntax.name.text, syntax.name.at});
  Exp updated = update(std::move(target), syntax.path, 0, check(*syntax.value), at);
  const Type type = updated.type;
  Pattern name{NamePattern{bind(syntax.name.text, type)}, type, false, syntax.name.at};
  return {{}, std::move(name), std::move(updated)};
}

// ---- Patterns that name sizes

Type Checker::with_open_sizes(const Type& type) {
  const Type resolved = inference_.resolve_all(type);
  if (std::holds_alternative<FunctionType>(resolved.node)) return resolved;
  return rewrite(
      resolved,
      {.size = [&](const Size&) { return inference_.fresh_loop_size("d", {}); }, .variable = {}});
}

// A type that is not known yet is replaced too: it would come to mention sizes that the pattern
// binds.
Type Checker::with_open_sizes_and_types(const Type& type) {
  return rewrite(with_open_sizes(type),
                 {.size = {}, .variable = [&](const Name& name) {
                    return inference_.is_variable(name) ? fresh({}) : variable_type(name);
                  }});
}

void Checker::close_sizes(const Type& open, const Type& type, const std::vector<Name>& named_sizes,
                          SourceRange at) {
  const std::vector<Size> found = sizes_of(open), actual = sizes_of(type);
  Substitution known;
  for (std::size_t i = 0; i < found.size() && i < actual.size(); ++i) {
    const Size size = inference_.resolve(found[i]);
    const auto* name = std::get_if<Name>(&size);
    const bool is_named =
        name && std::find(named_sizes.begin(), named_sizes.end(), *name) != named_sizes.end();
    const auto before =
        is_named ? known.sizes.emplace(name->id, actual[i]).first->second : substitute(size, known);
    if (!inference_.try_unify(before, actual[i]))
      mismatch(at, open, type, "the sizes differ", "", {});
  }
  for (const Name& name : named_sizes) {
    const auto found_size = known.sizes.find(name.id);
    if (found_size == known.sizes.end()) continue;
    const Size size = inference_.resolve(found_size->second);
    const auto* undecided = std::get_if<Name>(&size);
    if (undecided && inference_.is_variable(*undecided) && inference_.is_unneeded(*undecided))
      report(Message::ambiguous_size, at, name.text);
  }
}

std::vector<Size> Checker::sizes_of(const Type& type) const {
  std::vector<Size> sizes;
  for_each_size(inference_.resolve_all(type), [&](const Size& size) { sizes.push_back(size); });
  return sizes;
}

}  // namespace boustro::check
