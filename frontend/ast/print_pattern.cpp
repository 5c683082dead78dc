// Patterns and literals.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "frontend/ast/printer.hpp"

namespace boustro::ast {
namespace {

bool needs_parentheses(const Pattern& pattern, PatternPlace place) {
  const bool whole = place == PatternPlace::whole || place == PatternPlace::after_case;
  if (whole) return false;
  if (std::holds_alternative<AscribedPattern>(pattern.node)) return true;
  if (std::holds_alternative<AttributedPattern>(pattern.node)) return true;
  if (place == PatternPlace::ascribed) return false;
  if (const auto* constructor = std::get_if<ConstructorPattern>(&pattern.node)) {
    return !constructor->payload.empty();
  }
  const auto* literal = std::get_if<LiteralPattern>(&pattern.node);
  return literal && literal->negated;
}

std::string suffix(const std::optional<PrimType>& type) {
  return type ? std::string(values::name_of(*type)) : "";
}

std::string digits_of(const FloatLiteral& literal) {
  if (std::isinf(literal.value)) return "1e999";
  std::string digits = literal.suffix == PrimType::f32
                           ? fmt::format("{}", static_cast<float>(literal.value))
                           : fmt::format("{}", literal.value);
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return digits;
}

}  // namespace

void Printer::print(const Pattern& pattern, PatternPlace place) {
  const bool parentheses = needs_parentheses(pattern, place);
  if (parentheses) put("(");
  if (const auto* with_type = std::get_if<AscribedPattern>(&pattern.node)) {
    ascribed(*with_type, parentheses ? PatternPlace::whole : place);
  } else {
    std::visit(
        [this](const auto& alternative) {
          if constexpr (requires { node(alternative); }) node(alternative);
        },
        pattern.node);
  }
  if (parentheses) put(")");
}

// After `case` an arrow ends the pattern, so a function type there needs parentheses.
void Printer::ascribed(const AscribedPattern& pattern, PatternPlace place) {
  print(*pattern.pattern, PatternPlace::ascribed);
  put(": ");
  print(pattern.type,
        place == PatternPlace::after_case ? TypeStrength::sum : TypeStrength::arrow);
}

void Printer::node(const NamePattern& pattern) { binder(pattern.name.text); }
void Printer::node(const WildcardPattern&) { put("_"); }

void Printer::node(const LiteralPattern& pattern) {
  if (pattern.negated) put("-");
  std::visit([this](const auto& literal) { node(literal); }, pattern.literal);
}

void Printer::node(const TuplePattern& pattern) {
  put("(");
  filled(pattern.elements, [this](const Pattern& element) { print(element); });
  put(")");
}

void Printer::node(const RecordPattern& pattern) {
  put("{");
  separated(pattern.fields, ", ", [this](const FieldPattern& field) {
    put(field.name.text);
    if (!field.pattern) return;
    put(" = ");
    print(*field.pattern);
  });
  put("}");
}

void Printer::node(const ConstructorPattern& pattern) {
  put("#" + pattern.constructor.text);
  for (const Pattern& part : pattern.payload) {
    put(" ");
    print(part, PatternPlace::param);
  }
}

void Printer::node(const AttributedPattern& pattern) {
  put("#[");
  print(pattern.attribute);
  put("] ");
  print(*pattern.pattern);
}

void Printer::node(const IntLiteral& literal) {
  put(fmt::format("{}{}", literal.value, suffix(literal.suffix)));
}
void Printer::node(const FloatLiteral& literal) { put(digits_of(literal) + suffix(literal.suffix)); }
void Printer::node(const BoolLiteral& literal) { put(literal.value ? "true" : "false"); }

void Printer::node(const CharLiteral& literal) {
  const bool plain = literal.value >= ' ' && literal.value < 0x7F && literal.value != '\'' &&
                     literal.value != '\\';
  put(plain ? fmt::format("'{}'", static_cast<char>(literal.value))
            : fmt::format("'\\{}'", literal.value));
}

void Printer::node(const StringLiteral& literal) {
  put("\"");
  bool after_number = false;  // a digit here would belong to the escape before it
  for (const char c : literal.bytes) {
    const bool control = static_cast<unsigned char>(c) < ' ' || c == 0x7F;
    const bool digit = c >= '0' && c <= '9';
    if (c == '"' || c == '\\') put("\\");
    after_number = control || (after_number && digit);
    put(after_number ? fmt::format("\\{}", static_cast<int>(c)) : std::string(1, c));
  }
  put("\"");
}

}  // namespace boustro::ast
