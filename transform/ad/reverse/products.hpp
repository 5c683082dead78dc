// Products of many factors, as functions of each factor: what the rules for reduce and
// reduce_by_index with any operator differentiate.
#pragma once

#include <optional>

#include "transform/ad/reverse/prefix.hpp"
#include "transform/ad/rules.hpp"

namespace boustro::ad {

/// For each factor, whether another one stands before it, and after it: arrays of booleans.
struct Neighbours {
  ir::Name before, after;
};

/// The statement  ps = map (\l x r -> (l * x) * r) before factors after.  Names that are free in
/// the operator and active count in the first use only. `like`: the statement that is
/// differentiated. Given `neighbours`, the operator is not applied where there is none.
ir::Stm products_of_parts(Reverse& reverse, ir::Builder& builder, const ir::Stm& like,
                          const Factors& factors, const std::vector<ir::Name>& before,
                          const std::vector<ir::Name>& after,
                          const std::optional<Neighbours>& neighbours = std::nullopt);

/// Refuses operators whose neutral element is active.
void refuse_active_neutral(const Reverse& reverse, const ir::Stm& stm,
                           const std::vector<ir::Atom>& neutral, const char* what);

}  // namespace boustro::ad
