// Scans that one nest reads, each in order or from the end: their prefixes are computed where that nest reads them, part by part, and are
// stored nowhere. A gradient of a reduction reads what comes before and behind each element ([Schenck et al. 2022], section 5.1.2).
//
// Rule      b = nest n (\i -> f i) (scan op);  c = nest n (\i -> g (n-1-i)) (scan op')
//           ys = nest n (\i -> .. b[i-1] .. c[n-2-i] ..)
//           gives   what f and g come to in each part of 2304 elements = nest (n / 2304) (\p -> reduce op, reduce op');
//           scans of these; and, from what they have for the part of point i,
//           ys = nest n (\i -> .. reduce op (f of the elements of the part before i) .. reduce op' (g of those behind i) ..)
//           transform/facts/part_scans.hpp has the form, which the threads of a block compute together
// Applies   all reads of a scan are at the point's own element, or all are at the one before, counted as the scan goes; f, g and the
//           operators are scalar code that cannot fail; nothing in between is consumed; others who read a scan come behind the nest
// Cost      what f and g read is read twice, and what scans yield is neither stored nor read: where that comes to fewer bytes
#pragma once

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// For the statements of a body that the host runs.
void scan_by_parts(ir::Body& body, ir::Names& names, const facts::Callees& callees);

}  // namespace boustro::parallel
