#include "emit/profile/model.hpp"

#include <algorithm>
#include <cmath>

namespace boustro::profile {
namespace {

using machine::Gpu;
using run::Counts;

constexpr double lanes = 32, sector_bytes = 32;

double number(std::uint64_t count) { return static_cast<double>(count); }

/// What comes from behind a cache: each piece once, and those that are asked for again so far as they do not
/// fit.
double behind_cache(double asked, double distinct, double touched, double capacity) {
  const double missed = touched <= capacity ? 0 : 1 - capacity / touched;
  return distinct + std::max(asked - distinct, 0.0) * missed;
}

/// Bytes, for all launches, from the levels of memory.
struct Traffic {
  double loaded = 0;  // from any level
  double l2 = 0, memory = 0;
};

/// How a row is spread over the device.
struct Spread {
  double launches = 1, blocks = 1, warps = 1;  // blocks of one launch, warps of one block
  double multiprocessors = 1;                  // that have a block
  double resident_blocks = 1;                  // on one that is full
  double blocks_at_a_time = 1;                 // of one launch
};

Spread spread_of(const Counts& counts, const Gpu& gpu, int registers) {
  Spread spread;
  spread.launches = std::max(number(counts.launches), 1.0);
  spread.blocks = std::max(number(counts.blocks) / spread.launches, 1.0);
  const double threads = std::round(number(counts.threads) / std::max(number(counts.blocks), 1.0));  // extrapolated
  spread.warps = std::max(std::ceil(threads / lanes), 1.0);
  spread.multiprocessors = std::min<double>(gpu.multiprocessors, spread.blocks);
  const machine::BlockNeeds block{static_cast<int>(threads), registers,
                                  static_cast<int>(counts.shared_bytes)};
  spread.resident_blocks = std::max(machine::resident_blocks(gpu, block), 1);
  spread.blocks_at_a_time = std::min(spread.blocks, spread.multiprocessors * spread.resident_blocks);
  return spread;
}

/// What the L2 cache has to hold at a time: sectors that several blocks meet, and those of the blocks that run.
double met_at_a_time(const Counts& counts, double kept, const Spread& spread) {
  const double common = std::min(number(counts.common_bytes), kept), of_blocks = (kept - common) / spread.blocks;
  return (common + of_blocks * spread.blocks_at_a_time) / spread.launches;
}

Traffic traffic_of(const Counts& counts, const Gpu& gpu, const Spread& spread) {
  const double blocks = spread.blocks * spread.launches, needed = number(counts.block_needed_bytes),
               l1_share = std::max(gpu.l1_bytes / spread.resident_blocks - number(counts.shared_bytes), 0.0);
  const double kept = number(counts.needed_bytes) + number(counts.left_bytes);
  Traffic traffic;
  traffic.loaded = number(counts.global_load_sectors) * sector_bytes;
  const double stored = number(counts.global_store_sectors) * sector_bytes;
  traffic.l2 = behind_cache(traffic.loaded, needed, needed / blocks, l1_share) + stored;
  traffic.memory = behind_cache(traffic.l2, kept, met_at_a_time(counts, kept, spread), gpu.l2_bytes);
  return traffic;
}

// --- the terms ---------------------------------------------------------------------------

double block_start_seconds(const Gpu& gpu, const Spread& spread) {
  return spread.launches * spread.blocks / spread.multiprocessors * gpu.clocks_per_block / gpu.clock;
}

double shared_seconds(const Counts& counts, const Gpu& gpu, const Traffic& traffic, const Spread& spread) {
  const double width = gpu.shared_bytes_per_clock;
  const auto passes = [&](std::uint64_t requests, std::uint64_t bytes, std::uint64_t conflicts) {
    return std::max(number(requests), number(bytes) / width) + number(conflicts);
  };
  const double local = number(counts.local_load_bytes + counts.local_store_bytes);
  const double clocks =
      passes(counts.shared_load_requests, counts.shared_load_bytes, counts.shared_load_conflicts) +
      passes(counts.shared_store_requests, counts.shared_store_bytes, counts.shared_store_conflicts) +
      (traffic.loaded + number(counts.global_store_sectors) * sector_bytes + local) / width;
  return clocks / (spread.multiprocessors * gpu.clock);
}

void add_arithmetic(std::vector<Term>& terms, const Counts& counts, const Gpu& gpu, const Spread& spread) {
  static const char* const names[] = {"f16", "f32", "f64"};
  const double active = cuda_emulation::active_lanes(counts), idle_too = active == 0 ? 1 : lanes / active;
  const double special = number(counts.f16_special) + number(counts.f32_special);
  const double of_special[] = {0, special * gpu.operations_of_special,
                               number(counts.f64_special) * gpu.f64_operations_of_special};
  const double clocks = spread.multiprocessors * gpu.clock;
  terms.push_back({"special", special * idle_too / (gpu.special * clocks)});
  for (int type = 0; type < machine::float_types; ++type) {
    const double operations =
        number(counts.*cuda_emulation::float_counters[type].operations) + of_special[type];
    terms.push_back(
        {names[type], operations * idle_too / (gpu.operations[static_cast<std::size_t>(type)] * clocks)});
  }
  terms.push_back({"tensor", number(counts.f64_tensor_operations) / (gpu.f64_tensor_operations * clocks)});
}

void add_atomics(std::vector<Term>& terms, const Counts& counts, const Gpu& gpu, const Spread& spread) {
  const double clocks = spread.multiprocessors * gpu.clock;
  terms.push_back({"atomics", std::max(number(counts.global_atomics) / gpu.atomics,
                                       number(counts.shared_atomics) / (gpu.shared_atomics * clocks))});
  const double blocks_in_turn = spread.launches * spread.blocks / spread.multiprocessors;
  const double global = spread.launches * number(counts.most_global_atomics) / gpu.atomics_on_one,
               shared = blocks_in_turn * number(counts.most_shared_atomics) *
                        gpu.clocks_per_shared_atomic_on_one / gpu.clock;
  terms.push_back({"one address", std::max(global, shared)});
}

/// Of one warp, or of several one after the other: it starts an instruction each clock, or waits for those that the next one needs.
double seconds_of(std::uint64_t instructions, std::uint64_t chain, const Gpu& gpu) {
  return std::max(number(instructions), number(chain) * gpu.clocks_per_instruction) / gpu.clock;
}

double latency_seconds(const Counts& counts, const Gpu& gpu, const Traffic& traffic, const Spread& spread) {
  const double instructions = number(counts.warp_instructions);
  if (instructions == 0) return 0;
  const double load =
      traffic.loaded == 0
          ? 0
          : gpu.l1_latency + (gpu.l2_latency * std::min(traffic.l2 / traffic.loaded, 1.0) +
                              gpu.memory_latency * std::min(traffic.memory / traffic.loaded, 1.0));
  const double requests = number(counts.global_load_requests),
               waits = std::clamp(number(counts.warp_load_waits), requests / gpu.loads_at_once, requests / gpu.loads_in_flight);
  const double loads = waits * load / instructions;  // for each instruction
  const double blocks = spread.blocks * spread.launches,
               barriers = number(counts.barriers) / blocks * gpu.clocks_per_barrier / gpu.clock;
  const double slowest = seconds_of(counts.most_warp_instructions, counts.most_warp_chain, gpu) +
                         number(counts.most_warp_instructions) * loads + barriers,
               all = seconds_of(counts.warp_instructions, counts.warp_chain, gpu) + instructions * loads + blocks * spread.warps * barriers;
  const double resident = spread.warps * spread.blocks_at_a_time;
  return std::max(spread.launches * slowest, all / resident);
}

// --- rows --------------------------------------------------------------------------------

std::vector<Term> kernel_terms(const Counts& counts, const Gpu& gpu, const Spread& spread) {
  const Traffic traffic = traffic_of(counts, gpu, spread);
  const double l2_bandwidth =
      std::min(gpu.l2_bandwidth, spread.multiprocessors * gpu.l2_bytes_per_clock * gpu.clock);
  std::vector<Term> terms = {{"launch", number(counts.launches) * gpu.launch},
                             {"block starts", block_start_seconds(gpu, spread)},
                             {"memory", traffic.memory / gpu.memory_bandwidth},
                             {"L2", traffic.l2 / l2_bandwidth},
                             {"shared", shared_seconds(counts, gpu, traffic, spread)}};
  add_arithmetic(terms, counts, gpu, spread);
  add_atomics(terms, counts, gpu, spread);
  terms.push_back({"latency", latency_seconds(counts, gpu, traffic, spread)});
  return terms;
}

/// What a call of CUB does to its data.
struct LibraryWork {
  double launches, sweeps;
};

/// All assumed, by how CUB goes about it: a reduction by tiles and then of the tiles; a scan in one sweep after
/// its state has been set; a radix sort that counts digits once and then moves everything once for each 8 bits
/// of 32, or for each digit that its name tells.
LibraryWork library_work(const std::string& name) {
  if (name.find("Sort") == name.npos) return {2, 1};
  const std::size_t digits = name.find(", ");
  const double moves = digits == name.npos ? 4 : std::stod(name.substr(digits + 2));
  return {2 + moves, 0.5 + moves};
}

std::vector<Term> library_terms(const run::CountedWork& work, const Gpu& gpu) {
  const LibraryWork library = library_work(work.name);
  const Counts& counts = work.counts;
  Spread all;
  all.multiprocessors = gpu.multiprocessors;
  const double bytes = (number(counts.needed_bytes) + number(counts.left_bytes)) * library.sweeps,
               asked = number(counts.global_load_bytes + counts.global_store_bytes) * library.sweeps;
  std::vector<Term> terms = {{"launch", number(counts.launches) * gpu.launch * library.launches},
                             {"memory", bytes / gpu.memory_bandwidth},
                             {"L2", std::max(asked, bytes) / gpu.l2_bandwidth}};
  add_arithmetic(terms, counts, gpu, all);
  if (work.name.find("Scan") != work.name.npos)
    terms.push_back({"scan", bytes / (work.name.find("structs") == work.name.npos ? gpu.scan_bandwidth : gpu.struct_scan_bandwidth)});
  return terms;
}

std::vector<Term> copy_terms(const Counts& counts, const Gpu& gpu) {
  const double read = number(counts.needed_bytes), written = number(counts.left_bytes),
               times = number(counts.launches);
  if (read != 0 && written != 0)  // on the device
    return {{"launch", times * gpu.launch}, {"memory", (read + written) / gpu.memory_bandwidth}};
  return {{"copy", times * gpu.copy}, {"host", (read + written) / gpu.host_bandwidth}};
}

std::vector<Term> terms_of(const run::CountedWork& work, const Gpu& gpu, const Spread& spread) {
  const Counts& counts = work.counts;
  if (work.work == "kernel") return kernel_terms(counts, gpu, spread);
  if (work.work == "library") return library_terms(work, gpu);
  if (work.work == "copy") return copy_terms(counts, gpu);
  if (work.work == "wait") return {{"wait", number(counts.waits) * gpu.wait}};
  return {{"launch", number(counts.launches) * gpu.launch},  // fill
          {"memory", number(counts.left_bytes) / gpu.memory_bandwidth}};
}

/// Launches, the slowest resource and latency, one after the other.
ModelledTime combined(std::vector<Term> terms) {
  ModelledTime time;
  time.terms = std::move(terms);
  double launch = 0, slowest = 0, latency = 0, meeting = 0, longest = 0;
  for (const Term& term : time.terms) {
    double& part = term.name == "launch" ? launch : term.name == "latency" ? latency : term.name == "one address" ? meeting : slowest;
    part = std::max(part, term.seconds);
    if (term.seconds <= longest) continue;
    longest = term.seconds;
    time.bound = term.name;
  }
  time.seconds = launch + std::max(slowest + latency, meeting);
  return time;
}

}  // namespace

ModelledTime model_time(const run::CountedWork& work, const Gpu& gpu, int registers) {
  const Spread spread = spread_of(work.counts, gpu, registers);
  ModelledTime time = combined(terms_of(work, gpu, spread));
  if (work.work == "kernel") time.occupancy = spread.resident_blocks * spread.warps * lanes / gpu.threads;
  return time;
}

ModelledTime model_time(const run::CountedWork& work, const machine::Cpu& cpu) {
  static const double float_bytes[] = {2, 4, 8};
  const Counts& counts = work.counts;
  const double clocks = cpu.workers * cpu.clock;
  std::vector<Term> terms = {
      {"memory", (number(counts.needed_bytes) + number(counts.left_bytes)) / cpu.memory_bandwidth}};
  double vectors = 0;
  for (int type = 0; type < machine::float_types; ++type)
    vectors += number(counts.*cuda_emulation::float_counters[type].operations) * float_bytes[type] /
               cpu.vector_bytes;
  const double special = number(counts.f16_special + counts.f32_special + counts.f64_special);
  terms.push_back({"operations", vectors / (cpu.operations_per_clock * clocks)});
  terms.push_back({"special", special * cpu.clocks_per_special / clocks});
  return combined(std::move(terms));
}

}  // namespace boustro::profile
