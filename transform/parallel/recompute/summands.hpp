// Sums inside of points, as products that are summed up.
#pragma once

#include <optional>
#include <vector>

#include "transform/ir/builder.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::parallel {

/// let total = nest k (\l -> ..) (reduce (+) 0), of floats; else null.
const ir::Nest* as_sum(const ir::Stm& stm);

/// Factors of a product, and whether its sign changes.
struct Product {
  std::vector<ir::Atom> factors;
  bool negative = false;
};

/// A sum inside of a point, and what it multiplies.
struct Summands {
  std::vector<ir::Stm> stms;  // of the point, before the sum, and of the sum
  ir::Name index;
  ir::Atom extent;
  Product product;

  /// The statements that the factors need.
  std::vector<ir::Stm> computing(const std::vector<ir::Atom>& factors) const;
  /// What a factor depends on.
  ir::NameSet depends(const ir::Atom& factor) const;
};

/// The point up to statement number `at`, a sum; nothing if there is more than plain statements before, or in the sum.
std::optional<Summands> summands_of(const ir::Nest& nest, std::size_t at);

}  // namespace boustro::parallel
