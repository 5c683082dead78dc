// Expressions: the dispatcher, literals, names, records, and what else needs no file of its own.
#include <algorithm>

#include "frontend/check/checker.hpp"
#include "frontend/check/sizes.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {

Exp Checker::check(const ast::Exp& exp) {
  return std::visit([&](const auto& node) { return check_exp(node, exp.at); }, exp.node);
}

// ---- Literals. Their value gets its type when that is known: finish.cpp.

Exp Checker::check_exp(const ast::IntLiteral& literal, SourceRange at) {
  const Type type = literal.suffix ? prim_type(*literal.suffix) : fresh(at, TypeClass::numeric);
  // 255i8 and 0xffi8 are patterns of bits.
  const bool fits = literal.suffix && values::is_integer(*literal.suffix) &&
                    (values::byte_size(*literal.suffix) == 8 ||
                     literal.value >> 8 * values::byte_size(*literal.suffix) == 0);
  if (fits)
    return {Literal{PrimValue::of_int(*literal.suffix, static_cast<std::int64_t>(literal.value))},
            type, at};
  return {Literal{{PrimType::u64, literal.value}}, type, at};
}
Exp Checker::check_exp(const ast::FloatLiteral& literal, SourceRange at) {
  const Type type = literal.suffix ? prim_type(*literal.suffix) : fresh(at, TypeClass::floating);
  return {Literal{PrimValue::of_float(PrimType::f64, literal.value)}, type, at};
}
Exp Checker::check_exp(const ast::BoolLiteral& literal, SourceRange at) {
  return {Literal{PrimValue::of_bool(literal.value)}, boolean(), at};
}
Exp Checker::check_exp(const ast::CharLiteral& literal, SourceRange at) {
  return {Literal{{PrimType::u64, literal.value}}, fresh(at, TypeClass::numeric), at};
}
Exp Checker::check_exp(const ast::StringLiteral& literal, SourceRange at) {
  const Size size = static_cast<SizeConstant>(literal.bytes.size());
  return {StringLiteral{literal.bytes}, array_type(size, prim_type(PrimType::u8)), at};
}

// ---- Names, records, arrays

Exp Checker::check_exp(const ast::Var& var, SourceRange at) {
  ast::QualifiedName name = var.name;
  name.at = at;
  return operator_named(name);
}
Exp Checker::check_exp(const ast::Hole&, SourceRange at) { return {Hole{}, fresh(at), at}; }

Exp Checker::check_exp(const ast::Tuple& tuple, SourceRange at) {
  Record record;
  std::vector<Type> types;
  for (std::size_t i = 0; i < tuple.elements.size(); ++i) {
    Exp element = check(tuple.elements[i]);
    types.push_back(element.type);
    record.fields.push_back({std::to_string(i), std::move(element)});
  }
  return {std::move(record), tuple_type(std::move(types)), at};
}

Exp Checker::check_exp(const ast::Record& syntax, SourceRange at) {
  Record record;
  RecordType type;
  for (const ast::FieldExp& field : syntax.fields) {
    if (find_field(type, field.name.text)) {
      report(Message::duplicate_field, field.name.at, field.name.text);
      continue;
    }
    Exp value = field.value ? check(*field.value) : qualified({{}, field.name.text, field.name.at});
    type.fields.push_back({field.name.text, value.type});
    record.fields.push_back({field.name.text, std::move(value)});
  }
  sort_fields(type.fields);
  return {std::move(record), {std::move(type)}, at};
}

Exp Checker::check_exp(const ast::ArrayLiteral& syntax, SourceRange at) {
  ArrayLiteral array;
  const Type row = fresh(at);
  for (const ast::Exp& element : syntax.elements) {
    array.elements.push_back(check(element));
    if (array.elements.size() == 1)
      expect(row, array.elements[0], "by the array");
    else
      expect(row, array.elements.back(), "all elements are of the type of the first",
             array.elements[0].at);
  }
  restrict_result(row, Lift::plain, "an element of an array", at);
  const Size size = static_cast<SizeConstant>(array.elements.size());
  return {std::move(array), array_type(size, row), at};
}

