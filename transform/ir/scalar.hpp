// What the scalar operators mean, for every primitive type: used by `evaluate` and by constant folding.
//
// Integers  wrap around. Shift counts are unsigned; a count of the type's width or more shifts everything
//           out. Conversions truncate or extend by the source's sign.
// Floats    f16 is computed in f32 and rounded after each operator. `round` rounds halves to even. A float
//           becomes an integer by truncation, NaN and infinities become 0; what does not fit wraps around
//           (i64 and u64: is the nearest value of the type).
#pragma once

#include <optional>
#include <span>

#include "frontend/values/primitive.hpp"
#include "transform/ir/operators.hpp"

namespace boustro::ir {

using values::PrimType;
using values::PrimValue;

/// The value of the operator; nullopt where it is an error: division by zero, negative integer power. An
/// operator that the type does not have is an internal error.
std::optional<PrimValue> apply(UnOpKind kind, PrimValue operand);
std::optional<PrimValue> apply(BinOpKind kind, PrimValue lhs, PrimValue rhs);
std::optional<PrimValue> apply(CmpOpKind kind, PrimValue lhs, PrimValue rhs);
/// `type` is the function's module: `f32.from_bits` takes a u32.
std::optional<PrimValue> apply(MathFn fn, PrimType type, std::span<const PrimValue> args);
PrimValue convert(PrimType to, PrimValue operand);

// The same on bits (see PrimValue), looked up once to be called often; null if the type does not have
// the operator.
using Bits = std::uint64_t;
using UnaryFunction = Bits (*)(Bits);
using BinaryFunction = bool (*)(Bits, Bits, Bits& result);  // false: an error
using CompareFunction = bool (*)(Bits, Bits);
using MathFunction = Bits (*)(const Bits* args);

UnaryFunction function_of(UnOpKind kind, PrimType type);
BinaryFunction function_of(BinOpKind kind, PrimType type);
CompareFunction function_of(CmpOpKind kind, PrimType type);
MathFunction function_of(MathFn fn, PrimType type);
UnaryFunction conversion(PrimType from, PrimType to);

}  // namespace boustro::ir
