// What accumulators do, as far as derivatives ask.
#pragma once

#include "transform/ir/traversal.hpp"

namespace boustro::ad {

/// True if it adds, also if that is spelt out as an operator.
inline bool adds(const ir::AccumulatorKind& kind) {
  if (const auto* combine = std::get_if<ir::Combine>(&kind)) {
    const auto op = ir::as_vectorised_binop(combine->op);
    return op && op->kind == ir::BinOpKind::add;
  }
  return std::holds_alternative<ir::AddUp>(kind);
}

}  // namespace boustro::ad
