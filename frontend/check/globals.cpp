#include "frontend/check/globals.hpp"

#include "frontend/check/checker.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/types.hpp"
#include "frontend/parse/parse.hpp"
#include "frontend/prelude/prelude.hpp"

namespace boustro::check {

Globals::Globals(PreludeSyntax& prelude, SourceMap& sources, Diagnostics& diagnostics)
    : sources(sources), diagnostics(diagnostics), prelude_syntax_(prelude) {
  add_prelude();
}

Namespace& Globals::new_namespace(Namespace* outer) {
  Namespace& space = namespaces_.emplace_back();
  space.outer = outer;
  return space;
}

GlobalValue& Globals::new_value(GlobalValue value) { return values_.emplace_back(std::move(value)); }

void Globals::ensure_checked(GlobalValue& value) {
  if (value.state == GlobalValue::State::checked) return;
  const auto& syntax = std::get<ast::ValueDefinition>(value.syntax->node);
  source::internal_check(value.state == GlobalValue::State::unchecked,
                         "the prelude's definition of " + syntax.name.text + " needs itself");
  value.state = GlobalValue::State::in_progress;
  value.name = inference.fresh_name(value.home->path + syntax.name.text);
  Definition definition = Checker(*this, *value.home).check(value);
  value.state = GlobalValue::State::checked;
  if (!value.renamed) definitions.push_back(std::move(definition));
}

// ---- Look-up -----------------------------------------------------------------------------------------

GlobalValue* Globals::member(Namespace& module, const std::string& name) {
  const auto found = module.values.find(name);
  if (found == module.values.end()) return nullptr;
  ensure_checked(*found->second);
  return found->second;
}
GlobalValue* Globals::find_value(Namespace& from, const std::string& name) {
  for (Namespace* space = &from; space; space = space->outer)
    if (GlobalValue* value = member(*space, name)) return value;
  return nullptr;
}

namespace {

template <typename Entry>
const Entry* find(const Namespace& from, std::map<std::string, Entry> Namespace::*kind, const std::string& name) {
  for (const Namespace* space = &from; space; space = space->outer) {
    const auto found = (space->*kind).find(name);
    if (found != (space->*kind).end()) return &found->second;
  }
  return nullptr;
}

}  // namespace

const TypeAbbreviation* Globals::find_type(Namespace& from, const std::string& name) {
  return find(from, &Namespace::types, name);
}
const Module* Globals::find_module(Namespace& from, const std::string& name) {
  if (const Module* module = find(from, &Namespace::modules, name)) return module;
  return prelude_module(name);
}
const ModuleType* Globals::find_module_type(Namespace& from, const std::string& name) {
  return find(from, &Namespace::module_types, name);
}

const Scheme& Globals::scheme_of(Intrinsic intrinsic) {
  const auto found = intrinsic_schemes_.find(intrinsic);
  if (found != intrinsic_schemes_.end()) return found->second;
  const std::string name(name_of(intrinsic));
  const ast::Program& program = prelude_syntax_.parse(
      "intrinsics/" + name, "def it " + std::string(type_text_of(intrinsic)) + " = ???\n");
  const auto& value = std::get<ast::ValueDefinition>(program.definitions.at(0).node);
  return intrinsic_schemes_
      .emplace(intrinsic, Checker(*this, *prelude_).scheme(value.type_params, *value.result))
      .first->second;
}

// ---- The prelude ---------------------------------------------------------------------------------------

const ast::Program& PreludeSyntax::parse(const std::string& file, const std::string& text) {
  if (const auto known = programs_.find(file); known != programs_.end()) return known->second;
  Diagnostics own;
  ast::Program program = parse::parse_program(sources_.add("prelude/" + file + ".fut", text, true), sources_, own);
  source::internal_check(!own.has_errors(), "the prelude does not parse: " + file + ": " +
                                                (own.all().empty() ? "" : own.all()[0].text));
  return programs_.emplace(file, std::move(program)).first->second;
}

void Globals::add_prelude_definition(Namespace& space, const ast::Definition& definition) {
  match(
      definition.node,
      [&](const ast::ValueDefinition& value) {
        space.values.emplace(value.name.text, &new_value({.syntax = &definition, .home = &space, .name = {}, .scheme = {}}));
      },
      [&](const ast::TypeDefinition& type) {
        space.types.emplace(type.name.text, Checker(*this, space).abbreviation(type.liftedness, type.name, type.params, type.type));
      },
      [&](const ast::ModuleTypeDefinition& type) {
        space.module_types.emplace(type.name.text, ModuleType{&type.type, &space});
      },
      [](const auto&) { source::internal_error("the prelude defines values, types and module types only"); });
}

void Globals::add_prelude() {
  prelude_ = &new_namespace(nullptr);
  prelude_->is_prelude = true;
  for (const prelude::File& file : prelude::top_level_files())
    for (const ast::Definition& definition :
         prelude_syntax_.parse(std::string(file.name), std::string(file.text)).definitions)
      add_prelude_definition(*prelude_, definition);
}

const Module* Globals::prelude_module(const std::string& name) {
  const auto prim = values::prim_type_named(name);
  const auto text = prelude::accumulator_module_text(name);
  if (!prim && !text) return nullptr;
  Namespace& members = prim ? primitive_module(*prim) : accumulator_module(name, *text);
  return &prelude_->modules.emplace(name, Module{&members}).first->second;
}

Namespace& Globals::primitive_module(PrimType prim) {
  Namespace& module = new_namespace(prelude_);
  module.is_prelude = true;
  const std::string name(values::name_of(prim));
  for (const ast::Definition& definition : prelude_syntax_.parse(name, prelude::module_text(prim)).definitions)
    add_prelude_definition(module, definition);
  return module;
}

/// A module with the type of accumulators.
Namespace& Globals::accumulator_module(const std::string& name, const std::string& text) {
  Namespace& module = new_namespace(prelude_);
  module.is_prelude = true;
  const Name array = inference.fresh_name("t");
  module.types.emplace("acc", TypeAbbreviation{{{array, TypeParam::Kind::type, {}}},
                                               accumulator_type(variable_type(array)), {}, {}});
  for (const ast::Definition& definition : prelude_syntax_.parse(name, text).definitions)
    add_prelude_definition(module, definition);
  return module;
}

}  // namespace boustro::check
