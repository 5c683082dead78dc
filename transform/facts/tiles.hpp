// Sums whose operands few of the points differ in: products of matrices, distances between all pairs, and the like.
//
//   nest (n, m)  (\i j -> .. nest k (\t -> f(x[i, t], y[j, t])) (reduce ..) ..)
//
// Each x is read for all m columns and each y for all n rows. A block that computes a tile of rows by columns reads them once for all of
// its points ([Schenck et al. 2022], section 6.1).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "transform/ir/traversal.hpp"

namespace boustro::facts {

struct Tiling {
  std::size_t rows, columns;  // dimensions of the nest's space, in its order
  std::size_t sums;           // position of the inner nest in the point's body
  /// What is the same for all columns, and what for all rows: scalars that the inner nest computes, or that the point computes for it,
  /// and that it combines with each other.
  std::vector<ir::Name> of_rows, of_columns;
  /// Indices of the nest, and of the inner one, that names which the point binds depend on.
  std::unordered_map<ir::Name, ir::NameSet> varies_with;
};

/// Applies to nests of two or three dimensions of the grid that store scalars, in whose points one inner nest of one dimension, and of an
/// extent that neither rows nor columns differ in, folds scalars. All else are operations on scalars, elements and views, which cannot fail. Some element
/// that the inner nest reads has to be the same for all rows and another one the same for all columns; none differs with both.
/// `cannot_fail` may know more of a statement than its form says: that a divisor is not 0.
std::optional<Tiling> tiling_of(const ir::Nest& nest, const std::function<bool(const ir::Stm&)>& cannot_fail = {});

/// The inner nest.
const ir::Nest& sums_of(const ir::Nest& nest, const Tiling& tiling);
/// "x is the same for all columns, y for all rows"
std::string reason_for(const Tiling& tiling);

}  // namespace boustro::facts
