// Definitions: parameters, results, and what is left open.
#include <algorithm>
#include <set>

#include "frontend/check/causality.hpp"
#include "frontend/check/checker.hpp"
#include "frontend/check/exhaustive.hpp"
#include "frontend/check/finish.hpp"
#include "frontend/check/first_order.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/sizes.hpp"
#include "frontend/check/uniqueness.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {
namespace {

/// n, n1, n2, ...: what no other parameter is called.
std::string unused_text(const Definition& definition, const std::string& text) {
  const auto is_used = [&](const std::string& candidate) {
    return std::any_of(definition.type_params.begin(), definition.type_params.end(),
                       [&](const TypeParam& param) { return param.name.text == candidate; });
  };
  std::string candidate = text;
  for (int i = 1; is_used(candidate); ++i) candidate = text + std::to_string(i);
  return candidate;
}

}  // namespace

Definition Checker::check(GlobalValue& value) {
  const auto& syntax = std::get<ast::ValueDefinition>(value.syntax->node);
  defining_ = syntax.name.text;
  for (const char* built_in : {"&&", "||", "!"})
    if (syntax.name.text == built_in && !home_.is_prelude)
      report(Message::built_in_operator, syntax.name.at, built_in);
  const int level_of_user = inference_.level();  // definitions are checked when they are first used
  inference_.set_level(0);
  inference_.make_global(value.name);
  const std::size_t mistakes_before = globals_.diagnostics.all().size();
  Definition definition =
      function({syntax.name, syntax.type_params, syntax.params, syntax.result, syntax.body},
               value.syntax->at);
  definition.name = value.name;
  definition.is_entry = home_.is_main && (syntax.is_entry || syntax.name.text == "main");
  definition.doc = value.syntax->doc;
  for (const ast::Attribute& attribute : value.syntax->attributes) {
    definition.attributes.push_back(attribute_of(attribute));
    check_definition_attribute(attribute);
  }
  if (definition.is_entry) name_parameters(definition);
  if (!definition.is_entry) generalize(definition, 0);
  if (definition.is_entry) check_entry_is_known(definition);
  inference_.set_level(level_of_user);
  const bool faulty = mistakes_before != globals_.diagnostics.all().size() || uses_faulty_type_;
  finish(definition, inference_, globals_.diagnostics, faulty);
  for (const TypeArgument& argument : type_arguments_)
    argument_for(argument.param, inference_.resolve_all(argument.type), argument.at);
  const std::size_t mistakes = globals_.diagnostics.all().size();
  if (mistakes_before == mistakes && !uses_faulty_type_) {  // what is well-typed
    check_patterns(definition, globals_.diagnostics);
    check_first_order(definition, globals_.diagnostics);
    check_causality(definition, globals_.diagnostics);
    check_uniqueness(definition, !syntax.result, lasting_, globals_.diagnostics);
  }
  if (definition.is_entry) describe_entry(definition, syntax);
  if (mistakes_before == globals_.diagnostics.all().size() && !uses_faulty_type_)
    check_size_params(definition);
  value.scheme = {definition.type_params, type_of(definition)};
  if (definition.params.empty())
    for_each_variable(definition.result, [&](const Name&) {
      if (definition.type_params.empty()) globals_.abstract_constants.insert(value.syntax);
    });
  const auto* var = std::get_if<Var>(&definition.body.node);
  if (home_.is_prelude && var && is_intrinsic(var->name) && definition.params.empty())
    value.renamed = *var;
  return definition;
}

Definition Checker::function(const Header& header, SourceRange at) {
  Scope scope(*this);
  const int outer = inference_.level();
  Level level(inference_);
  const int mark = inference_.name_count();
  Definition definition;
  definition.at = at;
  definition.name_at = header.name.at;
  definition.type_params = bind_type_params(header.type_params);
  check_distinct(header.type_params, header.params);
  for (const ast::Pattern& param : header.params) {
    definition.params.push_back(pattern(param, fresh(param.at)));
    remember_lasting(definition.params.back());
    level.deepen();
  }
  std::optional<WrittenType> result;
  if (header.result) result = written(*header.result);

  definition.body = check(header.body);
  Type type = definition.body.type;
  if (result) {
    type = flexible(*result, header.result->at);
    expect(type, definition.body, "the result is said to be of this type", header.result->at);
    definition.unique_result = result->unique;
    definition.unique_fields = result->unique_fields;
  }
  std::vector<Name> visible;
  for (const TypeParam& param : definition.type_params) visible.push_back(param.name);
  for (const Pattern& param : definition.params)
    if (const auto* name = std::get_if<NamePattern>(&param.node)) visible.push_back(name->name);
  level.leave();
  definition.result = without_inner_sizes(type, mark, visible, definition.existentials, true);
  check_told(definition.result, definition.existentials, mark, visible, definition.name_at);
  add_size_params(definition, outer);
  return definition;
}

