// Products of matrices that a point combines have nests of their own, but for the last of them.
//
// Rule      zs = nest (n, m) (\i j -> f (sum over k of ..) (sum over l of ..))
//           gives   ts = nest (n, m) (\i j -> sum over k of ..);  zs = nest (n, m) (\i j -> f ts[i, j] (sum over l of ..))
// Applies   to nests of the grid that store scalars, of several sums, if tiles could compute each of them alone (facts/tiles.hpp): a nest of
//           several is computed by tiles only if they have the same summands. What points check stays with the last
// Never     where a sum is known to have few summands
// Cost      what all products but one come to is stored and read again, once for each sum; without tiles each summand is read from memory, or
//           a cache, for each result
//
// Before:  hs = nest (b, h) (\i j -> tanh (x[i] . w[j] + h[i] . u[j]))
// After:   xs = nest (b, h) (\i j -> x[i] . w[j]);  hs = nest (b, h) (\i j -> tanh (xs[i, j] + h[i] . u[j]))
#pragma once

#include <optional>
#include <vector>

#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// The sums that statement number `at` of a point computes, as a nest of their own whose results have new names; nothing if tiles cannot
/// compute it.
std::optional<ir::Stm> product_alone(const ir::Stm& stm, std::size_t at, ir::Names& names);
/// The nest without them: each point reads its own elements of `products` instead.
ir::Stm with_product(const ir::Stm& stm, std::size_t at, const std::vector<ir::Param>& products, ir::Names& names);

/// The nests; nothing if the rule does not apply.
std::optional<std::vector<ir::Stm>> products_apart(const ir::Stm& stm, ir::Names& names);

}  // namespace boustro::parallel
