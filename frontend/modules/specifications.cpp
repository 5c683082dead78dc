// What a module type says of each member, and whether a module has it.
#include <algorithm>
#include <set>

#include "frontend/check/match.hpp"
#include "frontend/check/sizes.hpp"
#include "frontend/modules/elaborator.hpp"
#include "frontend/modules/show.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::modules {

using check::Liftedness;
using check::match;
using check::TypeParam;

namespace {

template <typename Entry>
const Entry* find(const Module& module, std::map<std::string, Entry> Namespace::* kind,
                  const std::string& name) {
  if (!module.members) return nullptr;
  const auto found = (module.members->*kind).find(name);
  return found == (module.members->*kind).end() ? nullptr : &found->second;
}

/// The first size `[]` to the left of an arrow; anywhere if the type is a parameter's.
std::optional<SourceRange> unnamed_size(const ast::Type& type, bool is_parameter) {
  return match(
      type.node, [](const ast::NamedType&) -> std::optional<SourceRange> { return std::nullopt; },
      [&](const ast::ArrayType& array) -> std::optional<SourceRange> {
        if (is_parameter && !array.size) return type.at;
        return unnamed_size(*array.element, is_parameter);
      },
      [&](const ast::TupleType& tuple) -> std::optional<SourceRange> {
        for (const ast::Type& element : tuple.elements)
          if (const auto found = unnamed_size(element, is_parameter)) return found;
        return std::nullopt;
      },
      [&](const ast::RecordType& record) -> std::optional<SourceRange> {
        for (const ast::FieldType& field : record.fields)
          if (const auto found = unnamed_size(field.type, is_parameter)) return found;
        return std::nullopt;
      },
      [](const ast::SumType&) -> std::optional<SourceRange> { return std::nullopt; },
      [](const ast::FunctionType& function) {
        const auto found = unnamed_size(*function.from, true);
        return found ? found : unnamed_size(*function.to, false);
      },
      [&](const ast::UniqueType& unique) { return unnamed_size(*unique.type, is_parameter); },
      [&](const ast::ExistentialType& existential) {
        return unnamed_size(*existential.type, is_parameter);
      });
}

/// The first parameter that is named as one before it is.
const ast::Identifier* repeated_parameter(const ast::Type& type) {
  std::set<std::string> seen;
  const ast::Type* at = &type;
  while (const auto* function = std::get_if<ast::FunctionType>(&at->node)) {
    if (function->param && !seen.insert(function->param->text).second) return &*function->param;
    at = &*function->to;
  }
  return nullptr;
}

/// Does a type with these parameters refine one with those? It may take more types than asked for.
bool may_refine(const std::vector<ast::TypeParam>& params,
                const std::vector<ast::TypeParam>& specified) {
  using Kind = ast::TypeParam::Kind;
  return std::equal(params.begin(), params.end(), specified.begin(), specified.end(),
                    [](const auto& x, const auto& y) {
                      return (x.kind == Kind::size) == (y.kind == Kind::size) && x.kind >= y.kind;
                    });
}

bool have_same_kinds(const std::vector<TypeParam>& a, const std::vector<ast::TypeParam>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [](const TypeParam& x, const ast::TypeParam& y) {
        return (x.kind == TypeParam::Kind::size) == (y.kind == ast::TypeParam::Kind::size);
      });
}

}  // namespace

void Elaborator::missing(const char* kind, const std::string& name, SourceRange specified,
                         const Instance& how) {
  ++wrong_types_;
  report(Message::not_in_module, how.at, kind, how.member + name)
      .notes.push_back({specified, "it is specified here"});
}

// ---- Values

