// Additions that many points make to one cell become sums by who owns the cell (AD paper, section 6.1).
//
// Rule      with_acc acc: nest (n, k): .. acc[j] += v(i, j) ..   gives
//           parts = nest (slabs, k): sum of v(i, j) over the i of a slab      each in one thread, in order
//           acc'  = nest k: acc[j] + sum of parts[:, j]
//           and what else the nest did; the accumulator is no more if nobody else adds to it
// Applies   to nests of the grid directly inside of the with_acc. The addition is made by every point, at the top of
//           the nest or of nests in its thread; its indices are different dimensions of these, as long as those of the
//           array, and some dimension of the grid is not among them; dimensions of rows that are added as a whole
//           count as indices, too. v is computed by reads of arrays that are known before the with_acc, and by
//           arithmetic, which together take no longer than two reads from memory, without functions such as exp and
//           sums of its own. What such functions yield is stored first, if that is all that stands in the way: dear_values.hpp. Any scalar
//           operations if points do nothing else than to add in one place: then these are computed once, as before
// Never:    under a condition, in a loop, at places that the data tell, for other operators, or where points check
// Cost      the same additions in registers; no atomic, and one order in every run. What v takes is computed once more
//           where the rest of the nest needs it, too
// In a thread likewise, without slabs, for rows that are all one number before: nests of the grid around them may be perfect then,
//           with a thread for each cell
// Slabs     of the outermost dimension of the grid that is not among the indices: as many as give the device enough
//           threads, but each of 64 points or more, and about 512 at most, which one thread adds up for each cell. None, and
//           one nest, where few points are known to add to a cell
// Threads   neighbours have neighbouring cells, which lie one behind the other: the last index varies fastest
// Source    [Schenck et al. 2022], section 6.1
//
// Before:  with_acc ys (\acc -> nest_acc (n, k) (\acc i j -> update_acc acc [j] (w[i, j] * x[i])) acc)
// After:   let parts = nest (slabs, k) (\s j -> nest count (\i -> w[first + i, j] * x[first + i]) (reduce 0 (+) 0))
//          in nest k (\j -> ys[j] + nest slabs (\s -> parts[s, j]) (reduce 0 (+) 0))
#pragma once

#include "transform/ir/builder.hpp"
#include "transform/parallel/flatten/definitions.hpp"

namespace boustro::parallel {

/// In each with_acc among the statements: those of the host, around nests of the grid, or those of a thread.
void sum_by_cell(ir::Body& body, ir::Level over, ir::Names& names, const Definitions& definitions);

}  // namespace boustro::parallel
