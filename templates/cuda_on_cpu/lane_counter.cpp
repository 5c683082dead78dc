#ifdef CUDA_EMULATION_COUNTS

#include "lane_counter.hpp"

#include <algorithm>
#include <numeric>

namespace cuda_emulation {

void LaneCounter::run(Counts& counts, int thread, CodeBlock& code) {
  if (thread < 0) return add_operations(counts, code, 1);  // calls of a library have no threads
  if (code.number == 0) code.number = ++codes_;
  auto const warp_index = static_cast<std::size_t>(thread / lanes);
  if (warp_index >= warps_.size()) warps_.resize(warp_index + 1);
  Warp& warp = warps_[warp_index];
  if (code.number >= warp.runs.size()) warp.runs.resize(codes_ + 1);
  auto const lane = static_cast<std::size_t>(thread % lanes);
  ++runs_of(warp, code).times[lane];
  warp.now[lane] = &code;
}

void LaneCounter::load(int thread) {
  auto const warp_index = static_cast<std::size_t>(thread / lanes);
  if (thread < 0 || warp_index >= warps_.size()) return;
  Warp& warp = warps_[warp_index];
  auto const lane = static_cast<std::size_t>(thread % lanes);
  if (warp.now[lane] == nullptr) return;
  ++runs_of(warp, *warp.now[lane]).loading[lane];
  warp.now[lane] = nullptr;
}

LaneCounter::Runs& LaneCounter::runs_of(Warp& warp, CodeBlock const& code) {
  Runs& runs = warp.runs[code.number];
  if (runs.code == nullptr) {
    runs.code = &code;
    warp.started.push_back(code.number);
  }
  return runs;
}

void LaneCounter::settle(Counts& counts) {
  for (Warp& warp : warps_) settle(counts, warp);
}

void LaneCounter::settle(Counts& counts, int warp) {
  auto const index = static_cast<std::size_t>(warp);
  if (index < warps_.size()) settle(counts, warps_[index]);
}

void LaneCounter::settle(Counts& counts, Warp& warp) {
  for (std::uint32_t const number : warp.started) {
    Runs& runs = warp.runs[number];
    std::uint64_t const together = *std::max_element(runs.times.begin(), runs.times.end());
    std::uint64_t const alone = std::accumulate(runs.times.begin(), runs.times.end(), std::uint64_t{0});
    warp.instructions += together * runs.code->instructions;
    warp.chain += together * runs.code->chain;
    counts.warp_instructions += together * runs.code->instructions;
    counts.warp_chain += together * runs.code->chain;
    counts.warp_load_waits += *std::max_element(runs.loading.begin(), runs.loading.end()) * std::uint64_t{runs.code->load_chain};
    counts.lane_instructions += alone * runs.code->instructions;
    add_operations(counts, *runs.code, alone);
    runs = {};
  }
  warp.started.clear();
}

void LaneCounter::end_block(Counts& counts) {
  settle(counts);
  for (Warp& warp : warps_) {
    counts.most_warp_instructions = std::max(counts.most_warp_instructions, warp.instructions);
    counts.most_warp_chain = std::max(counts.most_warp_chain, warp.chain);
    warp.instructions = warp.chain = 0;
  }
}

}  // namespace cuda_emulation

#endif
