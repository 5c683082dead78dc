// Products of matrices in the steps of a loop that need not wait for the steps before them are computed for several steps at once.
//
// Rule      loop (x, w) for s < n:  a = m * b[s];  x' = f x a;  w' = w + x' * b[s]          (by nests that tiles can compute, facts/tiles.hpp)
//           gives   loop (x, w) over strips of up to eight steps, as many as fill a device:
//             as = nest (steps of the strip, ..) (\t .. -> m * b[first + t])                                           first
//             (x, xs) = loop (x, xs) over the steps t of the strip:  x' = f x as[t];  xs[t] = x'
//             parts = nest (steps of the strip, ..) (\t .. -> xs[t] * b[first + t]);  w' = w + sum over t of parts[t]    last
// Applies   to loops over i64. First: what products need no value that the loop carries, but views and scalars that are made again for each
//           step. Last: an array that the loop carries is only added to, element by element, by a product, and read by nobody else
// Never     first: what the next step takes over, as such or as a view, or what is updated; it is copied if it is kept for the last products
// Cost      what passes between the parts is kept for a strip: products, their operands, and what they come to. A product of one step has
//           too few tiles for a large device, and each needs a kernel more to add up its slabs; those of a strip fill it. Sums come in another order
// Source    what libraries do for recurrent networks ([Appleyard et al. 2016]), whose weights meet the inputs of all steps
//
// Before:  loop (x, w) = (x0, w0) for s < n do  let a = nest (m, k) (\i j -> .. b[s])  let x = ..  let w = nest (m, k) (\i j -> w[i, j] + ..)  in (x, w)
// After:   loop (x, w) = (x0, w0) for strip < (n + size - 1) / size do  let as = nest (steps, m, k) ..
//          let (x, xs) = loop (x, xs) = (x, scratch) for t < steps do ..   let w = ..  in (x, w)
#pragma once

#include <optional>
#include <vector>

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// What stands in the place of the loop; nothing if the rule does not apply.
std::optional<std::vector<ir::Stm>> steps_together(const ir::Stm& loop, ir::Names& names, const facts::Callees& callees);

}  // namespace boustro::parallel
