#include "frontend/check/globals.hpp"

#include "frontend/check/check.hpp"
#include "frontend/check/checker.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/types.hpp"
#include "frontend/parse/parse.hpp"
#include "frontend/prelude/prelude.hpp"

namespace boustro::check {

std::optional<TypedProgram> check_program(const ast::Program& program, SourceMap& sources,
                                          Diagnostics& diagnostics) {
  Globals globals(sources, diagnostics);
  globals.check(program);
  if (diagnostics.has_errors()) return std::nullopt;
  return TypedProgram{std::move(globals.definitions)};
}

Globals::Globals(SourceMap& sources, Diagnostics& diagnostics)
    : sources(sources), diagnostics(diagnostics) {
  add_prelude();
  program_ = &new_namespace(prelude_, false, false);
}

void Globals::check(const ast::Program& program) {
  for (const ast::Definition& definition : program.definitions) check_definition(*program_, definition);
}

// ---- Definitions -------------------------------------------------------------------------------------

void Globals::check_definition(Namespace& space, const ast::Definition& definition) {
  const auto unsupported = [&](const char* what) {
    diagnostics.report(Message::unsupported_construct, definition.at, what);
  };
  match(
      definition.node,
      [&](const ast::ValueDefinition& value) {
        if (space.values.count(value.name.text)) {
          source::Diagnostic& diagnostic =
              diagnostics.report(Message::duplicate_definition, value.name.at, value.name.text);
          diagnostic.notes.push_back(
              {space.values.at(value.name.text).syntax->at, "it is defined here first"});
          return;
        }
        // Visible to what follows only, so that nothing is recursive.
        GlobalValue checked{&definition, &space, GlobalValue::State::unchecked, {}, {}, {}};
        ensure_checked(checked);
        space.values.emplace(value.name.text, std::move(checked));
      },
      [&](const ast::TypeDefinition& type) {
        space.types.insert_or_assign(type.name.text, Checker(*this, space).abbreviation(type));
      },
      [&](const ast::Local& local) { check_definition(space, *local.definition); },
      [&](const ast::ModuleDefinition& module) {
        if (module.name.text == "core") {
          diagnostics.report(Message::reserved_module, module.name.at, module.name.text);
          return;
        }
        const auto* body = std::get_if<ast::ModuleBody>(&module.body.node);
        if (!body || !module.params.empty() || module.type)
          return unsupported("module expression or module type");
        Namespace& inner = new_namespace(&space, true, false);
        for (const ast::Definition& member : body->definitions) check_definition(inner, member);
        space.modules.insert_or_assign(module.name.text, &inner);
      },
      [&](const ast::ModuleTypeDefinition&) { unsupported("module type"); },
      [&](const ast::Open&) { unsupported("`open`"); },
      [&](const ast::Import&) { unsupported("`import`"); });
}

void Globals::ensure_checked(GlobalValue& value) {
  if (value.state == GlobalValue::State::checked) return;
  const auto& syntax = std::get<ast::ValueDefinition>(value.syntax->node);
  source::internal_check(value.state == GlobalValue::State::unchecked,
                         "the prelude's definition of " + syntax.name.text + " needs itself");
  value.state = GlobalValue::State::in_progress;
  value.name = inference.fresh_name(syntax.name.text);
  Definition definition = Checker(*this, *value.home).check(value);
  value.state = GlobalValue::State::checked;
  if (!value.renamed) definitions.push_back(std::move(definition));
}

// ---- Look-up -----------------------------------------------------------------------------------------

GlobalValue* Globals::member(Namespace& module, const std::string& name) {
  const auto found = module.values.find(name);
  if (found == module.values.end()) return nullptr;
  ensure_checked(found->second);
  return &found->second;
}
GlobalValue* Globals::find_value(Namespace& from, const std::string& name) {
  for (Namespace* space = &from; space; space = space->outer)
    if (GlobalValue* value = member(*space, name)) return value;
  return nullptr;
}
const TypeAbbreviation* Globals::find_type(Namespace& from, const std::string& name) {
  for (Namespace* space = &from; space; space = space->outer) {
    const auto found = space->types.find(name);
    if (found != space->types.end()) return &found->second;
  }
  return nullptr;
}
Namespace* Globals::find_module(Namespace& from, const std::string& name) {
  for (Namespace* space = &from; space; space = space->outer) {
    const auto found = space->modules.find(name);
    if (found != space->modules.end()) return found->second;
  }
  return name == "core" ? core_module() : primitive_module(name);
}

const Scheme& Globals::scheme_of(Intrinsic intrinsic) {
  const auto found = intrinsic_schemes_.find(intrinsic);
  if (found != intrinsic_schemes_.end()) return found->second;
  const std::string name(name_of(intrinsic));
  const ast::Program& program =
      parse("intrinsics/" + name, "def it " + std::string(type_text_of(intrinsic)) + " = ???\n");
  const auto& value = std::get<ast::ValueDefinition>(program.definitions.at(0).node);
  return intrinsic_schemes_
      .emplace(intrinsic, Checker(*this, *prelude_).scheme(value.type_params, *value.result))
      .first->second;
}

// ---- The prelude ---------------------------------------------------------------------------------------

Namespace& Globals::new_namespace(Namespace* outer, bool is_module, bool is_prelude) {
  namespaces_.push_back({outer, is_module, is_prelude, {}, {}, {}});
  return namespaces_.back();
}

const ast::Program& Globals::parse(const std::string& file, std::string text) {
  Diagnostics own;
  programs_.push_back(
      parse::parse_program(sources.add("prelude/" + file + ".fut", std::move(text), true), sources, own));
  source::internal_check(!own.has_errors(), "the prelude does not parse: " + file + ": " +
                                                (own.all().empty() ? "" : own.all()[0].text));
  return programs_.back();
}

void Globals::add_definition(Namespace& space, const ast::Definition& definition) {
  if (const auto* value = std::get_if<ast::ValueDefinition>(&definition.node)) {
    space.values.emplace(value->name.text,
                         GlobalValue{&definition, &space, GlobalValue::State::unchecked, {}, {}, {}});
  } else {
    check_definition(space, definition);
  }
}

void Globals::add_prelude() {
  prelude_ = &new_namespace(nullptr, false, true);
  for (const prelude::File& file : prelude::top_level_files())
    for (const ast::Definition& definition :
         parse(std::string(file.name), std::string(file.text)).definitions)
      add_definition(*prelude_, definition);
}

Namespace* Globals::primitive_module(const std::string& name) {
  const auto prim = values::prim_type_named(name);
  if (!prim) return nullptr;
  Namespace& module = new_namespace(prelude_, true, true);
  prelude_->modules.emplace(name, &module);
  for (const ast::Definition& definition : parse(name, prelude::module_text(*prim)).definitions)
    add_definition(module, definition);
  return &module;
}

/// What printed core programs use, and the type of accumulators.
Namespace* Globals::core_module() {
  Namespace& module = new_namespace(prelude_, true, true);
  prelude_->modules.emplace("core", &module);
  const Name array = inference.fresh_name("t");
  module.types.emplace("acc", TypeAbbreviation{{{array, TypeParam::Kind::type, {}}},
                                               accumulator_type(variable_type(array)), {}});
  for (const ast::Definition& definition : parse("core", prelude::core_module_text()).definitions)
    add_definition(module, definition);
  return &module;
}

}  // namespace boustro::check
