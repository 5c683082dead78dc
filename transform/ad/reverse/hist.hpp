// What the rules for reduce_by_index share. They see one operator on one array of values, and the
// identity for function: hist_split.cpp.
#pragma once

#include <functional>

#include "transform/ad/tensor.hpp"

namespace boustro::ad {

struct HistogramOperands {
  explicit HistogramOperands(const ir::ReduceByIndex& e);
  std::vector<ir::Name> indices;  // one array for each dimension of the bins
  ir::Name values;
};

/// For each value whose bin is in bounds: fn of the cell of ys_adj, of those of `more`, and of the
/// value; zero for the other values.
using BinFunction = std::function<ir::Atom(
    ir::Builder&, const ir::Atom& y_adj, const std::vector<ir::Atom>& more, const ir::Atom& value)>;
ir::Name gathered_at(ir::Builder& builder, const ir::ReduceByIndex& e, const ir::Name& ys_adj,
                     const std::vector<ir::Name>& more, const BinFunction& fn);

/// The same histogram with another operator, values and destinations.
std::vector<ir::Name> histogram_like(ir::Builder& builder, const ir::ReduceByIndex& e,
                                     const ir::Lambda& op, const std::vector<ir::Atom>& neutral,
                                     const std::vector<ir::Name>& destinations,
                                     const std::vector<ir::Name>& values);

/// The number of cells of all dimensions together.
ir::Atom cell_count(ir::Builder& builder, const ir::Shape& shape);
/// The array with its `dimensions` outer dimensions, of `count` cells, made one.
ir::Name flattened(ir::Builder& builder, const ir::Name& array, const ir::Atom& count,
                   std::size_t dimensions);

}  // namespace boustro::ad
