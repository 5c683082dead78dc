// Module expressions.
#include "frontend/check/match.hpp"
#include "frontend/modules/elaborator.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::modules {

using check::match;

Module Elaborator::evaluate(const ast::ModuleExp& exp, Namespace& home, const std::string& path) {
  return match(
      exp.node, [&](const ast::ModuleName& module) { return named(module.name, home); },
      [&](const ast::ModuleApply& application) {
        const Module function = evaluate(*application.function, home, path);
        const Module argument = evaluate(*application.arg, home, path);
        if (function.functor) return apply(*function.functor, argument, application.arg->at, path);
        if (function.members) report(Message::not_parametric, application.function->at);
        return Module{};
      },
      [&](const ast::ModuleAscribe& ascription) {
        return ascribe(evaluate(*ascription.exp, home, path), ascription.type, home, exp.at, path);
      },
      [&](const ast::ModuleBody& definitions) { return body(definitions, home, path); },
      [&](const ast::ModuleImport& file) { return import(file.path, exp.at); },
      [&](const ast::ModuleLambda& lambda) {
        return make(
            {lambda.param.name.text, &lambda.param.type, &home,
             Functor::Body{{}, lambda.result ? &*lambda.result : nullptr, &*lambda.body}, exp.at},
            path);
      });
}

Module Elaborator::named(const ast::QualifiedName& name, Namespace& home) {
  std::vector<std::string> path = name.qualifiers;
  path.push_back(name.name);
  if (path[0] == "intrinsics") {
    report(Message::intrinsics_module, name.at);
    return {};
  }
  const Module* module = globals_.find_module(home, path[0]);
  if (!module) {
    report(Message::unknown_module, name.at, path[0]);
    return {};
  }
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (module->functor) report(Message::parametric_module, name.at, path[i - 1]);
    if (!module->members) return {};
    const auto inner = module->members->modules.find(path[i]);
    if (inner == module->members->modules.end()) {
      report(Message::not_in_module, name.at, "module", path[i]);
      return {};
    }
    module = &inner->second;
  }
  return *module;
}

Module Elaborator::body(const ast::ModuleBody& body, Namespace& home, const std::string& path) {
  Block block = new_block(home, path, false);
  for (const ast::Definition& definition : body.definitions) define(block, definition, false);
  return {block.members};
}

}  // namespace boustro::modules
