#ifdef CUDA_EMULATION_COUNTS

#include "warp_requests.hpp"

#include <algorithm>

namespace cuda_emulation {
namespace {

constexpr std::size_t sector_bytes = 32;
constexpr std::size_t word_bytes = 4;
constexpr std::size_t banks = 32;
constexpr int pass_shift = 48;  // above the bits of an address

void add_once(std::vector<std::uint64_t>& units, std::uint64_t unit) {
  if (std::find(units.rbegin(), units.rend(), unit) == units.rend()) units.push_back(unit);
}

/// Wide accesses are served for half of the warp at a time, or a quarter.
std::uint64_t pass_of(int lane, std::size_t bytes) {
  return bytes <= 4 ? 0 : bytes <= 8 ? lane / 16 : lane / 8;
}

}  // namespace

void WarpRequests::add(int thread, void const* place, std::uintptr_t address, std::size_t bytes) {
  auto const warp = static_cast<std::size_t>(thread / lanes);
  int const lane = thread % lanes;
  if (warp >= warps_.size()) warps_.resize(warp + 1);
  Place& here = warps_[warp][place];
  std::size_t const time = here.times[static_cast<std::size_t>(lane)]++;
  if (time >= here.requests.size()) here.requests.resize(time + 1);
  Units& units = here.requests[time];
  if (cost_ == Cost::addresses) return units.push_back(address);
  bool const sectors = cost_ == Cost::sectors;
  std::size_t const unit_bytes = sectors ? sector_bytes : word_bytes;
  std::uint64_t const pass = sectors ? 0 : pass_of(lane, bytes) << pass_shift;
  for (std::uint64_t unit = address / unit_bytes; unit <= (address + bytes - 1) / unit_bytes;
       ++unit)
    add_once(units, pass | unit);
}

void WarpRequests::settle(std::uint64_t& requests, std::uint64_t& cost) {
  settle([&](Units const& units) {
    ++requests;
    cost += cost_of(units);
  });
}

void WarpRequests::settle(int warp, std::uint64_t& requests, std::uint64_t& cost) {
  settle(warp, [&](Units const& units) {
    ++requests;
    cost += cost_of(units);
  });
}

std::uint64_t WarpRequests::cost_of(Units const& units) const {
  if (cost_ != Cost::bank_conflicts) return units.size();
  std::array<std::array<std::uint64_t, banks>, 4> words{};  // of each pass that the width needs
  for (std::uint64_t const unit : units) ++words[unit >> pass_shift][unit % banks];
  std::uint64_t conflicts = 0;
  for (auto const& pass : words)
    conflicts += std::max<std::uint64_t>(*std::max_element(pass.begin(), pass.end()), 1) - 1;
  return conflicts;
}

}  // namespace cuda_emulation

#endif
