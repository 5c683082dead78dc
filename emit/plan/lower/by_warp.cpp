#include "emit/plan/lower/by_warp.hpp"

#include <algorithm>

#include "transform/facts/meetings.hpp"
#include "transform/ir/nest.hpp"

namespace boustro::plan::planner {

// Lanes that go on to another cell each never meet. Where all have one cell, all atomic operations but one are saved. Where the data say
// which cell it is, nobody knows; but most data have popular values, whose cells would be what everybody waits for, and it costs little to
// ask. An atomic operation of a warp on 32 places of global memory takes 75 clocks of each multiprocessor (machine.hpp: of 132 at 1.8 GHz,
// which share 100e9 a second); a match and a vote are a dozen instructions of one of its four schedulers, which wait for memory anyway.
ByWarp additions_by_warp(const ir::Stm& stm, const ir::Nest& nest, std::size_t dimension) {
  using facts::Meeting;
  const bool asked = ir::has_attribute(stm, aggregate);
  const std::vector<Meeting> meetings = facts::meetings_along(nest, dimension);
  ByWarp result;
  const auto end_of_accumulators = meetings.begin() + static_cast<std::ptrdiff_t>(nest.accumulators.size());
  const auto pays = [&](Meeting meeting) { return asked || meeting != Meeting::never; };
  std::transform(meetings.begin(), end_of_accumulators, std::back_inserter(result.accumulators), pays);
  std::transform(end_of_accumulators, meetings.end(), std::back_inserter(result.outs), pays);
  const Meeting likeliest = meetings.empty() ? Meeting::never : *std::max_element(meetings.begin(), meetings.end());
  if (asked) result.why = "lanes of a warp add together: asked for";
  else if (likeliest == Meeting::always) result.why = "lanes of a warp add together: they have one cell";
  else if (likeliest == Meeting::by_data) result.why = "lanes of a warp add together: cells by data";
  return result;
}

}  // namespace boustro::plan::planner
