// Names: what they stand for, and their instances.
#include <map>

#include "frontend/check/checker.hpp"
#include "frontend/check/sizes.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {

Checker::Checker(Globals& globals, Namespace& home)
    : globals_(globals), inference_(globals.inference), home_(home) {}

Name Checker::bind(const std::string& text, Type type) {
  const Name name = inference_.fresh_name(text);
  bind(name, {{}, std::move(type)});
  return name;
}
void Checker::bind(const Name& name, Scheme scheme) {
  scope_.push_back(LocalValue{name.text, name, std::move(scheme)});
}
Name Checker::bind_size(const std::string& text) { return bind(text, i64()); }

std::vector<TypeParam> Checker::bind_type_params(const std::vector<ast::TypeParam>& params) {
  std::vector<TypeParam> result;
  std::map<std::string, SourceRange> seen;
  for (const ast::TypeParam& param : params) {
    if (const auto [first, is_new] = seen.emplace(param.name.text, param.name.at); !is_new)
      report(Message::duplicate_definition, param.name.at, param.name.text)
          .notes.push_back({first->second, "it is defined here first"});
    if (param.kind == ast::TypeParam::Kind::size) {
      result.push_back({bind_size(param.name.text), TypeParam::Kind::size, param.name.at});
      continue;
    }
    const auto kind = param.kind == ast::TypeParam::Kind::type ? TypeParam::Kind::type
                      : param.kind == ast::TypeParam::Kind::size_lifted
                          ? TypeParam::Kind::size_lifted
                          : TypeParam::Kind::lifted;
    const Name name = inference_.fresh_name(param.name.text);
    globals_.liftednesses.add(name, kind);
    inference_.set_lift(name, lift_of(kind));
    scope_.push_back(LocalType{param.name.text, name});
    result.push_back({name, kind, param.name.at});
  }
  return result;
}

// ---- Instances

Exp Checker::instantiate(const Name& name, const Scheme& scheme, SourceRange at, bool top_level) {
  Var var{name, {}, {}, top_level};
  Substitution substitution;
  for (const TypeParam& param : scheme.params) {
    if (param.kind == TypeParam::Kind::size) {
      var.size_args.push_back(inference_.fresh_size(param.name.text, at));
      substitution.sizes.emplace(param.name.id, var.size_args.back());
    } else {
      var.type_args.push_back(inference_.fresh_type(
          at, {.lift = lift_of(param.kind), .fields = {}, .constructors = {}}));
      type_arguments_.push_back({param, var.type_args.back(), at});
      substitution.types.emplace(param.name.id, var.type_args.back());
    }
  }
  return {std::move(var), substitute(scheme.type, substitution), at};
}

Exp Checker::instantiate(const GlobalValue& value, SourceRange at) {
  Exp use = instantiate(value.name, value.scheme, at, true);
  std::get<Var>(use.node).of_prelude = value.home && value.home->is_prelude;
  use = look_through(value, std::move(use));
  return globals_.copied_constants.count(value.syntax) ? own_constant(std::move(use)) : use;
}

// What the value is another name of, with its own arguments in terms of those of this use.
Exp Checker::look_through(const GlobalValue& value, Exp exp) {
  if (!value.renamed) return exp;
  const Var& var = std::get<Var>(exp.node);
  Substitution substitution;
  std::size_t types = 0, sizes = 0;
  for (const TypeParam& param : value.scheme.params) {
    if (param.kind == TypeParam::Kind::size)
      substitution.sizes.emplace(param.name.id, var.size_args.at(sizes++));
    else
      substitution.types.emplace(param.name.id, var.type_args.at(types++));
  }
  Var renamed = *value.renamed;
  for (Type& type : renamed.type_args) type = substitute(type, substitution);
  for (Size& size : renamed.size_args) size = substitute(size, substitution);
  return {std::move(renamed), exp.type, exp.at};
}

Exp Checker::intrinsic(Intrinsic which, SourceRange at) {
  Exp exp = instantiate(intrinsic_name(which), globals_.scheme_of(which), at, false);
  const TypeClass type_class = class_of(which);
  const auto& types = std::get<Var>(exp.node).type_args;
  if (types.empty() || type_class == TypeClass::any) return exp;
  inference_.unify(types[0], fresh(at, type_class));
  if (which == Intrinsic::convert) inference_.unify(types[1], fresh(at, type_class));
  return exp;
}

Type Checker::fresh(SourceRange at, TypeClass type_class) {
  if (type_class == TypeClass::equality)
    return inference_.fresh_type(at, {.equality = true, .fields = {}, .constructors = {}});
  return inference_.fresh_type(at,
                               {.prims = prims_of(type_class), .fields = {}, .constructors = {}});
}

// ---- Look-up

std::optional<Exp> Checker::find_value(const std::string& name, SourceRange at) {
  if (name[0] == '_' && !home_.is_prelude) report(Message::underscore_use, at, name);
  for (auto entry = scope_.rbegin(); entry != scope_.rend(); ++entry) {
    if (const auto* local = std::get_if<LocalValue>(&*entry); local && local->text == name)
      return instantiate(local->name, local->scheme, at, false);
    if (Namespace* const* opened = std::get_if<Namespace*>(&*entry)) {
      if (const GlobalValue* value = globals_.member(**opened, name))
        return instantiate(*value, at);
    }
  }
  if (const GlobalValue* value = globals_.find_value(home_, name)) return instantiate(*value, at);
  return std::nullopt;
}