Exp Checker::check_exp(const ast::LocalOpen& open, SourceRange at) {
  std::vector<std::string> path = open.module.qualifiers;
  path.push_back(open.module.name);
  const Module module = module_named(path, open.module.at);
  if (!module.members) return wrong(at);
  Scope scope(*this);
  scope_.push_back(module.members);
  return check(*open.body);
}

Exp Checker::check_exp(const ast::Project& syntax, SourceRange at) {
  return project(check(*syntax.record), syntax.field.text, at);
}
Exp Checker::project(Exp record, const std::string& field, SourceRange at) {
  const Type resolved = inference_.resolve(record.type);
  if (const auto* known = std::get_if<RecordType>(&resolved.node)) {
    if (const Field* found = find_field(*known, field))
      return {Project{std::move(record), field}, found->type, at};
  }
  const Type type = fresh(at);
  const Type expected = inference_.fresh_type(at, {.fields = {{field, type}}, .constructors = {}});
  if (inference_.unify(expected, record.type)) {
    report(Message::no_such_field, at, field, inference_.print(record.type));
    return wrong(at);
  }
  return {Project{std::move(record), field}, type, at};
}

Exp Checker::check_exp(const ast::Construct& syntax, SourceRange at) {
  Construct construct{syntax.constructor.text, {}};
  Constructor constructor{syntax.constructor.text, {}};
  for (const ast::Exp& payload : syntax.payload) {
    construct.payload.push_back(check(payload));
    constructor.payload.push_back(construct.payload.back().type);
  }
  const Type type = inference_.fresh_type(at, {.fields = {}, .constructors = {constructor}});
  return {std::move(construct), type, at};
}

// ---- Ascriptions, assertions, attributes

Exp Checker::check_exp(const ast::Ascribe& ascribe, SourceRange at) {
  Exp exp = check(*ascribe.exp);
  const Type type = flexible(written(ascribe.type), ascribe.type.at);
  exp.at = at;
  expect(type, exp, "by this type", ascribe.type.at);
  return exp;
}

Exp Checker::check_exp(const ast::Coerce& syntax, SourceRange at) {
  Exp exp = check(*syntax.exp);
  WrittenType type = written(syntax.type);
  // `#none :> opt ([2]i64)`: a size that is to be compared must be known, `[]` need not be.
  const auto compared = [&](const Size& size) {
    const bool is_any =
        std::any_of(type.anonymous.begin(), type.anonymous.end(),
                    [&](const Name& anonymous) { return equal_sizes(size, anonymous); });
    return is_any ? inference_.fresh_unneeded_size()
                  : inference_.fresh_size(to_string(size), exp.at);
  };
  const Type expected = rewrite(type.type, {.size = compared, .variable = {}});
  if (const auto failure = inference_.unify(expected, without_sizes(exp.type)))
    mismatch(exp.at, type.type, exp.type, *failure, "only sizes can be coerced", syntax.type.at);
  return {Coerce{std::move(exp), type.type, type.anonymous}, type.type, at};
}

Exp Checker::check_exp(const ast::Assert& syntax, SourceRange at) {
  Exp condition = check(*syntax.condition);
  expect(boolean(), condition, "a condition is a `bool`");
  Exp exp = check(*syntax.exp);
  const Type type = exp.type;
  return {Assert{std::move(condition), std::move(exp),
                 std::string(globals_.sources.text(syntax.condition->at))},
          type, at};
}

namespace {

std::string text_of(const ast::Attribute& attribute) {
  if (attribute.args.empty()) return attribute.name;
  std::string args;
  for (const ast::Attribute& arg : attribute.args)
    args += (args.empty() ? "" : ", ") + text_of(arg);
  return attribute.name + "(" + args + ")";
}

}  // namespace

Attribute attribute_of(const ast::Attribute& syntax) {
  Attribute attribute{syntax.name, {}, syntax.at};
  for (const ast::Attribute& arg : syntax.args) attribute.args.push_back(text_of(arg));
  return attribute;
}

Exp Checker::check_exp(const ast::Attributed& syntax, SourceRange at) {
  Exp exp = check(*syntax.exp);
  check_loop_attribute(syntax.attribute, exp);
  if (syntax.attribute.name == "reorder") check_reorder(syntax.attribute, exp);
  const Type type = exp.type;
  return {Attributed{attribute_of(syntax.attribute), std::move(exp)}, type, at};
}

}  // namespace boustro::check
