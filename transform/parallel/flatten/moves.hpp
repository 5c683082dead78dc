// Where a statement may go.
#pragma once

#include "transform/facts/aliases.hpp"

namespace boustro::parallel {

/// Whether statement i of the body may stand right before statement j: none between them needs its results, or consumes what it reads.
bool can_move_down(const ir::Body& body, std::size_t i, std::size_t j, const facts::Callees& callees);

}  // namespace boustro::parallel