const Module* Checker::find_module(const std::string& name) {
  for (auto entry = scope_.rbegin(); entry != scope_.rend(); ++entry) {
    Namespace* const* opened = std::get_if<Namespace*>(&*entry);
    if (!opened) continue;
    const auto found = (*opened)->modules.find(name);
    if (found != (*opened)->modules.end()) return &found->second;
  }
  return globals_.find_module(home_, name);
}

// M, M.N: reports it if there is none. A module that was reported before has no members.
Module Checker::module_named(const std::vector<std::string>& path, SourceRange at) {
  const Module* module = find_module(path[0]);
  if (!module) {
    report(Message::unknown_module, at, path[0]);
    return {};
  }
  for (std::size_t i = 1; i < path.size() && module->members; ++i) {
    const auto inner = module->members->modules.find(path[i]);
    if (inner == module->members->modules.end()) {
      report(Message::unknown_member, at, path[i - 1], path[i]);
      return {};
    }
    module = &inner->second;
  }
  if (module->functor) report(Message::parametric_module, at, path.back());
  return *module;
}

const TypeAbbreviation* Checker::find_type(const std::string& name) {
  for (auto entry = scope_.rbegin(); entry != scope_.rend(); ++entry) {
    Namespace* const* opened = std::get_if<Namespace*>(&*entry);
    if (!opened) continue;
    const auto found = (*opened)->types.find(name);
    if (found != (*opened)->types.end()) return &found->second;
  }
  return globals_.find_type(home_, name);
}

// True if the module is nearer than a value of the same name.
bool Checker::means_module(const std::string& name) {
  for (auto entry = scope_.rbegin(); entry != scope_.rend(); ++entry) {
    if (const auto* local = std::get_if<LocalValue>(&*entry); local && local->text == name)
      return false;
    Namespace* const* opened = std::get_if<Namespace*>(&*entry);
    if (opened && (*opened)->modules.count(name)) return true;
    if (opened && (*opened)->values.count(name)) return false;
  }
  for (const Namespace* space = &home_; space; space = space->outer) {
    if (space->modules.count(name)) return true;
    if (space->values.count(name)) return false;
  }
  return globals_.find_module(home_, name) != nullptr;
}

// x.y.z: a member of the module x.y, or fields of a value. Once a value is found all further names
// are fields.
Exp Checker::qualified(const ast::QualifiedName& name) {
  std::vector<std::string> path = name.qualifiers;
  path.push_back(name.name);
  if (path.size() > 1 && path[0] == "intrinsics" && home_.is_prelude) {
    const auto which = intrinsic_named(path[1]);
    source::internal_check(which.has_value(), "the prelude uses an unknown intrinsic " + path[1]);
    return intrinsic(*which, name.at);
  }
  if (path.size() > 1 && means_module(path[0])) return member_of_module(path, name.at);
  auto value = find_value(path[0], name.at);
  if (!value) {
    report(path[0] == defining_ ? Message::recursive_definition : Message::unknown_name, name.at,
           path[0]);
    return wrong(name.at);
  }
  return project(std::move(*value), std::vector<std::string>(path.begin() + 1, path.end()),
                 name.at);
}

Exp Checker::member_of_module(const std::vector<std::string>& path, SourceRange at) {
  const Module* module = find_module(path[0]);
  std::size_t next = 1;
  while (module->members && next + 1 < path.size() && module->members->modules.count(path[next]))
    module = &module->members->modules.at(path[next++]);
  if (module->functor) report(Message::parametric_module, at, path[next - 1]);
  if (!module->members) return wrong(at);
  const GlobalValue* member = globals_.member(*module->members, path[next]);
  if (!member) {
    report(Message::unknown_member, at, path[next - 1], path[next]);
    return wrong(at);
  }
  const std::vector<std::string> fields(path.begin() + static_cast<std::ptrdiff_t>(next) + 1,
                                        path.end());
  Exp use = instantiate(*member, at);
  if (module->members->is_given) use = own_constant(std::move(use));
  return project(std::move(use), fields, at);
}

// What is an array here may be of an abstract type where the body of a parametric module was
// judged. There functions may yield it, which they may not if they share it with a constant.
Exp Checker::own_constant(Exp use) {
  const Type type = inference_.resolve_all(use.type);
  bool holds_arrays = false;
  for_each_size(type, [&](const Size&) { holds_arrays = true; });
  if (!holds_arrays || mentions_function(type)) return use;
  const SourceRange at = use.at;
  return apply(intrinsic(Intrinsic::copy, at), std::move(use), at);
}

Exp Checker::project(Exp value, const std::vector<std::string>& fields, SourceRange at) {
  for (const std::string& field : fields) value = project(std::move(value), field, at);
  return value;
}

// A definition of the program's own comes before the built-in operator.
Exp Checker::operator_named(const ast::QualifiedName& name) {
  if (name.qualifiers.empty()) {
    if (auto value = find_value(name.name, name.at)) return std::move(*value);
    if (const auto which = intrinsic_of_operator(name.name)) return intrinsic(*which, name.at);
  }
  return qualified(name);
}

}  // namespace boustro::check
