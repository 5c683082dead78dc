// What a point knows already need not be computed or read again.
//
// Before:  let x = xs[i]  in loop s = 0 for j < n do let y = ws[i, j] in let z = xs[i] * y in let w = ws[i, j] in s + z * w
// After:   let x = xs[i]  in loop s = 0 for j < n do let y = ws[i, j] in let z = x * y in s + z * y
// Applies   to operations on scalars and to elements, through whatever views, that an earlier statement of the same body, or of one around it, has.
//           Where several threads compute sums, elements stay: which summands are neighbours follows from how often each is read
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::parallel {

void use_what_is_known(ir::Nest& nest);

}  // namespace boustro::parallel
