// A loop whose steps compute rows element by element becomes one map over the elements, each of which runs the loop.
//
// Rule      loop { map i f } = map i { loop f }: step s of element i reads what earlier steps made of element i alone
// Before:   loop (xss, x) = (xss0, x0) for s < n do  let y = map2 g xss[s] x  in (xss with [s] = y, y)      (xss: [n][b]t)
// After:    map (\column x -> loop (column, x) .. for s < n do  let y = g column[s] x  in (column with [s] = y, y)) (transpose xss0) x0
//           and the columns that result are seen transposed again
// Applies   if all that the loop computes are scalars from scalars, and arrays whose last dimension is that of the map, element by
//           element: rows and updates of rows, copies, loops and branches of the same kind, and maps that a thread computes without
//           memory; no check is left in it but inside of maps, since there may be no elements; no scalar that it carries is needed
//           behind it; and the columns that it carries are no longer than its loops, since they are copied
// Never     where a map sees an array of the loop but at its own element
#pragma once

#include <optional>
#include <vector>

#include "transform/facts/sizes.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::parallel {

/// Nothing in it that many threads could share.
bool is_in_order(const ir::Body& body);

/// What is known where a loop stands.
struct Surroundings {
  facts::Sizes sizes;
  facts::Sizes numbers;   // the same, without what arrays say of their sizes: that they have been made
  ir::NameSet undefined;  // arrays whose elements are
  bool is_outermost = true;  // in no other loop or branch
};

/// `needed`: names that are used behind the loop.
std::optional<std::vector<ir::Stm>> loop_inwards(const ir::Stm& loop, const ir::NameSet& needed, ir::Names& names,
                                                 const Surroundings& around);

}  // namespace boustro::parallel
