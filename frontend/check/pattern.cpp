// Patterns: bind names, and say what the matched value looks like.
#include <functional>
#include <set>

#include "frontend/check/checker.hpp"
#include "frontend/check/match.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {

namespace {

/// Every identifier that a pattern binds.
void for_each_identifier(const ast::Pattern& pattern,
                         const std::function<void(const ast::Identifier&)>& visit) {
  const auto inside = [&](const ast::Pattern& part) { for_each_identifier(part, visit); };
  match(
      pattern.node, [&](const ast::NamePattern& name) { visit(name.name); },
      [&](const ast::TuplePattern& tuple) {
        for (const ast::Pattern& element : tuple.elements) inside(element);
      },
      [&](const ast::RecordPattern& record) {
        for (const ast::FieldPattern& field : record.fields) {
          if (field.pattern)
            inside(*field.pattern);
          else
            visit(field.name);
        }
      },
      [&](const ast::ConstructorPattern& constructor) {
        for (const ast::Pattern& payload : constructor.payload) inside(payload);
      },
      [&](const ast::AscribedPattern& ascribed) { inside(*ascribed.pattern); },
      [&](const ast::AttributedPattern& attributed) { inside(*attributed.pattern); },
      [](const auto&) {});
}

}  // namespace

void Checker::check_distinct(const std::vector<ast::TypeParam>& type_params,
                             const std::vector<ast::Pattern>& params) {
  std::set<std::string> sizes, types;
  for (const ast::TypeParam& param : type_params) {
    std::set<std::string>& names = param.kind == ast::TypeParam::Kind::size ? sizes : types;
    if (!names.insert(param.name.text).second)
      report(Message::bound_twice, param.name.at, param.name.text);
  }
  for (const ast::Pattern& param : params)
    for_each_identifier(param, [&](const ast::Identifier& name) {
      if (sizes.count(name.text)) report(Message::bound_twice, name.at, name.text);
    });
}

void Checker::check_sizes_named(const std::vector<ast::Identifier>& sizes,
                                const ast::Pattern& pattern) {
  const std::string_view text = globals_.sources.text(pattern.at);
  for (const ast::Identifier& size : sizes) {
    for_each_identifier(pattern, [&](const ast::Identifier& name) {
      if (name.text == size.text) report(Message::bound_twice, name.at, name.text);
    });
    if (text.find("[" + size.text + "]") == std::string_view::npos)
      report(Message::size_of_nothing, size.at, size.text);
  }
}

Pattern Checker::pattern(const ast::Pattern& syntax, const Type& type) {
  const SourceRange at = syntax.at;
  return match(
      syntax.node,
      [&](const ast::NamePattern& name) -> Pattern {
        return {NamePattern{bind(name.name.text, type)}, type, false, at};
      },
      [&](const ast::WildcardPattern&) -> Pattern { return {WildcardPattern{}, type, false, at}; },
      [&](const ast::LiteralPattern& literal) { return literal_pattern(literal, type, at); },
      [&](const ast::TuplePattern& tuple) { return tuple_pattern(tuple, type, at); },
      [&](const ast::RecordPattern& record) { return record_pattern(record, type, at); },
      [&](const ast::ConstructorPattern& constructor) {
        return constructor_pattern(constructor, type, at);
      },
      [&](const ast::AscribedPattern& ascribed) { return ascribed_pattern(ascribed, type, at); },
      [&](const ast::AttributedPattern& attributed) {
        Pattern result = pattern(*attributed.pattern, type);
        check_pattern_attribute(attributed.attribute, result);
        return result;
      });
}

Pattern Checker::ascribed_pattern(const ast::AscribedPattern& syntax, const Type& type,
                                  SourceRange at) {
  const WrittenType annotation = written(syntax.type);
  const Type expected = flexible(annotation, syntax.type.at);
  if (const auto failure = inference_.unify(expected, type))
    mismatch(at, expected, type, *failure, "the pattern says so here", syntax.type.at);
  Pattern result = pattern(*syntax.pattern, expected);
  result.unique = result.unique || annotation.unique;
  // A loop parameter whose type is written without `*` is consumed by nothing.
  if (in_loop_pattern_ && annotation.unique_fields.empty()) remember_lasting(result);
  auto* record = std::get_if<RecordPattern>(&result.node);
  if (!record && !annotation.unique_fields.empty()) result.unique = true;
  if (record)
    for (PatternField& field : record->fields)
      for (const std::string& unique : annotation.unique_fields)
        if (field.name == unique) field.pattern.unique = true;
  return result;
}