// Sizes that are still open and that no outer type mentions become parameters.
void Checker::add_size_params(Definition& definition, int outer) {
  const Type type = type_of(definition);
  for_each_size(type, [&](const Size& size) {
    for_each_name(inference_.resolve(size), [&](const Name& variable) {
      const Size open = inference_.resolve(Size(variable));
      if (!inference_.is_variable(variable) || !equal_sizes(open, Size(variable))) return;
      if (inference_.level_of(variable) <= outer) return;
      const Name name =
          inference_.fresh_name(unused_text(definition, inference_.text_of(variable)));
      inference_.solve(variable, Size(name));
      definition.type_params.push_back({name, TypeParam::Kind::size, definition.name_at});
    });
  });
}

// A size parameter has its value from what has that size.
void Checker::check_size_params(const Definition& definition) {
  for (const TypeParam& param : definition.type_params) {
    if (param.kind != TypeParam::Kind::size) continue;
    bool found = false;
    if (definition.params.empty() && !definition.existentials.empty()) {
      // A constant is one value, whatever its sizes: it cannot be made anew for each of them.
    } else if (definition.is_entry) {
      for (const Pattern& pattern : definition.params)
        for_each_witness(pattern.type,
                         [&](const Size& size) { found = found || equal_sizes(size, param.name); });
    } else {
      for_each_size(type_of(definition), [&](const Size& size) {
        for_each_name(size, [&](const Name& name) { found = found || name == param.name; });
      });
    }
    if (!found) report(Message::size_of_nothing, param.at, param.name.text);
  }
}

void Checker::generalize(Definition& definition, int outer) {
  const Type type = type_of(definition);
  std::set<int> settled;  // by what is yet to be known of others
  for_each_variable(type,
                    [&](const Name& variable) { inference_.add_constrained(variable, settled); });
  for_each_variable(type, [&](const Name& variable) {
    const Type resolved = inference_.resolve(variable_type(variable));
    const auto* open = std::get_if<TypeVariable>(&resolved.node);
    if (!open || !inference_.is_variable(open->name) || inference_.level_of(open->name) <= outer ||
        settled.count(open->name.id))
      return;
    const Constraint& constraint = inference_.constraint_of(open->name);
    if (constraint.prims || constraint.equality || !constraint.fields.empty() ||
        !constraint.constructors.empty())
      return;
    const Name name =
        inference_.fresh_name(unused_text(definition, inference_.text_of(open->name)));
    const TypeParam::Kind kind = kind_of(constraint.lift);
    inference_.set_lift(name, constraint.lift);
    inference_.solve(open->name, variable_type(name));
    definition.type_params.push_back({name, kind, definition.name_at});
  });
}

// ---- Entries

void Checker::name_parameters(Definition& definition) {
  while (true) {
    const Type result = inference_.resolve(definition.result);
    const auto* function = std::get_if<FunctionType>(&result.node);
    if (!function) return;
    const std::string text =
        function->param ? function->param->text : "x" + std::to_string(definition.params.size());
    const Name name = inference_.fresh_name(text);
    const SourceRange at = definition.body.at;
    definition.params.push_back({NamePattern{name}, *function->from, function->consumes, at});
    // The definition's own type says it better than the body's, if both name their parameters.
    Substitution substitution;
    if (function->param) substitution.sizes.emplace(function->param->id, name);
    definition.existentials = function->existentials;
    definition.unique_result = function->unique_result;
    definition.unique_fields = function->unique_fields;
    definition.result = substitute(*function->to, substitution);
    definition.body =
        apply(std::move(definition.body), {Var{name, {}, {}, false}, *function->from, at}, at);
  }
}

// What nothing decides would have to be a type parameter.
void Checker::check_entry_is_known(const Definition& definition) {
  for (const Pattern& param : definition.params) {
    bool is_open = false;
    for_each_variable(inference_.resolve_all(param.type), [&](const Name& name) {
      if (!inference_.is_variable(name)) return;
      const Constraint& constraint = inference_.constraint_of(name);
      is_open = is_open || (constraint.prims == no_prims && !constraint.equality &&
                            constraint.fields.empty() && constraint.constructors.empty());
    });
    if (is_open) report(Message::open_entry, param.at);
  }
}

void Checker::describe_entry(Definition& definition, const ast::ValueDefinition& syntax) {
  for (std::size_t i = 0; i < definition.params.size(); ++i) {
    const auto* ascribed = i < syntax.params.size()
                               ? std::get_if<ast::AscribedPattern>(&syntax.params[i].node)
                               : nullptr;
    definition.param_types_as_written.push_back(
        ascribed ? std::string(globals_.sources.text(ascribed->type.at))
                 : to_string(definition.params[i].type));
  }
  const bool as_written = syntax.result && definition.params.size() == syntax.params.size();
  definition.result_type_as_written = as_written
                                          ? std::string(globals_.sources.text(syntax.result->at))
                                          : to_string(definition.result);
}

}  // namespace boustro::check
