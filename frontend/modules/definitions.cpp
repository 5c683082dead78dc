// Rows of definitions: of files and of modules.
#include "frontend/check/match.hpp"
#include "frontend/modules/elaborator.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::modules {

using check::match;

// ---- Files

void Elaborator::check_main() {
  Block block = new_block(globals_.prelude(), "", true);
  block.scope->is_main = true;
  for (const ast::Definition& definition : program_.main->syntax.definitions)
    define(block, definition, false);
}

// A file is evaluated once, where it is first imported. Reading it has reported a missing one.
Module Elaborator::import(const std::string& path, SourceRange at) {
  const imports::File* from = program_.main;
  for (const imports::File& file : program_.files)
    if (file.id == at.file) from = &file;
  const auto found = from->imports.find(path);
  if (found == from->imports.end()) return {};
  const auto [known, is_new] = imported_.emplace(found->second, Module{});
  if (!is_new) return known->second;
  Block block = new_block(globals_.prelude(), "", true);
  for (const ast::Definition& definition : found->second->syntax.definitions)
    define(block, definition, false);
  return imported_[found->second] = {block.members};
}

// ---- Scopes

Elaborator::Block Elaborator::new_block(Namespace& outer, const std::string& path, bool is_file) {
  Block block{&globals_.new_namespace(&outer), &globals_.new_namespace(nullptr), is_file};
  block.scope->path = path;
  return block;
}

// What was defined so far may be held by a closure, which must not see what follows.
void Elaborator::next_frame(Block& block) {
  Namespace& next = globals_.new_namespace(block.scope);
  next.path = block.scope->path;
  next.is_main = block.scope->is_main;
  block.scope = &next;
}

bool Elaborator::claim(std::map<std::string, SourceRange>& names, const ast::Identifier& name) {
  const auto [known, is_new] = names.emplace(name.text, name.at);
  if (!is_new)
    report(Message::duplicate_definition, name.at, name.text)
        .notes.push_back({known->second, "it is defined here first"});
  return is_new;
}

template <typename Entry>
void Elaborator::add(Block& block, std::map<std::string, Entry> Namespace::* kind,
                     const std::string& name, Entry entry, bool local) {
  (block.scope->*kind).insert_or_assign(name, entry);
  if (!local) (block.members->*kind).insert_or_assign(name, entry);
}

// ---- Definitions

void Elaborator::define(Block& block, const ast::Definition& definition, bool local) {
  match(
      definition.node,
      [&](const ast::ValueDefinition& value) { define(block, value, definition, local); },
      [&](const ast::TypeDefinition& type) { define(block, type, local); },
      [&](const ast::ModuleDefinition& module) { define(block, module, local); },
      [&](const ast::ModuleTypeDefinition& type) { define(block, type, local); },
      [&](const ast::Open& opened) {
        open(block, evaluate(opened.module, *block.scope, block.scope->path), opened.module.at,
             local);
      },
      [&](const ast::Import& file) {
        open(block, import(file.path, definition.at), definition.at, true);
      },
      [&](const ast::Local& inner) { define(block, *inner.definition, true); });
}

void Elaborator::define(Block& block, const ast::ValueDefinition& value,
                        const ast::Definition& definition, bool local) {
  if (!claim(block.terms, value.name)) return;
  if (value.is_entry && !block.is_file)
    report(Message::nested_entry, value.name.at, value.name.text);
  // It is visible to what follows only, so that nothing is recursive.
  GlobalValue& checked =
      globals_.new_value({.syntax = &definition, .home = block.scope, .name = {}, .scheme = {}});
  globals_.ensure_checked(checked);
  add(block, &Namespace::values, value.name.text, &checked, local);
}

void Elaborator::define(Block& block, const ast::TypeDefinition& type, bool local) {
  if (!claim(block.types, type.name)) return;
  TypeAbbreviation abbreviation =
      check::Checker(globals_, *block.scope)
          .abbreviation(type.liftedness, type.name, type.params, type.type);
  add(block, &Namespace::types, type.name.text, std::move(abbreviation), local);
}

void Elaborator::define(Block& block, const ast::ModuleDefinition& module, bool local) {
  if (module.name.text == "core") {
    report(Message::reserved_module, module.name.at, module.name.text);
    return;
  }
  if (!claim(block.terms, module.name)) return;
  const std::string path = block.scope->path + module.name.text + ".";
  Module value;
  if (!module.params.empty()) {
    std::vector<const ast::ModuleParam*> further;
    for (std::size_t i = 1; i < module.params.size(); ++i) further.push_back(&module.params[i]);
    value = make(
        {module.params[0].name.text, &module.params[0].type, block.scope,
         Functor::Body{std::move(further), module.type ? &*module.type : nullptr, &module.body},
         module.name.at},
        path);
  } else {
    value = evaluate(module.body, *block.scope, path);
    if (module.type) value = ascribe(value, *module.type, *block.scope, module.name.at, path);
  }
  next_frame(block);
  add(block, &Namespace::modules, module.name.text, value, local);
}

void Elaborator::define(Block& block, const ast::ModuleTypeDefinition& type, bool local) {
  if (!claim(block.module_types, type.name)) return;
  if (purpose_ == Purpose::judge) parameter(type.type, *block.scope, "");
  const check::ModuleType value{&type.type, block.scope};
  next_frame(block);
  add(block, &Namespace::module_types, type.name.text, value, local);
}

void Elaborator::open(Block& block, const Module& module, SourceRange at, bool local) {
  if (module.functor) report(Message::parametric_module, at, globals_.sources.text(at));
  if (!module.members) return;
  next_frame(block);
  for (const auto& [name, value] : module.members->values)
    add(block, &Namespace::values, name, value, local);
  for (const auto& [name, type] : module.members->types)
    add(block, &Namespace::types, name, type, local);
  for (const auto& [name, inner] : module.members->modules)
    add(block, &Namespace::modules, name, inner, local);
  for (const auto& [name, type] : module.members->module_types)
    add(block, &Namespace::module_types, name, type, local);
}

}  // namespace boustro::modules
