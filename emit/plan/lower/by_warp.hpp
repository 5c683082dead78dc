// Which additions of threads lanes of a warp make together: those with the same cell combine what they have, and one of them adds it
// (templates/warp_peers.cuh).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "transform/ir/ir.hpp"

namespace boustro::plan::planner {

/// The attribute that asks for it, of additions to copies in shared memory, too.
inline constexpr std::string_view aggregate = "aggregate";

struct ByWarp {
  std::vector<bool> accumulators, outs;  // of the nest
  std::string why = {};                  // for --explain-plan; empty if none are
};

/// Of a nest whose neighbouring threads are along that dimension.
ByWarp additions_by_warp(const ir::Stm& stm, const ir::Nest& nest, std::size_t dimension);

}  // namespace boustro::plan::planner
