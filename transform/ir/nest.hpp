// Where the parts of a nest are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "transform/ir/ir.hpp"

namespace boustro::ir {

/// Who shares the points and who runs one, as an attribute of a printed nest has it: "grid_thread".
std::string text_of_levels(Level over, Level each);
std::optional<std::pair<Level, Level>> levels_named(std::string_view text);

bool has_attribute(const Stm& stm, std::string_view name);

/// As a printed nest has it: "library"; "" if it is open.
std::string_view text_of(Method method);
std::optional<Method> method_named(std::string_view text);

/// One value comes of all points, or of all of them up to each.
bool combines_all_points(const Out& out);
/// Each point, or each of the combinations, has cells of its own, which nobody else writes.
bool has_own_cells(const Out& out);

/// Each point stores its values in cells of new arrays, and nothing else comes of the nest.
bool stores_new_arrays(const Nest& nest);
/// Takes a result from a nest that stores new arrays, and from its points what nothing else needs.
void take_out_result(Stm& stm, std::size_t result);
/// No two points add to the same cell.
bool adds_apart(const Nest& nest);
/// CUDA can add to cells of this type atomically.
bool has_atomic_addition(values::PrimType type);

/// Result number `result` of the nest is this array, updated; nothing if it is an array of its own.
std::optional<Name> destination_of(const Nest& nest, std::size_t result);

/// Whether every point reads the array at its own indices only, so that what the points store may take its place.
bool reads_only_own_elements(const Nest& nest, const Name& array);

/// Whether result number `result` of the nest may be made in the place of the array: each point reads its own elements only, and
/// none of them after it has stored what comes there. Not for nests that combine points, or add to accumulators.
bool can_take_place(const Nest& nest, std::size_t result, const Name& array);

/// Recognises an operator on arrays that combines element by element: its result may take the place of its left operand.
bool is_elementwise(const Lambda& op);

}  // namespace boustro::ir
