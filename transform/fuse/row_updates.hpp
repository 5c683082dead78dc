// What rules about additions of rows to accumulators share.
#pragma once

#include <cstddef>
#include <vector>

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::fuse {

/// Of a statement in its body.
using Position = std::size_t;

/// Whether the statements from `first` up to `last` leave all arrays as they are.
bool nothing_consumed(const std::vector<ir::Stm>& stms, Position first, Position last,
                      const facts::Callees& callees);
/// How many statements of the body, and of its results, use the name.
std::size_t uses(const ir::Body& body, const ir::Name& name);
/// All that it takes is added up.
bool adds_up(const ir::WithAcc& with);
/// Of any kind, which its callers know.
bool takes_accumulators(const ir::Function& function);
bool uses_any(const ir::Stm& stm, const std::vector<ir::Param>& params);

/// The position of each element, as one more array and parameter of the map.
ir::Name add_positions(ir::Builder& builder, ir::Map& map);
/// One more accumulator, behind those that the map has: where the update adds a row, each element
/// adds `value` to cell `j` of it.
void add_element(ir::Map& map, const ir::UpdateAcc& update, const ir::Atom& value,
                 const ir::Name& j, ir::Names& names);

}  // namespace boustro::fuse
