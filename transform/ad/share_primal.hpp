// Many derivatives of one function at one point are computed together.
//
// Rule      map (\s -> ... jvp f x t ...) ss    where f and x are the same for every s
//             gives    ts = map (\s -> ...) ss;  jmp f x ts;  map (\... -> ...) of the results
// Applies   jvp2 and vjp2. Not if what follows updates in place what stands before it, or sizes differ between the elements
// Cost      the primal once instead of once for every s; the seeds as an array
// Source    ADBench's HAND in futhark-benchmarks, whose Jacobian is such a map
//
// Before:      def f_jacobian (x: f64) (ss: [k]f64) : [k]f64 = map (\s -> jvp f x s) ss
// After:       def f_jacobian (x: f64) (ss: [k]f64) : [k]f64 = jmp f x ss
#pragma once

#include "transform/ad/context.hpp"

namespace boustro::ad {

/// Applies the rule everywhere in the body, innermost maps first.
void share_primals(Derivation& derivation, ir::Body& body);

}  // namespace boustro::ad
