// Types, type parameters and attributes.
#include "frontend/ast/printer.hpp"

namespace boustro::ast {
namespace {

TypeStrength strength_of(const Type& type) {
  if (const auto* named = std::get_if<NamedType>(&type.node)) {
    return named->args.empty() ? TypeStrength::atom : TypeStrength::application;
  }
  if (std::holds_alternative<FunctionType>(type.node)) return TypeStrength::arrow;
  if (std::holds_alternative<ExistentialType>(type.node)) return TypeStrength::arrow;
  if (std::holds_alternative<SumType>(type.node)) return TypeStrength::sum;
  const bool prefix = std::holds_alternative<ArrayType>(type.node) ||
                      std::holds_alternative<UniqueType>(type.node);
  return prefix ? TypeStrength::application : TypeStrength::atom;
}

}  // namespace

void Printer::print(const Type& type, TypeStrength least) {
  const bool parentheses = strength_of(type) < least;
  if (parentheses) put("(");
  std::visit([this](const auto& alternative) { node(alternative); }, type.node);
  if (parentheses) put(")");
}

void Printer::size(const Size& size) {
  put("[");
  if (size) print(**size);
  put("]");
}

void Printer::node(const NamedType& type) {
  put(to_string(type.name));
  for (const TypeArg& arg : type.args) {
    put(" ");
    if (const auto* size_arg = std::get_if<Size>(&arg)) {
      size(*size_arg);
    } else {
      print(*std::get<Box<Type>>(arg), TypeStrength::atom);
    }
  }
}

void Printer::node(const ArrayType& type) {
  size(type.size);
  print(*type.element, TypeStrength::application);
}

void Printer::node(const TupleType& type) {
  put("(");
  filled(type.elements, [this](const Type& element) { print(element); });
  put(")");
}

void Printer::node(const RecordType& type) {
  put("{");
  separated(type.fields, ", ", [this](const FieldType& field) {
    put(field.name.text + ": ");
    print(field.type);
  });
  put("}");
}

void Printer::node(const SumType& type) {
  separated(type.constructors, " | ", [this](const ConstructorType& constructor) {
    put("#" + constructor.name.text);
    for (const Type& part : constructor.payload) {
      put(" ");
      print(part, TypeStrength::atom);
    }
  });
}

void Printer::node(const FunctionType& type) {
  if (type.param) {
    put("(" + type.param->text + ": ");
    print(*type.from);
    put(")");
  } else {
    print(*type.from, TypeStrength::sum);
  }
  put(" -> ");
  print(*type.to);
}

void Printer::node(const UniqueType& type) {
  put("*");
  print(*type.type, TypeStrength::application);
}

void Printer::node(const ExistentialType& type) {
  put("?");
  for (const Identifier& size : type.sizes) put("[" + size.text + "]");
  put(".");
  print(*type.type);
}

void Printer::print(const TypeParam& param) {
  switch (param.kind) {
    case TypeParam::Kind::size: return put("[" + param.name.text + "]");
    case TypeParam::Kind::type: return put("'" + param.name.text);
    case TypeParam::Kind::size_lifted: return put("'~" + param.name.text);
    case TypeParam::Kind::lifted: return put("'^" + param.name.text);
  }
}

void Printer::print(const Attribute& attribute) {
  put(attribute.name);
  if (attribute.args.empty()) return;
  put("(");
  separated(attribute.args, ", ", [this](const Attribute& arg) { print(arg); });
  put(")");
}

}  // namespace boustro::ast