void Elaborator::specify(Namespace& space, const ast::ValueSpec& spec, const Instance& how) {
  check::Checker checker(globals_, space);
  checker.looks_for_hidden = how.make == Make::parameter && how.refinements.empty();
  GlobalValue& value =
      globals_.new_value({.home = &space,
                          .state = GlobalValue::State::checked,
                          .name = globals_.inference.fresh_name(how.path + spec.name.text),
                          .scheme = checker.scheme(spec.params, spec.type)});
  space.values.emplace(spec.name.text, &value);
  if (how.make != Make::seal && checked_.insert(&spec).second) check_form(spec);
  if (how.make == Make::parameter) return;
  GlobalValue* const actual =
      how.module.members ? globals_.member(*how.module.members, spec.name.text) : nullptr;
  if (!actual) {
    if (how.make == Make::view) missing("value", spec.name.text, spec.name.at, how);
    return;
  }
  if (how.make == Make::seal) {  // constants may be sizes, which stay those of the module
    if (value.scheme.params.empty()) value.renamed = actual->renamed;
    return;
  }
  std::string reason;
  const check::Scheme expected = value.scheme;
  if (!expected.anonymous.empty() && !unnamed_size(spec.type, true))
    reason = "a constant must not hide sizes";
  else
    value.renamed = checker.as_specified(*actual, value.scheme, how.at, reason);
  if (value.renamed || wrong_types_ != how.wrong_types) return;
  const std::string name = how.member + spec.name.text;
  report(Message::wrong_value, how.at, name + show(actual->scheme.params),
         globals_.inference.print(actual->scheme.type), name + show(expected.params),
         globals_.inference.print(expected.type))
      .notes.push_back({spec.name.at, reason.empty() ? "it is specified here" : reason});
}

// What is wrong with a specification itself.
void Elaborator::check_form(const ast::ValueSpec& spec) {
  if (const auto at = unnamed_size(spec.type, false)) report(Message::unnamed_size, *at);
  if (const ast::Identifier* name = repeated_parameter(spec.type))
    report(Message::duplicate_definition, name->at, name->text);
}

// ---- Types

void Elaborator::specify(Namespace& space, const ast::TypeSpec& spec, const Instance& how) {
  const TypeAbbreviation* const actual =
      how.make == Make::parameter ? nullptr : find(how.module, &Namespace::types, spec.name.text);
  std::optional<TypeAbbreviation> type = known_type(space, spec, how);
  if (how.make == Make::view) {
    if (actual)
      check_type(spec, type ? &*type : nullptr, *actual, how);
    else
      missing("type", spec.name.text, spec.name.at, how);
    if (!type && actual) type = *actual;
  } else if (!type && how.included_in && how.included_in->types.count(spec.name.text)) {
    type = how.included_in->types.at(spec.name.text);  // included twice, it is the same type
  }
  space.types.emplace(spec.name.text, type ? *type : abstract_type(space, spec, how));
}

// What the specification or a refinement says the type is.
std::optional<TypeAbbreviation> Elaborator::known_type(Namespace& space, const ast::TypeSpec& spec,
                                                       const Instance& how) {
  std::optional<TypeAbbreviation> type;
  if (spec.type)
    type = check::Checker(globals_, space)
               .abbreviation(how.make == Make::parameter && how.refinements.empty()
                                 ? spec.liftedness
                                 : Liftedness::lifted,
                             spec.name, spec.params, *spec.type);
  for (auto refinement = how.refinements.rbegin(); refinement != how.refinements.rend();
       ++refinement) {
    const ast::ModuleTypeWith& with = *refinement->syntax;
    if (with.name.qualifiers.size() != refinement->inside || with.name.name != spec.name.text)
      continue;
    *refinement->known = true;
    if (type) continue;
    *refinement->used = true;
    if (!may_refine(with.params, spec.params))
      report(Message::wrong_refinement, with.name.at, spec.name.text);
    type = check::Checker(globals_, *refinement->home)
               .abbreviation(Liftedness::lifted, spec.name, with.params, with.type);
  }
  if (type) type->liftedness = spec.liftedness;
  return type;
}

TypeAbbreviation Elaborator::abstract_type(Namespace& space, const ast::TypeSpec& spec,
                                           const Instance& how) {
  ++abstract_types_;
  check::TypeVariable type{globals_.inference.fresh_name(how.path + spec.name.text), {}, {}};
  globals_.liftednesses.add(type.name, spec.liftedness);
  TypeAbbreviation result;
  result.params = check::Checker(globals_, space).bind_type_params(spec.params);
  for (const TypeParam& param : result.params) {
    if (param.kind == TypeParam::Kind::size)
      type.sizes.push_back(param.name);
    else
      type.types.push_back(check::variable_type(param.name));
  }
  result.type = {std::move(type)};
  result.liftedness = spec.liftedness;
  return result;
}

