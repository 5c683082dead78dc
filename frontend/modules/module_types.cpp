// Module types, evaluated for a module.
#include "frontend/check/match.hpp"
#include "frontend/modules/elaborator.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::modules {

using check::match;

namespace {

/// `inner` for a member of what is held against a module type, whose path is "inner."
std::string what_is_held(const std::string& path) {
  return path.empty() ? "this" : "`" + path.substr(0, path.size() - 1) + "`";
}

}  // namespace

Module Elaborator::view(const Module& module, const ast::ModuleType& type, Namespace& home,
                        SourceRange at, const std::string& path) {
  if (!module.members && !module.functor) return {};
  return instance(type, home, {Make::view, module, at, path, "", wrong_types_});
}

Module Elaborator::ascribe(const Module& module, const ast::ModuleType& type, Namespace& home,
                           SourceRange at, const std::string& path) {
  const Module seen = view(module, type, home, at, path);
  if (purpose_ == Purpose::elaborate || !seen.members) return seen;
  const int before = abstract_types_;
  const Module sealed = instance(type, home, {Make::seal, seen, at, path, ""});
  return abstract_types_ == before ? seen : sealed;
}

Module Elaborator::parameter(const ast::ModuleType& type, Namespace& home,
                             const std::string& path) {
  return instance(type, home, {Make::parameter, {}, type.at, path, ""});
}

Module Elaborator::instance(const ast::ModuleType& type, Namespace& home, const Instance& how) {
  return std::visit([&](const auto& node) { return instance(node, home, how); }, type.node);
}

// ---- One kind of module type after the other

Module Elaborator::instance(const ast::ModuleTypeName& name, Namespace& home, const Instance& how) {
  const check::ModuleType* type = find_module_type(name.name, home);
  return type ? instance(*type->syntax, *type->home, how) : Module{};
}

Module Elaborator::instance(const ast::Signature& signature, Namespace& home, const Instance& how) {
  if (how.module.functor) {
    report(Message::unexpected_parametric, how.at, what_is_held(how.member));
    return {};
  }
  Namespace& space = globals_.new_namespace(&home);
  space.path = how.path;
  std::map<std::string, SourceRange> terms, types;
  for (const ast::Spec& spec : signature.specs) {
    const bool is_new = match(
        spec.node, [&](const ast::TypeSpec& type) { return claim(types, type.name); },
        [](const ast::IncludeSpec&) { return true; },
        [&](const auto& value_or_module) { return claim(terms, value_or_module.name); });
    if (is_new) std::visit([&](const auto& node) { specify(space, node, how); }, spec.node);
  }
  return {&space};
}

Module Elaborator::instance(const ast::ModuleTypeWith& with, Namespace& home, const Instance& how) {
  Instance refined = how;
  bool used = false, known = false;
  refined.refinements.push_back({&with, &home, 0, &used, &known});
  const Module result = instance(*with.module_type, home, refined);
  if (used || !result.members) return result;
  report(known ? Message::not_abstract : Message::nothing_to_refine, with.name.at,
         ast::to_string(with.name));
  return result;
}

Module Elaborator::instance(const ast::ModuleArrow& arrow, Namespace& home, const Instance& how) {
  const std::string param = arrow.param ? arrow.param->text : "";
  if (how.make == Make::parameter)
    return make({param, &*arrow.from, &home, Functor::Unknown{&*arrow.to}, how.at}, how.path);
  if (!how.module.functor) {
    report(Message::expected_parametric, how.at, what_is_held(how.member));
    return {};
  }
  if (how.make == Make::seal) return how.module;  // its results are sealed when it is applied
  return make({param, &*arrow.from, &home, Functor::Ascribed{how.module, &*arrow.to}, how.at},
              how.path);
}

const check::ModuleType* Elaborator::find_module_type(const ast::QualifiedName& name,
                                                      Namespace& home) {
  if (name.qualifiers.empty()) {
    const check::ModuleType* type = globals_.find_module_type(home, name.name);
    if (!type) report(Message::unknown_module_type, name.at, name.name);
    return type;
  }
  const std::vector<std::string>& path = name.qualifiers;
  const Module module = named({{path.begin(), path.end() - 1}, path.back(), name.at}, home);
  if (!module.members) return nullptr;
  const auto found = module.members->module_types.find(name.name);
  if (found != module.members->module_types.end()) return &found->second;
  report(Message::unknown_module_type, name.at, ast::to_string(name));
  return nullptr;
}

}  // namespace boustro::modules
