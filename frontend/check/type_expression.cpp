// Types as written, to types.
#include <algorithm>

#include <fmt/format.h>

#include "frontend/check/checker.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/sizes.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {
namespace {

bool mentions(const Type& type, const Name& name) {
  bool found = false;
  for_each_size(type, [&](const Size& size) {
    for_each_name(size, [&](const Name& other) { found = found || other == name; });
  });
  return found;
}

bool is_unique(const ast::Type& type) { return std::holds_alternative<ast::UniqueType>(type.node); }

}  // namespace

WrittenType Checker::written(const ast::Type& type) {
  WrittenType result;
  const ast::Type* at = &type;
  if (const auto* existential = std::get_if<ast::ExistentialType>(&at->node))
    at = &*existential->type;
  result.unique = is_unique(*at);
  if (const auto* tuple = std::get_if<ast::TupleType>(&at->node)) {
    for (std::size_t i = 0; i < tuple->elements.size(); ++i)
      if (is_unique(tuple->elements[i])) result.unique_fields.push_back(std::to_string(i));
  } else if (const auto* record = std::get_if<ast::RecordType>(&at->node)) {
    for (const ast::FieldType& field : record->fields)
      if (is_unique(field.type)) result.unique_fields.push_back(field.name.text);
  }
  result.type = convert(type, result.anonymous);
  return result;
}

Type Checker::flexible(const WrittenType& type, SourceRange at) {
  Substitution substitution;
  for (const Name& name : type.anonymous)
    substitution.sizes.emplace(name.id, inference_.fresh_size(name.text, at));
  return substitute(type.type, substitution);
}

Size Checker::size(const ast::Size& size, std::vector<Name>& anonymous) {
  if (!size) {
    anonymous.push_back(inference_.fresh_name("d" + std::to_string(anonymous.size())));
    return anonymous.back();
  }
  const auto* var = std::get_if<ast::Var>(&(*size)->node);
  if (var && var->name.qualifiers.empty() && !means_value(var->name.name, (*size)->at))
    return AnySize{};
  const std::size_t mistakes = globals_.diagnostics.all().size();
  Exp exp = check(**size);
  if (!expect(i64(), exp, "sizes are of type `i64`")) return AnySize{};
  if (globals_.diagnostics.all().size() != mistakes) return AnySize{};
  const auto result = any_size_of(exp);
  if (result && is_lasting(*result)) return *result;
  source::Diagnostic& diagnostic = report(Message::not_a_size, (*size)->at);
  if (result)
    diagnostic.notes.push_back({(*size)->at,
                                "of arrays, only parameters without `*` may be mentioned:"
                                " name the size by `let` before"});
  return AnySize{};
}

// Reported once for each name: most often it stands in several types.
bool Checker::means_value(const std::string& name, SourceRange at) {
  if (name[0] == '_' || find_value(name, at)) return true;  // `_n` is reported where it is used
  if (unknown_sizes_.insert(name).second)
    report(Message::unknown_name, at, name)
        .notes.push_back(
            {at, fmt::format("write `[{}]` behind the name of the function that it is a "
                             "size parameter of",
                             name)});
  return false;
}

Type Checker::convert(const ast::Type& type, std::vector<Name>& anonymous) {
  return match(
      type.node, [&](const ast::NamedType& named) { return convert(named, type.at, anonymous); },
      [&](const ast::ArrayType& array) {
        Size outer = size(array.size, anonymous);
        Type element = convert(*array.element, anonymous);
        if (const auto hidden = hidden_in(element))
          report(Message::lifted_element, type.at, inference_.print(element), *hidden);
        else if (const auto* name = std::get_if<ast::NamedType>(&array.element->node))
          check_element(*name, type.at);
        return array_type(std::move(outer), std::move(element));
      },
      [&](const ast::TupleType& tuple) {
        std::vector<Type> elements;
        for (const ast::Type& element : tuple.elements)
          elements.push_back(convert(element, anonymous));
        return tuple_type(std::move(elements));
      },
      [&](const ast::RecordType& record) {
        RecordType result;
        for (const ast::FieldType& field : record.fields) {
          if (find_field(result, field.name.text))
            report(Message::duplicate_field, field.name.at, field.name.text);
          else
            result.fields.push_back({field.name.text, convert(field.type, anonymous)});
        }
        sort_fields(result.fields);
        return Type{std::move(result)};
      },
      [&](const ast::SumType& sum) {
        SumType result;
        constexpr std::size_t most = 256;
        if (sum.constructors.size() > most)
          report(Message::too_many_constructors, type.at, sum.constructors.size(), most);
        for (const ast::ConstructorType& constructor : sum.constructors) {
          if (find_constructor(result, constructor.name.text))
            report(Message::duplicate_constructor, constructor.name.at, constructor.name.text);
          Constructor converted{constructor.name.text, {}};
          for (const ast::Type& payload : constructor.payload)
            converted.payload.push_back(convert(payload, anonymous));
          result.constructors.push_back(std::move(converted));
        }
        std::sort(result.constructors.begin(), result.constructors.end(),
                  [](const Constructor& a, const Constructor& b) { return a.name < b.name; });
        return Type{std::move(result)};
      },
      [&](const ast::FunctionType& function) { return convert(function, anonymous); },
      [&](const ast::UniqueType& unique_type) { return convert(*unique_type.type, anonymous); },
      [&](const ast::ExistentialType& existential) {
        Scope scope(*this);
        for (const ast::Identifier& name : existential.sizes)
          anonymous.push_back(bind_size(name.text));
        return convert(*existential.type, anonymous);
      });
}

