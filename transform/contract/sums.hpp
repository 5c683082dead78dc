// Products of arrays, summed over some of their dimensions, as statements.
#pragma once

#include "transform/contract/product.hpp"

namespace boustro::contract {

/// The names in `at` of all factors that are indices of `dims`, each once, in the order of `dims`.
std::vector<Dim> dims_of(const std::vector<Factor>& factors, const std::vector<Dim>& dims);

/// let base = for all points of `cells`: addend[cells] + product, or the product alone; in the order that takes least work by the number of dimensions,
/// sum by sum, with arrays for what is summed before. The arrays are in scope of the builder, `addend` has the shape of `cells`.
ir::Name add_products(ir::Builder& builder, std::string_view base, const std::optional<ir::Name>& addend,
                      Product product, const std::vector<Dim>& cells);

}  // namespace boustro::contract
