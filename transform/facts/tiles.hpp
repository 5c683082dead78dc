// Sums whose operands few of the points differ in: products of matrices, distances between all pairs, and the like.
//
//   nest (n, m)  (\i j -> .. nest k (\t -> f(x[i, t], y[j, t])) (reduce ..) ..)
//
// Each x is read for all m columns and each y for all n rows. A block that computes a tile of rows by columns reads them once for all of
// its points ([Schenck et al. 2022], section 6.1). So it is where a point is a row, and folds what comes of its columns:
//
//   nest n  (\i -> .. nest m (\j -> .. nest k (\t -> f(x[i, t], y[j, t])) (reduce ..) ..) (reduce ..) ..)
//
// Nobody stores sums then: a block goes through all columns of its rows, tile by tile.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "transform/ir/traversal.hpp"

namespace boustro::facts {

struct Tiling {
  std::size_t rows;                   // a dimension of the nest's space
  std::optional<std::size_t> columns; // another one behind it; or else that of the nest that folds
  std::size_t fold;                   // position of that nest in the point's body
  std::size_t sums;                   // position of the inner nest in the body of the point, or of the nest that folds
  /// What is the same for all columns, and what for all rows: scalars that the inner nest computes, or that the point computes for it,
  /// and that it combines with each other.
  std::vector<ir::Name> of_rows, of_columns;
  /// Indices of the nest, and of the inner one, that names which the point binds depend on.
  std::unordered_map<ir::Name, ir::NameSet> varies_with;
};

/// Applies to nests of up to three dimensions of the grid that store scalars, in whose points one inner nest of one dimension, and of an
/// extent that neither rows nor columns differ in, folds scalars; or whose points, of up to two dimensions, fold scalars by operators that
/// threads can share, in a nest that does so. All else are operations on scalars, elements and views, which cannot fail. Some element
/// that the inner nest reads has to be the same for all rows and another one the same for all columns; none differs with both.
/// `cannot_fail` may know more of a statement than its form says: that a divisor is not 0.
std::optional<Tiling> tiling_of(const ir::Nest& nest, const std::function<bool(const ir::Stm&)>& cannot_fail = {});

/// The nest that folds what comes of columns; null if points are a row and a column.
const ir::Nest* fold_of(const ir::Nest& nest, const Tiling& tiling);
/// The inner nest.
const ir::Nest& sums_of(const ir::Nest& nest, const Tiling& tiling);
/// How many columns there are.
const ir::Atom& columns_of(const ir::Nest& nest, const Tiling& tiling);
/// Whether the sums are a product of two matrices of f64: of each row's operand and each column's, and of nothing else.
bool is_matrix_product(const ir::Nest& nest, const Tiling& tiling);
/// Blocks compute the nest by tiles, as a product of matrices or otherwise, if they did so before it changed.
bool keeps_tiles(const ir::Nest& before, const ir::Nest& after);
/// "x is the same for all columns, y for all rows"
std::string reason_for(const Tiling& tiling);

}  // namespace boustro::facts