Pattern Checker::tuple_pattern(const ast::TuplePattern& tuple, const Type& type, SourceRange at) {
  std::vector<Type> types;
  const Type resolved = inference_.resolve(type);
  const auto* record = std::get_if<RecordType>(&resolved.node);
  if (record && record->fields.size() == tuple.elements.size() &&
      (tuple.elements.empty() || is_tuple(*record))) {
    for (const Field& field : record->fields) types.push_back(field.type);
  } else {
    for (const ast::Pattern& element : tuple.elements) types.push_back(fresh(element.at));
    const Type expected = tuple_type(types);
    if (const auto failure = inference_.unify(expected, type))
      mismatch(at, expected, type, *failure, "", {});
  }
  RecordPattern result;
  for (std::size_t i = 0; i < tuple.elements.size(); ++i)
    result.fields.push_back({std::to_string(i), pattern(tuple.elements[i], types[i])});
  return {std::move(result), type, false, at};
}

Pattern Checker::record_pattern(const ast::RecordPattern& record, const Type& type,
                                SourceRange at) {
  RecordPattern result;
  RecordType expected;
  for (const ast::FieldPattern& field : record.fields) {
    if (find_field(expected, field.name.text)) {
      report(Message::duplicate_field, field.name.at, field.name.text);
      continue;
    }
    expected.fields.push_back({field.name.text, fresh(field.name.at)});
  }
  sort_fields(expected.fields);
  if (const auto failure = inference_.unify({expected}, type))
    mismatch(at, {expected}, type, *failure, "", {});
  for (const ast::FieldPattern& field : record.fields) {
    const Type& field_type = find_field(expected, field.name.text)->type;
    Pattern inner = field.pattern ? pattern(*field.pattern, field_type)
                                  : Pattern{NamePattern{bind(field.name.text, field_type)},
                                            field_type, false, field.name.at};
    result.fields.push_back({field.name.text, std::move(inner)});
  }
  return {std::move(result), type, false, at};
}

Pattern Checker::constructor_pattern(const ast::ConstructorPattern& syntax, const Type& type,
                                     SourceRange at) {
  Constructor constructor{syntax.constructor.text, {}};
  for (const ast::Pattern& payload : syntax.payload)
    constructor.payload.push_back(fresh(payload.at));
  const Type expected = inference_.fresh_type(at, {.fields = {}, .constructors = {constructor}});
  if (const auto failure = inference_.unify(expected, type)) {
    source::Diagnostic& diagnostic =
        report(Message::no_such_constructor, at, syntax.constructor.text, inference_.print(type));
    if (!failure->empty()) diagnostic.notes.push_back({at, *failure});
  }
  ConstructorPattern result{syntax.constructor.text, {}};
  for (std::size_t i = 0; i < syntax.payload.size(); ++i)
    result.payload.push_back(pattern(syntax.payload[i], constructor.payload[i]));
  return {std::move(result), type, false, at};
}

Pattern Checker::literal_pattern(const ast::LiteralPattern& syntax, const Type& type,
                                 SourceRange at) {
  LiteralPattern result;
  const auto expect_type = [&](const Type& literal_type) {
    if (const auto failure = inference_.unify(type, literal_type))
      mismatch(at, type, literal_type, *failure, "", {});
  };
  match(
      syntax.literal,
      [&](const ast::IntLiteral& literal) {
        result.value = {PrimType::u64, literal.value};
        if (syntax.negated)
          result.value =
              PrimValue::of_int(PrimType::i64, -static_cast<std::int64_t>(literal.value));
        expect_type(literal.suffix ? prim_type(*literal.suffix) : fresh(at, TypeClass::numeric));
      },
      [&](const ast::FloatLiteral& literal) {
        result.value =
            PrimValue::of_float(PrimType::f64, syntax.negated ? -literal.value : literal.value);
        expect_type(literal.suffix ? prim_type(*literal.suffix) : fresh(at, TypeClass::floating));
      },
      [&](const ast::BoolLiteral& literal) {
        result.value = PrimValue::of_bool(literal.value);
        expect_type(boolean());
      },
      [&](const ast::CharLiteral& literal) {
        result.value = {PrimType::u64, literal.value};
        expect_type(fresh(at, TypeClass::numeric));
      });
  return {std::move(result), type, false, at};
}

}  // namespace boustro::check
