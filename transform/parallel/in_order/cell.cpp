#include "transform/parallel/in_order/cell.hpp"

#include "transform/ir/elementwise.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

void update(Builder& builder, const std::vector<Param>& results, const Cell& cell, const std::optional<Lambda>& op,
            std::vector<Atom> values) {
  const std::vector<DimIndex> place(cell.indices.begin(), cell.indices.end());
  if (op) {
    std::vector<Atom> args;
    for (const Name& array : cell.arrays) args.emplace_back(builder.let("old", Index{array, place, false}));
    args.insert(args.end(), values.begin(), values.end());
    values = inline_lambda(builder, *op, args);
  }
  for (std::size_t k = 0; k < results.size(); ++k)
    builder.let({results[k]}, Update{cell.arrays[k], place, values[k], false});
}

}  // namespace

void update_cell(Builder& builder, const std::vector<Param>& results, const Cell& cell, const std::optional<Lambda>& op,
                 const std::vector<Atom>& values) {
  if (cell.in_bounds) return update(builder, results, cell, op, values);
  const Atom inside = all_in_bounds(builder, cell.indices, builder.names.type_of(cell.arrays[0]).shape);
  Builder then(builder.names, builder.origin);
  std::vector<Param> changed;
  Body changes, unchanged;
  for (std::size_t k = 0; k < results.size(); ++k) {
    changed.push_back(builder.names.fresh_param(results[k].name.base, results[k].type));
    changes.result.emplace_back(changed.back().name);
    unchanged.result.emplace_back(cell.arrays[k]);
  }
  update(then, changed, cell, op, values);
  changes.stms = std::move(then.stms);
  builder.let(results, If{inside, std::move(changes), std::move(unchanged)});
}

}  // namespace boustro::parallel
