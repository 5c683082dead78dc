// Grammar of types.
//
//   type       ::= "(" name ":" type ")" "->" type | type_term ["->" type]
//   type_term  ::= "?" ("[" name "]")+ "." type | "*" type_term | "[" [exp] "]" type_term | sum
//                | qualname type_arg* | type_atom
//   type_arg   ::= "[" [exp] "]" | type_atom
//   type_atom  ::= qualname | "(" ")" | "(" type ("," type)* ")" | "{" field ":" type ... "}"
#pragma once

#include "frontend/parse/attribute.hpp"
#include "frontend/parse/expression.hpp"
#include "frontend/parse/type.hpp"

namespace boustro::parse {

struct type_atom_id {};
const x3::rule<type_atom_id, ast::Type> type_atom = "type_atom";
struct type_arg_id {};
const x3::rule<type_arg_id, ast::TypeArg> type_arg = "type_arg";
struct size_in_brackets_id {};
const x3::rule<size_in_brackets_id, ast::Size> size_in_brackets = "size_in_brackets";
struct field_type_id {};
const x3::rule<field_type_id, ast::FieldType> field_type = "field_type";
struct constructor_type_id {};
const x3::rule<constructor_type_id, ast::ConstructorType> constructor_type = "constructor_type";
struct sum_payload_id {};
const x3::rule<sum_payload_id, ast::Type> sum_payload = "sum_payload";

const auto size_in_brackets_def =
    (BOUSTRO_TOKEN("[") >> -expression >> BOUSTRO_TOKEN("]"))
        [build([](boost::optional<ast::Exp> size) { return to_box(std::move(size)); })];

// ---- Atoms ---------------------------------------------------------------------------------------

const auto field_type_def = (field_name >> BOUSTRO_TOKEN(":") >> type)
    [build([](ast::Identifier name, ast::Type type) {
      return ast::FieldType{std::move(name), std::move(type)};
    })];

const auto named_type = qualified_name[build(
    [](ast::QualifiedName name) { return ast::NamedType{std::move(name), {}}; })];
const auto type_in_parentheses =
    (BOUSTRO_TOKEN("(") >> -comma_list(type) >> BOUSTRO_TOKEN(")"))
        [build([](boost::optional<std::vector<ast::Type>> types) -> ast::Type {
          auto elements = to_vector(std::move(types));
          if (elements.size() == 1) return std::move(elements[0]);
          return {ast::TupleType{std::move(elements)}, {}};
        })];
const auto record_type = (BOUSTRO_TOKEN("{") >> -comma_list(field_type) >> BOUSTRO_TOKEN("}"))
    [build([](boost::optional<std::vector<ast::FieldType>> fields) {
      return ast::RecordType{to_vector(std::move(fields))};
    })];
const auto type_atom_def = located(named_type | type_in_parentheses | record_type);

// ---- Applications, arrays, sums ------------------------------------------------------------------

const auto type_arg_def =
    size_in_brackets[build([](ast::Size size) { return ast::TypeArg(std::move(size)); })]
    | type_atom[build([](ast::Type type) { return ast::TypeArg(ast::Box<ast::Type>(std::move(type))); })];
const auto type_application = (qualified_name >> *unsaid(type_arg))
    [build([](ast::QualifiedName name, std::vector<ast::TypeArg> args) {
      return ast::NamedType{std::move(name), std::move(args)};
    })];

const auto unique_type = (BOUSTRO_TOKEN("*") >> type_term)[build(
    [](ast::Type type) { return ast::UniqueType{std::move(type)}; })];
const auto array_type = (size_in_brackets >> type_term)
    [build([](ast::Size size, ast::Type element) {
      return ast::ArrayType{std::move(size), std::move(element)};
    })];

const auto array_payload = deeper(size_in_brackets >> sum_payload)
    [build([](ast::Size size, ast::Type element) {
      return ast::ArrayType{std::move(size), std::move(element)};
    })];
const auto sum_payload_def = located(type_atom[pass] | array_payload);
const auto constructor_type_def = (constructor >> *unsaid(sum_payload))
    [build([](ast::Identifier name, std::vector<ast::Type> payload) {
      return ast::ConstructorType{std::move(name), std::move(payload)};
    })];
const auto sum_type = (constructor_type % unsaid(BOUSTRO_TOKEN("|")))
    [build([](std::vector<ast::ConstructorType> constructors) {
      return ast::SumType{std::move(constructors)};
    })];

// ---- Quantifiers and arrows ----------------------------------------------------------------------

const auto quantified_type =
    (BOUSTRO_TOKEN("?") >> +size_binder >> BOUSTRO_TOKEN(".") >> type)
        [build([](std::vector<ast::Identifier> sizes, ast::Type type) {
          return ast::ExistentialType{std::move(sizes), std::move(type)};
        })];
const auto type_term_def = located(labelled(
    "a type", deeper(quantified_type | unique_type | array_type | sum_type | type_application
                     | type_in_parentheses | record_type)));

const auto arrow_with_name =
    (&(BOUSTRO_TOKEN("(") >> name >> BOUSTRO_TOKEN(":")) >> BOUSTRO_TOKEN("(") >> name
     >> BOUSTRO_TOKEN(":") >> deeper(type) >> BOUSTRO_TOKEN(")") >> BOUSTRO_TOKEN("->")
     >> deeper(type))[build([](ast::Identifier param, ast::Type from, ast::Type to) {
      return ast::FunctionType{std::move(param), std::move(from), std::move(to)};
    })];
const auto term_or_arrow = (type_term >> -(unsaid(BOUSTRO_TOKEN("->")) >> deeper(type)))
    [build([](ast::Type from, boost::optional<ast::Type> to) -> ast::Type {
      if (!to) return from;
      return {ast::FunctionType{std::nullopt, std::move(from), std::move(*to)}, {}};
    })];
const auto type_def = located(labelled("a type", arrow_with_name | term_or_arrow));

BOOST_SPIRIT_DEFINE(type, type_term, type_atom, type_arg, size_in_brackets, field_type,
                    constructor_type, sum_payload)

}  // namespace boustro::parse