// An abbreviation may be said to be lifted though what it stands for is not.
void Checker::check_element(const ast::NamedType& element, SourceRange at) {
  const TypeAbbreviation* found = nullptr;
  if (element.name.qualifiers.empty()) found = find_type(element.name.name);
  if (!found || !looks_for_hidden || found->liftedness == Liftedness::plain) return;
  const bool functions = found->liftedness == Liftedness::lifted;
  report(Message::lifted_element, at, ast::to_string(element.name),
         functions ? "functions" : "sizes");
}

Type Checker::convert(const ast::FunctionType& function, std::vector<Name>& anonymous) {
  // What a function type asks of its argument is for the caller to choose.
  const WrittenType from = written(*function.from);
  anonymous.insert(anonymous.end(), from.anonymous.begin(), from.anonymous.end());
  Scope scope(*this);
  std::optional<Name> param;
  if (function.param) param = bind(function.param->text, from.type);
  if (param && !from.unique) lasting_.insert(param->id);
  WrittenType to = written(*function.to);
  if (std::holds_alternative<FunctionType>(to.type.node)) {
    anonymous.insert(anonymous.end(), to.anonymous.begin(), to.anonymous.end());
    to.anonymous.clear();
  }
  return {FunctionType{param, from.type, to.anonymous, to.type,
                       from.unique || !from.unique_fields.empty(), to.unique, to.unique_fields}};
}

Type Checker::convert(const ast::NamedType& type, SourceRange at, std::vector<Name>& anonymous) {
  const std::string& text = type.name.name;
  if (type.name.qualifiers.empty()) {
    for (auto entry = scope_.rbegin(); entry != scope_.rend(); ++entry) {
      const auto* local = std::get_if<LocalType>(&*entry);
      if (local && local->text == text) return variable_type(local->name);
    }
    if (const auto* abbreviation = find_type(text))
      return expand(*abbreviation, type, at, anonymous);
    if (const auto prim = values::prim_type_named(text)) return prim_type(*prim);
  } else {
    const Module module = module_named(type.name.qualifiers, at);
    if (!module.members) return fresh(at);
    const auto found = module.members->types.find(text);
    if (found != module.members->types.end()) return expand(found->second, type, at, anonymous);
  }
  report(Message::unknown_type, at, ast::to_string(type.name));
  return fresh(at);
}

Type Checker::expand(const TypeAbbreviation& abbreviation, const ast::NamedType& type,
                     SourceRange at, std::vector<Name>& anonymous) {
  if (type.args.size() != abbreviation.params.size()) {
    report(Message::type_argument_count, at, ast::to_string(type.name), abbreviation.params.size(),
           type.args.size());
    return fresh(at);
  }
  for_each_variable(abbreviation.type, [&](const Name& name) {
    uses_faulty_type_ = uses_faulty_type_ || inference_.is_variable(name);
  });
  Substitution substitution;
  for (std::size_t i = 0; i < type.args.size(); ++i) {
    const TypeParam& param = abbreviation.params[i];
    const bool wants_size = param.kind == TypeParam::Kind::size;
    if (wants_size != std::holds_alternative<ast::Size>(type.args[i])) {
      report(Message::type_argument_kind, at, ast::to_string(type.name), i + 1,
             wants_size ? "a size" : "a type");
      return fresh(at);
    }
    if (wants_size)
      substitution.sizes.emplace(param.name.id, size(std::get<ast::Size>(type.args[i]), anonymous));
    else
      substitution.types.emplace(
          param.name.id,
          argument_for(shown_param(param, abbreviation),
                       convert(*std::get<ast::Box<ast::Type>>(type.args[i]), anonymous), at));
  }
  for (const Name& name : abbreviation.anonymous) {
    anonymous.push_back(inference_.fresh_name(name.text));
    substitution.sizes.emplace(name.id, anonymous.back());
  }
  return substitute(abbreviation.type, substitution);
}

