// Sums of products in another order.
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::contract {

/// What the points of a map add up, multiplied by something that is the same for all of them, is added up first and multiplied
/// once: contract.cpp has the rule. Sums of floats are reassociated as parallel sums are anyway, and products with them.
/// The program is simplified, and so should the result be.
ir::Program contract(ir::Program program);

}  // namespace boustro::contract
