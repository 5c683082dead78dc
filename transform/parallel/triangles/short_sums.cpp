#include "transform/parallel/triangles/short_sums.hpp"

#include <algorithm>

#include "transform/ir/operands.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

bool is_sum(const Nest& nest) {
  const auto adds = [](const Out& out) { return out.kind == OutKind::reduce && out.op && as_binop(out.op->op) == BinOpKind::add && !out.epilogue; };
  return nest.over == Level::thread && nest.accumulators.empty() && nest.space.size() == 1 && nest.outs.size() == 1 && adds(nest.outs[0]);
}

}  // namespace

std::optional<std::vector<Stm>> short_sum(const Stm& stm, const facts::Zeros& zeros, const Indices& around, const Name& next_around, Names& names) {
  const auto* nest = std::get_if<Nest>(&stm.exp);
  if (!nest || !is_sum(*nest)) return std::nullopt;
  const auto part = zeros.of(nest->point.body.result[0]);
  if (!part) return std::nullopt;
  const Atom index = nest->point.params[0].name;
  const bool at_end = part->high == facts::Coordinate(index);
  const auto* other = std::get_if<Atom>(at_end ? &part->low : &part->high);
  if (!other || (!at_end && part->low != facts::Coordinate(index))) return std::nullopt;
  const auto found = name_in(*other) ? around.find(*name_in(*other)) : around.end();
  if (found == around.end() || found->second.extent != nest->space[0]) return std::nullopt;  // the bound may be beyond the end
  if (found->second.stores && next_around == *name_in(*other)) return std::nullopt;

  Builder b(names, stm.origin);
  Nest shorter = *nest;
  if (at_end) {
    shorter.space[0] = b.binop("count", BinOpKind::add, *other, int_atom(1));
  } else {
    shorter.space[0] = b.binop("count", BinOpKind::max, b.binop("rest", BinOpKind::sub, nest->space[0], *other), int_atom(0));
    const Param own = names.fresh_param(nest->point.params[0].name.base, scalar(PrimType::i64));
    Builder inside(names, stm.origin);
    Substitution shifted{{nest->point.params[0].name, inside.binop(own.name.base, BinOpKind::add, own.name, *other)}};
    substitute(shorter.point.body, shifted);
    shorter.point.params[0] = own;
    shorter.point.body.stms.insert(shorter.point.body.stms.begin(), inside.stms.begin(), inside.stms.end());
  }
  Stm result = stm;
  result.origin.rule = "triangle";
  result.exp = std::move(shorter);
  b.add(std::move(result));
  return std::move(b.stms);
}

}  // namespace boustro::parallel
