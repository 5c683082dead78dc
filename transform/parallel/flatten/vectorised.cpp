#include "transform/parallel/flatten/vectorised.hpp"

#include <algorithm>

#include "transform/ir/traversal.hpp"
#include "transform/parallel/flatten/scalars.hpp"

namespace boustro::parallel {

using namespace ir;

std::optional<Nest> vectorised_reduce(const Stm& stm, Names& names,
                                      const Definitions& definitions) {
  const auto* reduce = std::get_if<Reduce>(&stm.exp);
  const auto op = reduce ? as_vectorised_binop(reduce->op) : std::nullopt;
  if (!op || op->depth == 0 || reduce->arrays.size() != 1) return std::nullopt;
  const auto neutral = scalar_of(reduce->neutral[0], definitions, names);
  if (!neutral) return std::nullopt;

  const Type row = row_type(names.type_of(reduce->arrays[0]));
  Nest nest;
  nest.over = Level::grid;
  nest.space = row.shape;
  nest.space.push_back(reduce->width);
  Builder point(names, stm.origin);
  std::vector<Atom> at;
  for (std::size_t d = 0; d < nest.space.size(); ++d) {
    nest.point.params.push_back(names.fresh_param(d == 0                       ? "i"
                                                  : d + 1 == nest.space.size() ? "l"
                                                                               : "j",
                                                  scalar(PrimType::i64)));
    at.push_back(nest.point.params.back().name);
  }
  std::rotate(at.begin(), at.end() - 1,
              at.end());  // the reduced dimension is the array's outermost
  nest.point.body.result = {point.index(reduce->arrays[0].base, reduce->arrays[0], at)};
  nest.point.result_types = {scalar(row.elem)};
  nest.point.body.stms = std::move(point.stms);

  Builder builder(names, stm.origin);
  Out out;
  out.kind = OutKind::reduce;
  out.rank = row.rank();
  out.op = Operator{scalar_operator(builder, op->kind, row.elem), {*neutral}, commutes(op->kind)};
  nest.outs.push_back(std::move(out));
  return nest;
}

}  // namespace boustro::parallel
