#ifdef CUDA_EMULATION_COUNTS

#include "line_atomics.hpp"

#include <algorithm>

#include "footprint.hpp"

namespace cuda_emulation {
namespace {

constexpr std::uint64_t line_sectors = 4;

}  // namespace

void LineAtomics::add(int thread, void const* place, std::uintptr_t address) {
  requests_.add(thread, place, address, 1);
}

void LineAtomics::settle(std::uint64_t& most) {
  requests_.settle([&](WarpRequests::Units const& addresses) { pass(addresses, most); });
}

void LineAtomics::settle(int warp, std::uint64_t& most) {
  requests_.settle(warp, [&](WarpRequests::Units const& addresses) { pass(addresses, most); });
}

void LineAtomics::end_launch() {
  requests_.forget();
  passes_.clear();
}

/// The request takes as many passes over a sector as lanes have the address there that most have.
void LineAtomics::pass(WarpRequests::Units const& addresses, std::uint64_t& most) {
  std::unordered_map<std::uint64_t, std::uint64_t> lanes, deepest;
  for (std::uint64_t const address : addresses) {
    std::uint64_t& in_sector = deepest[address / Footprint::sector_bytes];
    in_sector = std::max(in_sector, ++lanes[address]);
  }
  for (auto const& [sector, passes] : deepest) most = std::max(most, passes_[sector / line_sectors] += passes);
}

}  // namespace cuda_emulation

#endif
