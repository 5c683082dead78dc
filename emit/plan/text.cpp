// Types and expressions as C++ text, for messages, explain and comments.
#include <fmt/format.h>

#include "emit/plan/build.hpp"

namespace boustro::plan {

std::string_view symbol_of(Op op) {
  switch (op) {
    case Op::neg:
      return "-";
    case Op::logical_not:
      return "!";
    case Op::complement:
      return "~";
    case Op::address:
      return "&";
    case Op::dereference:
      return "*";
    case Op::mul:
      return "*";
    case Op::div:
      return "/";
    case Op::rem:
      return "%";
    case Op::add:
      return "+";
    case Op::sub:
      return "-";
    case Op::lt:
      return "<";
    case Op::le:
      return "<=";
    case Op::gt:
      return ">";
    case Op::ge:
      return ">=";
    case Op::eq:
      return "==";
    case Op::ne:
      return "!=";
    case Op::bit_and:
      return "&";
    case Op::bit_xor:
      return "^";
    case Op::bit_or:
      return "|";
    case Op::logical_and:
      return "&&";
    case Op::logical_or:
      return "||";
    case Op::select:
      return "?";
  }
  return "";
}

std::string_view name_of(Position position) {
  switch (position) {
    case Position::thread_x:
      return "threadIdx.x";
    case Position::thread_y:
      return "threadIdx.y";
    case Position::block_x:
      return "blockIdx.x";
    case Position::block_y:
      return "blockIdx.y";
    case Position::block_z:
      return "blockIdx.z";
    case Position::block_width_x:
      return "blockDim.x";
    case Position::block_width_y:
      return "blockDim.y";
    case Position::grid_width_x:
      return "gridDim.x";
    case Position::grid_width_y:
      return "gridDim.y";
    case Position::grid_width_z:
      return "gridDim.z";
  }
  return "";
}

std::string_view cpp_name(PrimType prim) {
  switch (prim) {
    case PrimType::i8:
      return "int8_t";
    case PrimType::i16:
      return "int16_t";
    case PrimType::i32:
      return "int";
    case PrimType::i64:
      return "int64_t";
    case PrimType::u8:
      return "uint8_t";
    case PrimType::u16:
      return "uint16_t";
    case PrimType::u32:
      return "unsigned";
    case PrimType::u64:
      return "uint64_t";
    case PrimType::f16:
      return "__half";
    case PrimType::f32:
      return "float";
    case PrimType::f64:
      return "double";
    case PrimType::boolean:
      return "bool";
  }
  return "";
}

namespace {

/// The arguments, joined by commas.
std::string list(const std::vector<Expr>& args) {
  std::string result;
  for (const Expr& arg : args) result += (result.empty() ? "" : ", ") + to_string(arg);
  return result;
}

/// In parentheses unless it is a primary expression.
std::string operand(const Expr& expr) {
  const auto* op = std::get_if<Op>(&expr.head);
  return op ? "(" + to_string(expr) + ")" : to_string(expr);
}

bool is_product(Op op) { return op == Op::mul || op == Op::div || op == Op::rem; }
bool is_sum(Op op) { return op == Op::add || op == Op::sub; }

/// Operators are taken from left to right, products before sums.
bool stands_bare(Op outer, const Expr& expr, bool on_the_left) {
  const auto* op = std::get_if<Op>(&expr.head);
  if (!op || expr.args.size() != 2) return false;
  return (is_sum(outer) && is_product(*op)) || (on_the_left && ((is_sum(outer) && is_sum(*op)) || (is_product(outer) && is_product(*op))));
}

std::string operation(Op op, const std::vector<Expr>& args) {
  const std::string_view symbol = symbol_of(op);
  if (args.size() == 1) return fmt::format("{}{}", symbol, operand(args[0]));
  if (op == Op::select) {
    return fmt::format("{} ? {} : {}", operand(args[0]), operand(args[1]), operand(args[2]));
  }
  const auto side = [&](const Expr& expr, bool left) { return stands_bare(op, expr, left) ? to_string(expr) : operand(expr); };
  return fmt::format("{} {} {}", side(args[0], true), symbol, side(args[1], false));
}

}  // namespace

std::string to_string(const Type& type) {
  return fmt::format("{}{}{}{}{}", type.read_only ? "const " : "",
                     type.name.empty() ? cpp_name(type.prim) : std::string_view(type.name),
                     type.pointer ? "*" : "", type.reference ? "&" : "",
                     type.restricted ? " __restrict__" : "");
}

std::string to_string(const Expr& expr) {
  const auto& args = expr.args;
  return ir::match(
      expr.head, [](const Var& v) { return v.name; },
      [](const Literal& l) {
        return values::is_integer(l.value.type) ? std::to_string(l.value.as_int())
                                                : values::to_string(l.value);
      },
      [](const NullPointer&) { return std::string("nullptr"); },
      [](const Position& p) { return std::string(name_of(p)); },
      [&](const Op& op) { return operation(op, args); },
      [&](const Intrinsic& i) {
        const auto name = std::visit([](auto fn) { return ir::name_of(fn); }, i.fn);
        return fmt::format("{}.{}({})", values::name_of(i.type), name, list(args));
      },
      [&](const Call& c) { return fmt::format("{}({})", c.function, list(args)); },
      [&](const Cast&) { return fmt::format("{}({})", to_string(expr.type), list(args)); },
      [&](const Convert& c) {
        return fmt::format("{}.{}({})", to_string(expr.type), values::name_of(c.from), list(args));
      },
      [&](const Element&) {
        std::string result = operand(args[0]);
        for (std::size_t i = 1; i < args.size(); ++i) result += fmt::format("[{}]", to_string(args[i]));
        return result;
      },
      [&](const Field& f) { return fmt::format("{}.{}", operand(args[0]), f.name); },
      [&](const Construct&) { return fmt::format("{}{{{}}}", expr.type.name, list(args)); },
      [](const SizeOf& s) { return fmt::format("sizeof({})", to_string(s.of)); });
}

}  // namespace boustro::plan
