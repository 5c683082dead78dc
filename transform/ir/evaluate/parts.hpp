// Cells and rows of arrays at computed places.
#pragma once

#include <optional>
#include <span>

#include "transform/ir/evaluate/machine.hpp"

namespace boustro::ir::evaluation {

/// The offset of a cell or row from the array's start; nullopt if an index is out of bounds.
std::optional<std::int64_t> offset_of(Machine& m, const Array& array,
                                      std::span<const Slot> indices);

/// The part of the array at an offset, after that many indices.
Array part_at(const Array& array, std::int64_t offset, std::size_t indices);

/// Reads or writes one cell or row.
void read_part(Machine& m, const Array& part, Slot to);
void write_part(Machine& m, Slot from, const Array& part);

}  // namespace boustro::ir::evaluation