void Elaborator::check_type(const ast::TypeSpec& spec, const TypeAbbreviation* known,
                            const TypeAbbreviation& actual, const Instance& how) {
  const std::string name = how.member + spec.name.text;
  const source::Note note{spec.name.at, "it is specified here"};
  if (!have_same_kinds(actual.params, spec.params)) {
    ++wrong_types_;
    const auto shown = [](const auto& params) {
      return params.empty() ? "no" : show(params).substr(1);
    };
    report(Message::wrong_type_parameters, how.at, name, shown(actual.params), shown(spec.params))
        .notes.push_back(note);
  } else if (known && !are_same(*known, actual)) {
    ++wrong_types_;
    report(Message::wrong_type, how.at, name, check::to_string(actual.type), name,
           check::to_string(known->type))
        .notes.push_back(note);
  } else if (!known) {
    check_abstract(spec, actual, name, how);
  }
}

void Elaborator::check_abstract(const ast::TypeSpec& spec, const TypeAbbreviation& actual,
                                const std::string& name, const Instance& how) {
  const source::Note note{spec.name.at, "it is specified here"};
  const Liftedness hidden = actual.anonymous.empty()
                                ? actual.liftedness
                                : std::max(actual.liftedness, Liftedness::size_lifted);
  const Liftedness liftedness = std::max(hidden, globals_.liftednesses.of(actual.type));
  if (liftedness > spec.liftedness)
    report(Message::wrong_liftedness, how.at, check::keyword_of(liftedness), name,
           check::keyword_of(spec.liftedness), name)
        .notes.push_back(note);
  for (const TypeParam& param : actual.params) {
    if (param.kind != TypeParam::Kind::size) continue;
    if (!check::tells_size(actual.type, param.name))
      report(Message::size_only_computed_with, how.at, name, param.name.text).notes.push_back(note);
  }
}

bool Elaborator::are_same(const TypeAbbreviation& a, const TypeAbbreviation& b) {
  if (a.anonymous.size() != b.anonymous.size()) return false;
  check::Substitution as_in_a;
  for (std::size_t i = 0; i < a.params.size(); ++i) {
    const check::Name& name = b.params[i].name;
    if (a.params[i].kind == TypeParam::Kind::size)
      as_in_a.sizes.emplace(name.id, a.params[i].name);
    else
      as_in_a.types.emplace(name.id, check::variable_type(a.params[i].name));
  }
  for (const check::Name& name : b.anonymous)
    as_in_a.sizes.emplace(name.id, globals_.inference.fresh_size(name.text, {}));
  return globals_.inference.try_unify(a.type, check::substitute(b.type, as_in_a));
}

// ---- Modules

void Elaborator::specify(Namespace& space, const ast::ModuleSpec& spec, const Instance& how) {
  Instance inner{how.make,
                 {},
                 how.at,
                 how.path + spec.name.text + ".",
                 how.member + spec.name.text + ".",
                 how.wrong_types};
  for (Refinement refinement : how.refinements) {
    const auto& qualifiers = refinement.syntax->name.qualifiers;
    if (refinement.inside >= qualifiers.size() || qualifiers[refinement.inside] != spec.name.text)
      continue;
    ++refinement.inside;
    inner.refinements.push_back(refinement);
  }
  if (how.make != Make::parameter) {
    const Module* const module = find(how.module, &Namespace::modules, spec.name.text);
    if (module) {
      inner.module = *module;
    } else {
      if (how.make == Make::view) missing("module", spec.name.text, spec.name.at, how);
      inner.make = Make::parameter;
    }
    if (module && !module->members && !module->functor) return;  // it is wrong itself
  }
  space.modules.emplace(spec.name.text, instance(spec.type, space, inner));
}

void Elaborator::specify(Namespace& space, const ast::IncludeSpec& spec, const Instance& how) {
  Instance inner = how;
  inner.included_in = &space;
  const Module included = instance(spec.type, space, inner);
  if (included.functor)
    report(Message::parametric_module, spec.type.at, globals_.sources.text(spec.type.at));
  if (!included.members) return;
  for (const auto& [name, type] : included.members->types) space.types.insert_or_assign(name, type);
  for (const auto& [name, value] : included.members->values)
    space.values.insert_or_assign(name, value);
  for (const auto& [name, module] : included.members->modules)
    space.modules.insert_or_assign(name, module);
}

}  // namespace boustro::modules
