// Where the parts of a nest are.
#pragma once

#include <optional>

#include "transform/ir/ir.hpp"

namespace boustro::ir {

/// Result number `result` of the nest is this array, updated; nothing if it is an array of its own.
std::optional<Name> destination_of(const Nest& nest, std::size_t result);

/// Whether every point reads the array at its own indices only, so that what the points store may take its place.
bool reads_only_own_elements(const Nest& nest, const Name& array);

/// Recognises an operator on arrays that combines element by element: its result may take the place of its left operand.
bool is_elementwise(const Lambda& op);

}  // namespace boustro::ir
