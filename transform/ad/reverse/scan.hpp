// What the rules for scan with any operator share.
#pragma once

#include "transform/ad/rules.hpp"

namespace boustro::ad {

/// Components that have an adjoint, or that matter to others though nobody wants their own result.
std::vector<std::size_t> active_components(const Reverse& reverse, const ir::Stm& stm,
                                           const ir::Scan& scan);

/// Adds what elements and free names of the operator contribute, given the adjoint of each ys[i] as
/// the result of one step: the return sweep of  map (\i y x -> if i == 0 then x else y * x)  of the
/// results before and the elements, with adjoints `r_adjs`, one array for each active component.
void add_scan_contributions(Reverse& reverse, ir::Builder& builder, const ir::Stm& stm,
                            const ir::Scan& scan, const std::vector<std::size_t>& active,
                            const std::vector<ir::Name>& r_adjs);

}  // namespace boustro::ad
