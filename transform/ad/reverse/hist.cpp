#include "transform/ad/reverse/hist.hpp"

namespace boustro::ad {

using namespace ir;

HistogramOperands::HistogramOperands(const ReduceByIndex& e)
    : indices(e.arrays.begin(), e.arrays.end() - 1), values(e.arrays.back()) {}

Name gathered_at(Builder& builder, const ReduceByIndex& e, const Name& ys_adj,
                 const std::vector<Name>& more, const BinFunction& fn) {
  const HistogramOperands operands(e);
  const Shape& bins = e.histograms.at(0).shape;
  const Type row = row_type(builder.names.type_of(ys_adj), static_cast<int>(bins.size()));
  std::vector<std::pair<std::string, Type>> params(bins.size(), {"i", scalar(PrimType::i64)});
  params.emplace_back("v", row_type(builder.names.type_of(operands.values)));
  const Lambda gather = builder.lambda(params, [&](Builder& b, const std::vector<Name>& p) {
    const std::vector<Atom> indices(p.begin(), p.end() - 1);
    return std::vector<Atom>{
        value_or_zero(b, "v_adj", all_in_bounds(b, indices, bins), row, [&](Builder& inner) {
          const Atom y_adj = inner.index("y_adj", ys_adj, indices);
          std::vector<Atom> cells;
          for (const Name& array : more)
            cells.emplace_back(inner.index(array.base, array, indices));
          return fn(inner, y_adj, cells, p.back());
        })};
  });
  return builder.let(adj_name(operands.values), Map{e.width, gather, e.arrays, {}});
}

std::vector<Name> histogram_like(Builder& builder, const ReduceByIndex& e, const Lambda& op,
                                 const std::vector<Atom>& neutral,
                                 const std::vector<Name>& destinations,
                                 const std::vector<Name>& values) {
  ReduceByIndex result{e.width, {{e.histograms.at(0).shape, destinations, op, neutral}}, {}, {}};
  result.arrays = HistogramOperands(e).indices;
  result.arrays.insert(result.arrays.end(), values.begin(), values.end());
  std::vector<std::pair<std::string, Type>> params;
  for (const Name& array : result.arrays)
    params.emplace_back(array.base, row_type(builder.names.type_of(array)));
  result.fn = builder.lambda(params, [](Builder&, const std::vector<Name>& p) {
    return std::vector<Atom>(p.begin(), p.end());
  });
  std::vector<std::string> bases;
  for (const Name& destination : destinations) bases.push_back(destination.base);
  return builder.let_all(bases, std::move(result));
}

Atom cell_count(Builder& b, const Shape& shape) {
  Atom count = shape.at(0);
  for (std::size_t i = 1; i < shape.size(); ++i)
    count = b.binop("cells", BinOpKind::mul, count, shape[i]);
  return count;
}

Name flattened(Builder& b, const Name& array, const Atom& count, std::size_t dimensions) {
  if (dimensions == 1) return array;
  const Type row = row_type(b.names.type_of(array), static_cast<int>(dimensions));
  return b.let(array.base, Reshape{array_of(count, row).shape, array});
}

}  // namespace boustro::ad