// ---- Lifted types

// What a type parameter or an abstract type may hide. Functions that a type shows are looked for
// elsewhere.
std::optional<std::string_view> Checker::hidden_in(const Type& type) const {
  const Liftedness liftedness = globals_.liftednesses.of(type);
  if (!looks_for_hidden || liftedness == Liftedness::plain || mentions_function(type))
    return std::nullopt;
  return liftedness == Liftedness::lifted ? "functions" : "sizes";
}

namespace {

bool is_hidden(const Type& type, const Name& param, bool inside) {
  const auto part = [&](const Type& type) { return is_hidden(type, param, inside); };
  return match(
      type.node, [&](const ArrayType& array) { return is_hidden(*array.row, param, true); },
      [&](const RecordType& record) {
        return std::any_of(record.fields.begin(), record.fields.end(),
                           [&](const Field& field) { return part(field.type); });
      },
      [&](const SumType& sum) {
        return std::any_of(sum.constructors.begin(), sum.constructors.end(), [&](const auto& c) {
          return std::any_of(c.payload.begin(), c.payload.end(), part);
        });
      },
      [&](const FunctionType& function) { return part(*function.from) || part(*function.to); },
      [&](const TypeVariable& variable) {
        return (inside && variable.name == param) ||
               std::any_of(variable.types.begin(), variable.types.end(),
                           [&](const Type& arg) { return is_hidden(arg, param, true); });
      },
      [](const auto&) { return false; });
}

}  // namespace

// A lifted abbreviation whose definition shows the parameter outside of arrays and abstract types,
// such as `type^ pair 'a = (a, a)`, may be used for what is lifted.
TypeParam Checker::shown_param(TypeParam param, const TypeAbbreviation& abbreviation) const {
  if (param.kind == TypeParam::Kind::type && !is_hidden(abbreviation.type, param.name, false)) {
    if (abbreviation.liftedness == Liftedness::lifted) param.kind = TypeParam::Kind::lifted;
    if (abbreviation.liftedness == Liftedness::size_lifted)
      param.kind = TypeParam::Kind::size_lifted;
  }
  return param;
}

Type Checker::argument_for(const TypeParam& param, Type type, SourceRange at) {
  if (param.kind != TypeParam::Kind::type) return type;
  if (const auto hidden = hidden_in(type))
    report(Message::lifted_argument, at, inference_.print(type), param.name.text, *hidden);
  return type;
}

// ---- Definitions of types, specifications of values

TypeAbbreviation Checker::abbreviation(Liftedness liftedness, const ast::Identifier& name,
                                       const std::vector<ast::TypeParam>& params,
                                       const ast::Type& type) {
  TypeAbbreviation result;
  Scope scope(*this);
  result.params = bind_type_params(params);
  check_distinct(params, {});
  WrittenType converted = written(type);
  result.liftedness = liftedness;
  const Liftedness needed = globals_.liftednesses.of(converted.type);
  if (needed == Liftedness::lifted && liftedness != Liftedness::lifted)
    report(Message::functions_in_type, name.at, name.text);
  else if (liftedness == Liftedness::plain &&
           (needed == Liftedness::size_lifted || !converted.anonymous.empty()))
    report(Message::anonymous_size_in_type, name.at, name.text);
  result.type = std::move(converted.type);
  result.anonymous = std::move(converted.anonymous);
  for (const Name& size : result.anonymous)
    if (!tells_size(result.type, size)) report(Message::hidden_size_in_type, name.at, name.text);
  for (const TypeParam& param : result.params) {
    if (param.kind == TypeParam::Kind::size && !mentions(result.type, param.name))
      report(Message::size_of_nothing, param.at, param.name.text);
  }
  return result;
}

Scheme Checker::scheme(const std::vector<ast::TypeParam>& params, const ast::Type& type) {
  Scope scope(*this);
  Scheme result;
  result.params = bind_type_params(params);
  WrittenType converted = written(type);
  result.type = std::move(converted.type);
  if (!std::holds_alternative<FunctionType>(result.type.node)) {
    result.anonymous = std::move(converted.anonymous);
    return result;
  }
  for (const Name& name : converted.anonymous)
    result.params.push_back({name, TypeParam::Kind::size, type.at});
  return result;
}

}  // namespace boustro::check
