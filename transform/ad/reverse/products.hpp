// Products of many factors, as functions of each factor: what the rules for reduce and
// reduce_by_index with any operator differentiate.
#pragma once

#include "transform/ad/reverse/prefix.hpp"
#include "transform/ad/rules.hpp"

namespace boustro::ad {

/// The statement  ps = map (\l x r -> (l * x) * r) before factors after.  Names that are free in
/// the operator and active count in the first use only. `like`: the statement that is
/// differentiated.
ir::Stm products_of_parts(Reverse& reverse, ir::Builder& builder, const ir::Stm& like,
                          const Factors& factors, const std::vector<ir::Name>& before,
                          const std::vector<ir::Name>& after);

/// Refuses operators whose neutral element is active.
void refuse_active_neutral(const Reverse& reverse, const ir::Stm& stm,
                           const std::vector<ir::Atom>& neutral, const char* what);

}  // namespace boustro::ad
