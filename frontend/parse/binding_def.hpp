// Grammar of expressions that bind names.
//
//   let      ::= binding+ "in" exp           with an optional "in" between bindings
//   binding  ::= "let" size* pattern "=" exp
//              | "let" name type_param* param+ [":" type] "=" exp
//              | "let" name step+ "=" exp
//   loop     ::= "loop" size* pattern ["=" exp] form "do" exp
//   form     ::= "for" name "<" exp | "for" pattern "in" exp | "while" exp
//   match    ::= "match" exp ("case" pattern "->" exp)+
//   lambda   ::= "\" param+ [":" type_term] "->" exp
#pragma once

#include "frontend/parse/attribute.hpp"
#include "frontend/parse/binding.hpp"
#include "frontend/parse/expression.hpp"
#include "frontend/parse/path.hpp"
#include "frontend/parse/pattern.hpp"
#include "frontend/parse/type.hpp"

namespace boustro::parse {

using LoopForm = decltype(ast::Loop::form);

struct let_binding_id {};
const x3::rule<let_binding_id, ast::LetBinding> let_binding = "let_binding";
struct let_update_id {};
const x3::rule<let_update_id, ast::LetUpdate> let_update = "let_update";
struct loop_form_id {};
const x3::rule<loop_form_id, LoopForm> loop_form = "loop_form";
struct match_case_id {};
const x3::rule<match_case_id, ast::Case> match_case = "match_case";

// ---- let -----------------------------------------------------------------------------------------

// A name, then `[` without white space, or a dot: the update of a part of a variable.
const auto starts_update = dotted_name | (name >> (index_bracket | dot_field));
const auto update_target = qualified_name[build([](ast::QualifiedName name) {
  auto path = fields_of(name);
  ast::LetUpdate update;
  update.name = std::get<ast::Identifier>(path.front());
  update.path.assign(path.begin() + 1, path.end());
  return update;
})];
const auto let_update_def =
    update_target >> *path_step[([](const auto& context) {
      x3::_val(context).path.push_back(std::move(x3::_attr(context)));
    })] >> BOUSTRO_TOKEN("=")
    >> expression[([](const auto& context) { x3::_val(context).value = std::move(x3::_attr(context)); })];

constexpr auto param_start = terminal<x3::unused_type>(
    "a parameter",
    [](const Token& t) {
      constexpr std::string_view starts[] = {"[", "'", "'~", "'^", "(", "{", "_", "-", "true", "false"};
      return t.kind == TokenKind::name || t.kind == TokenKind::constructor ||
             t.kind == TokenKind::integer || t.kind == TokenKind::floating ||
             t.kind == TokenKind::character || std::find(std::begin(starts), std::end(starts), t.text) != std::end(starts);
    },
    [](const Token&, const State&) { return x3::unused; });
const auto starts_function = name >> param_start;
const auto let_function =
    (name >> *type_param >> +unsaid(param_pattern) >> -(BOUSTRO_TOKEN(":") >> type)
     >> BOUSTRO_TOKEN("=") >> expression)
        [build([](ast::Identifier name, std::vector<ast::TypeParam> type_params,
                  std::vector<ast::Pattern> params, boost::optional<ast::Type> result, ast::Exp body) {
          return ast::LetFunction{std::move(name), std::move(type_params), std::move(params),
                                  to_std(std::move(result)), std::move(body)};
        })];
const auto let_pattern =
    (*size_binder >> pattern >> BOUSTRO_TOKEN("=") >> expression)
        [build([](std::vector<ast::Identifier> sizes, ast::Pattern pattern, ast::Exp bound) {
          return ast::LetPattern{std::move(sizes), std::move(pattern), std::move(bound)};
        })];
const auto let_binding_def =
    located(BOUSTRO_TOKEN("let")
    >> ((unsaid(&starts_update) >> let_update[pass]) | (unsaid(&starts_function) >> let_function)
        | let_pattern));

// `in let` goes on with the list of bindings; so does a body that is a let in parentheses.
const auto between_bindings = unsaid(-BOUSTRO_TOKEN("in") >> &BOUSTRO_TOKEN("let"));
const auto let = (let_binding % between_bindings >> BOUSTRO_TOKEN("in") >> expression)
    [build([](std::vector<ast::LetBinding> bindings, ast::Exp body) {
      auto* const inner = std::get_if<ast::Let>(&body.node);
      if (!inner) return ast::Let{std::move(bindings), std::move(body)};
      std::move(inner->bindings.begin(), inner->bindings.end(), std::back_inserter(bindings));
      return ast::Let{std::move(bindings), std::move(inner->body)};
    })];

// ---- loop ----------------------------------------------------------------------------------------

const auto for_loop =
    (name >> BOUSTRO_TOKEN("<") >> expression)[build([](ast::Identifier index, ast::Exp bound) {
      return LoopForm(ast::ForLoop{std::move(index), std::move(bound)});
    })];
const auto for_in_loop =
    (pattern >> BOUSTRO_TOKEN("in") >> expression)[build([](ast::Pattern element, ast::Exp array) {
      return LoopForm(ast::ForInLoop{std::move(element), std::move(array)});
    })];
const auto while_loop = (BOUSTRO_TOKEN("while") >> expression)[build(
    [](ast::Exp condition) { return LoopForm(ast::WhileLoop{std::move(condition)}); })];
const auto loop_form_def =
    (BOUSTRO_TOKEN("for") >> ((&(name >> BOUSTRO_TOKEN("<")) >> for_loop) | for_in_loop)) | while_loop;

const auto loop =
    (BOUSTRO_TOKEN("loop") >> *size_binder >> pattern >> -(BOUSTRO_TOKEN("=") >> expression) >> loop_form
     >> BOUSTRO_TOKEN("do") >> expression)
        [build([](std::vector<ast::Identifier> sizes, ast::Pattern pattern,
                  boost::optional<ast::Exp> initial, LoopForm form, ast::Exp body) {
          return ast::Loop{std::move(sizes), std::move(pattern), to_box(std::move(initial)),
                           std::move(form), std::move(body)};
        })];

// ---- match and lambda ------------------------------------------------------------------------------

const auto match_case_def =
    located((BOUSTRO_TOKEN("case") >> case_pattern >> BOUSTRO_TOKEN("->") >> expression)
        [build([](ast::Pattern pattern, ast::Exp body) {
          return ast::Case{std::move(pattern), std::move(body), {}};
        })]);
const auto match = (BOUSTRO_TOKEN("match") >> expression >> +match_case)
    [build([](ast::Exp scrutinee, std::vector<ast::Case> cases) {
      return ast::Match{std::move(scrutinee), std::move(cases)};
    })];

const auto lambda_def =
    located((BOUSTRO_TOKEN("\\") >> +param_pattern >> -(BOUSTRO_TOKEN(":") >> type_term) >> BOUSTRO_TOKEN("->")
     >> expression)[build(
        [](std::vector<ast::Pattern> params, boost::optional<ast::Type> result, ast::Exp body) {
          return ast::Lambda{std::move(params), to_std(std::move(result)), std::move(body)};
        })]);

const auto binding_exp_def = located(let | loop | match);

BOOST_SPIRIT_DEFINE(binding_exp, lambda, let_binding, let_update, loop_form, match_case)

}  // namespace boustro::parse
