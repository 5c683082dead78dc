// Which elements of an array its views are.
#pragma once

#include <optional>
#include <unordered_map>
#include <variant>
#include <vector>

#include "transform/ir/ir.hpp"

namespace boustro::parallel {

/// The expression if it is an element or a row at some indices, known to be in bounds; else null.
const ir::Index* as_part(const ir::Stm& stm);
/// The indices of such a part.
std::vector<ir::Atom> numbers_of(const ir::Index& part);

/// A view of an array: for each of the array's dimensions an index, or else the number of a dimension of the view.
struct ArrayPart {
  ir::Name array;
  std::vector<std::variant<ir::Atom, std::size_t>> at;
  bool operator==(const ArrayPart&) const = default;
};
using ArrayParts = std::unordered_map<ir::Name, ArrayPart>;

/// Dimensions of the array that the statement reads.
std::size_t rank_read_by(const ir::Index& index, const ir::Stm& stm);

ArrayPart whole_array(const ir::Name& array, std::size_t rank);
/// What the statement makes of one of the parts: elements, rows or columns known to be in bounds, or other orders of dimensions. Nothing of others.
std::optional<ArrayPart> part_of(const ir::Stm& stm, const ArrayParts& parts);
/// The indices of an element.
std::vector<ir::Atom> indices_of(const ArrayPart& element);

}  // namespace boustro::parallel
