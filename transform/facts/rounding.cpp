#include "transform/facts/rounding.hpp"

#include <algorithm>

#include "transform/ir/traversal.hpp"

namespace boustro::facts {

bool rounds(const ir::Body& body) {
  return std::any_of(body.stms.begin(), body.stms.end(), [](const ir::Stm& stm) {
    const bool of_floats = std::any_of(stm.pattern.begin(), stm.pattern.end(),
                                       [](const ir::Param& param) { return values::is_float(param.type.elem); });
    const auto* op = std::get_if<ir::BinOp>(&stm.exp);
    const bool picks = (op && (op->kind == ir::BinOpKind::min || op->kind == ir::BinOpKind::max)) ||
                       std::holds_alternative<ir::If>(stm.exp) || std::holds_alternative<ir::AtomExp>(stm.exp);
    bool inside = false;
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { inside = inside || rounds(inner); });
    return (of_floats && !picks) || inside;
  });
}

bool rounds(const ir::AccumulatorKind& kind, ir::PrimType elem) {
  if (const auto* combine = std::get_if<ir::Combine>(&kind)) return rounds(combine->op.body);
  return std::holds_alternative<ir::AddUp>(kind) && values::is_float(elem);
}

}  // namespace boustro::facts
