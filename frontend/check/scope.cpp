// Names: what they stand for, and their instances.
#include "frontend/check/checker.hpp"
#include "frontend/check/sizes.hpp"

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
  for (const ast::TypeParam& param : params) {
    if (param.kind == ast::TypeParam::Kind::size) {
      result.push_back({bind_size(param.name.text), TypeParam::Kind::size, param.name.at});
      continue;
    }
    const auto kind = param.kind == ast::TypeParam::Kind::type          ? TypeParam::Kind::type
                      : param.kind == ast::TypeParam::Kind::size_lifted ? TypeParam::Kind::size_lifted
                                                                        : TypeParam::Kind::lifted;
    const Name name = inference_.fresh_name(param.name.text);
    scope_.push_back(LocalType{param.name.text, name});
    result.push_back({name, kind, param.name.at});
  }
  return result;
}

// ---- Instances -------------------------------------------------------------------------------------

Exp Checker::instantiate(const Name& name, const Scheme& scheme, SourceRange at, bool top_level) {
  Var var{name, {}, {}, top_level};
  Substitution substitution;
  for (const TypeParam& param : scheme.params) {
    if (param.kind == TypeParam::Kind::size) {
      var.size_args.push_back(inference_.fresh_size(param.name.text, at));
      substitution.sizes.emplace(param.name.id, var.size_args.back());
    } else {
      var.type_args.push_back(fresh(at));
      substitution.types.emplace(param.name.id, var.type_args.back());
    }
  }
  return {std::move(var), substitute(scheme.type, substitution), at};
}

Exp Checker::instantiate(const GlobalValue& value, SourceRange at) {
  Exp exp = instantiate(value.name, value.scheme, at, true);
  if (!value.renamed) return exp;

  // Look through the other name: its own arguments, in terms of those of this use.
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
  return {std::move(renamed), exp.type, at};
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
  return inference_.fresh_type(at, {.prims = prims_of(type_class), .fields = {}, .constructors = {}});
}

// ---- Look-up -----------------------------------------------------------------------------------------

std::optional<Exp> Checker::find_value(const std::string& name, SourceRange at) {
  for (auto entry = scope_.rbegin(); entry != scope_.rend(); ++entry) {
    if (const auto* local = std::get_if<LocalValue>(&*entry); local && local->text == name)
      return instantiate(local->name, local->scheme, at, false);
    if (Namespace* const* opened = std::get_if<Namespace*>(&*entry)) {
      if (const GlobalValue* value = globals_.member(**opened, name)) return instantiate(*value, at);
    }
  }
  if (const GlobalValue* value = globals_.find_value(home_, name)) return instantiate(*value, at);
  return std::nullopt;
}

Namespace* Checker::find_module(const std::string& name) {
  for (auto entry = scope_.rbegin(); entry != scope_.rend(); ++entry) {
    Namespace* const* opened = std::get_if<Namespace*>(&*entry);
    if (!opened) continue;
    const auto found = (*opened)->modules.find(name);
    if (found != (*opened)->modules.end()) return found->second;
  }
  return globals_.find_module(home_, name);
}

// x.y.z: fields of a value x, else a member of the module x and then fields of that.
Exp Checker::qualified(const ast::QualifiedName& name) {
  std::vector<std::string> path = name.qualifiers;
  path.push_back(name.name);
  std::size_t next = 0;
  std::optional<Exp> value;
  if (path.size() > 1) value = find_value(path[0], name.at);
  if (value || path.size() == 1) {
    if (!value) value = find_value(path[0], name.at);
    if (!value && path[0] == defining_) {
      report(Message::recursive_definition, name.at, path[0]);
      return wrong(name.at);
    }
    next = 1;
  } else if (path[0] == "intrinsics" && home_.is_prelude) {
    const auto which = intrinsic_named(path[1]);
    source::internal_check(which.has_value(), "the prelude uses an unknown intrinsic " + path[1]);
    return intrinsic(*which, name.at);
  } else if (Namespace* module = find_module(path[0])) {
    next = 1;
    while (next + 1 < path.size() && module->modules.count(path[next]))
      module = module->modules.at(path[next++]);
    if (const GlobalValue* member = globals_.member(*module, path[next])) value = instantiate(*member, name.at);
    if (!value) {
      report(Message::unknown_member, name.at, path[next - 1], path[next]);
      return wrong(name.at);
    }
    ++next;
  } else {
    report(Message::unknown_name, name.at, path[0]);
    return wrong(name.at);
  }
  if (!value) {
    report(Message::unknown_name, name.at, path[0]);
    return wrong(name.at);
  }
  for (; next < path.size(); ++next) value = project(std::move(*value), path[next], name.at);
  return std::move(*value);
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
