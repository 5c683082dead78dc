#ifdef CUDA_EMULATION_COUNTS

#include "line_atomics.hpp"

#include <algorithm>

namespace cuda_emulation {
namespace {

constexpr std::uint64_t line_bytes = 128;

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

/// The request takes as many passes over a line as the address there that most lanes have.
void LineAtomics::pass(WarpRequests::Units const& addresses, std::uint64_t& most) {
  std::unordered_map<std::uint64_t, std::uint64_t> lanes, deepest;
  for (std::uint64_t const address : addresses) {
    std::uint64_t& on_line = deepest[address / line_bytes];
    on_line = std::max(on_line, ++lanes[address]);
  }
  for (auto const& [line, passes] : deepest) most = std::max(most, passes_[line] += passes);
}

}  // namespace cuda_emulation

#endif
