// Scalar operators.
#include <array>

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/evaluate/compiler.hpp"
#include "transform/ir/scalar_representation.hpp"

namespace boustro::ir::evaluation {
namespace {

/// Integers as unsigned ones, whose overflow is defined.
auto wrapped(std::int32_t x) { return static_cast<std::uint32_t>(x); }
auto wrapped(std::int64_t x) { return static_cast<std::uint64_t>(x); }
auto wrapped(float x) { return x; }
auto wrapped(double x) { return x; }

template <typename Function>
Function defined(Function function, const Stm* stm) {
  if (!function) broken(stm, "applies an operator that its type does not have");
  return function;
}

/// The operators that inner loops of numerical programs consist of, without a call through a pointer.
template <PrimType P>
std::optional<Step> common_operator(BinOpKind kind, int x, int y, int result) {
  const auto step = [=](auto op) -> Step {
    return [=](Machine& m) {
      m.scalar(result) = representation::store<P>(
          op(representation::load<P>(m.scalar(x)), representation::load<P>(m.scalar(y))));
    };
  };
  switch (kind) {
    case BinOpKind::add:
      return step([](auto a, auto b) { return wrapped(a) + wrapped(b); });
    case BinOpKind::sub:
      return step([](auto a, auto b) { return wrapped(a) - wrapped(b); });
    case BinOpKind::mul:
      return step([](auto a, auto b) { return wrapped(a) * wrapped(b); });
    case BinOpKind::div:
      if constexpr (P == PrimType::f32 || P == PrimType::f64)
        return step([](auto a, auto b) { return a / b; });
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<Step> common_operator(BinOpKind kind, PrimType type, int x, int y, int result) {
  switch (type) {
    case PrimType::f32:
      return common_operator<PrimType::f32>(kind, x, y, result);
    case PrimType::f64:
      return common_operator<PrimType::f64>(kind, x, y, result);
    case PrimType::i32:
      return common_operator<PrimType::i32>(kind, x, y, result);
    case PrimType::i64:
      return common_operator<PrimType::i64>(kind, x, y, result);
    default:
      return std::nullopt;
  }
}

std::string partial_operator_message(BinOpKind kind) {
  return kind == BinOpKind::pow ? "negative exponent of an integer power" : "division by zero";
}

}  // namespace

Step Compiler::compile(const AtomExp& e, const Target& target) {
  return [from = slot_of(e.atom), to = target.slots.at(0), stm = target.stm](Machine& m) {
    if (from.is_array) live(m, from.index, stm);
    assign(m, from, to);
  };
}

Step Compiler::compile(const UnOp& e, const Target& target) {
  return [function = defined(function_of(e.kind, e.type), target.stm), x = scalar(e.operand),
          result = target.only()](Machine& m) { m.scalar(result) = function(m.scalar(x)); };
}

Step Compiler::compile(const BinOp& e, const Target& target) {
  return binary(e.kind, e.type, scalar(e.lhs), scalar(e.rhs), target.only(), target.stm);
}

Step Compiler::binary(BinOpKind kind, PrimType type, int x, int y, int result, const Stm* stm) {
  if (auto step = common_operator(kind, type, x, y, result)) return std::move(*step);
  const BinaryFunction function = defined(function_of(kind, type), stm);
  return [=](Machine& m) {
    if (!function(m.scalar(x), m.scalar(y), m.scalar(result))) {
      fail(stm, partial_operator_message(kind));
    }
  };
}

Step Compiler::compile(const CmpOp& e, const Target& target) {
  return [function = function_of(e.kind, e.type), x = scalar(e.lhs), y = scalar(e.rhs),
          result = target.only()](Machine& m) {
    m.scalar(result) = function(m.scalar(x), m.scalar(y)) ? 1 : 0;
  };
}

Step Compiler::compile(const Convert& e, const Target& target) {
  return [function = conversion(e.from, e.to), x = scalar(e.operand),
          result = target.only()](Machine& m) { m.scalar(result) = function(m.scalar(x)); };
}

Step Compiler::compile(const MathOp& e, const Target& target) {
  const MathFunction function = defined(function_of(e.fn, e.type), target.stm);
  const std::vector<int> operands = scalars(e.args);
  if (static_cast<int>(operands.size()) != arity_of(e.fn)) {
    broken(target.stm, "applies a function to a wrong number of arguments");
  }
  std::array<int, 3> args{};  // those beyond the arity repeat the first and are not read
  args.fill(operands[0]);
  std::copy(operands.begin(), operands.end(), args.begin());
  return [=, result = target.only()](Machine& m) {
    const std::array<Bits, 3> values = {m.scalar(args[0]), m.scalar(args[1]), m.scalar(args[2])};
    m.scalar(result) = function(values.data());
  };
}

}  // namespace boustro::ir::evaluation
