// Arrays seen from the last element to the first, and numbers of elements.
#pragma once

#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// xs[n - 1 : -1 : -1] of n elements: all of them, the last one first.
bool is_reversal(const ir::Index& index, const ir::Names& names);
bool is_reversal(const ir::Stm& stm, const ir::Names& names);

/// Reads of elements of reversed arrays become reads of the arrays themselves, and those of iotas numbers, where the statements of `around`
/// bind them.
void read_directly(ir::Body& body, const ir::Body& around, ir::Names& names);

}  // namespace boustro::parallel
