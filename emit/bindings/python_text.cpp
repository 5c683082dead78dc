#include "emit/bindings/python_text.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "emit/plan/build.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::bindings {
namespace {

/// `x + y`, or `min(x, y)` where `call` says so; nothing if Python has no such operator.
std::string operation(const Function& function, const plan::Expr& expr, std::string_view symbol, bool call) {
  const std::string x = python_expression(function, expr.args.at(0)), y = python_expression(function, expr.args.at(1));
  return call ? fmt::format("{}({}, {})", symbol, x, y) : fmt::format("({} {} {})", x, symbol, y);
}

std::string_view symbol_of(const plan::Expr& expr) {
  if (const auto* op = std::get_if<plan::Op>(&expr.head)) {
    switch (*op) {
      case plan::Op::add: return "+";
      case plan::Op::sub: return "-";
      case plan::Op::mul: return "*";
      case plan::Op::div: return "//";  // of what is not negative
      default: return "";
    }
  }
  const auto* intrinsic = std::get_if<plan::Intrinsic>(&expr.head);
  const auto* kind = intrinsic ? std::get_if<ir::BinOpKind>(&intrinsic->fn) : nullptr;
  if (!kind || intrinsic->type != values::PrimType::i64) return "";
  switch (*kind) {
    case ir::BinOpKind::min: return "min";
    case ir::BinOpKind::max: return "max";
    case ir::BinOpKind::add: return "+";
    case ir::BinOpKind::sub: return "-";
    case ir::BinOpKind::mul: return "*";
    case ir::BinOpKind::div: return "//";
    default: return "";
  }
}

}  // namespace

std::string python_identifier(const std::string& name) {
  static const std::set<std::string> keywords = {"False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
                                                 "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
                                                 "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
                                                 "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  return keywords.contains(name) ? name + "_" : name;
}

bool is_python_identifier(const std::string& name) {
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) && python_identifier(name) == name &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) { return c == '_' || (c < 128 && std::isalnum(c)); });
}

std::string python_expression(const Function& function, const plan::Expr& expr) {
  if (const auto* variable = std::get_if<plan::Var>(&expr.head)) return python_identifier(variable->name);
  if (const auto* literal = std::get_if<plan::Literal>(&expr.head)) return std::to_string(literal->value.as_int());
  if (std::holds_alternative<plan::Cast>(expr.head)) return python_expression(function, expr.args.at(0));
  if (const std::string_view symbol = symbol_of(expr); !symbol.empty())
    return operation(function, expr, symbol, symbol == "min" || symbol == "max");
  source::refuse(source::Message::plan_cannot_translate, function.at,
                 fmt::format("a binding of JAX: a result of `{}` has the extent {}", function.name, to_string(expr)));
}

std::string python_docstring(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    for (std::size_t at = 0; (at = line.find_first_of("\\\"", at)) != line.npos; at += 2) line.insert(at, "\\");
    result += result.empty() ? "    \"\"\"" + line + "\n" : line.empty() ? "\n" : "    " + line + "\n";
  }
  return result + "    \"\"\"\n";
}

}  // namespace boustro::bindings
