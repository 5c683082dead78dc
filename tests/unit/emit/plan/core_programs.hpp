// Core programs as they look after differentiation, simplification and fusion, to be planned by
// tests.
#pragma once

#include "../../transform/program_builder.hpp"

namespace boustro::ir::testing {

/// Sum over the points of the least squared distance to a centre: one fused nest.
TestProgram nearest_cost();
/// Index of the nearest centre of each point, and the adjoint of the centres as an accumulator.
TestProgram centres_adjoint();
/// Prefix products and their adjoint, by a scan of linear functions.
TestProgram prefix_products();
/// Logistic growth of each element, all states kept, and its return sweep.
TestProgram growth_adjoint();
/// A loop around maps, with a scalar that it sums up.
TestProgram recurrent();
/// Histogram and scatter, whose indices may be out of bounds, and a transposed copy.
TestProgram writes_by_index();
/// Reads by an index from data, which is checked.
TestProgram gather();

}  // namespace boustro::ir::testing
