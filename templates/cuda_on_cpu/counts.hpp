// What is counted of a program that runs on the CPU in the mode `counts`, and the file that holds it.
//
// The file is a table: a line of column names (`work`, `name`, those of `counters`), and one for each
// kernel, library call or kind of transfer, in the order in which they were first met, all separated by
// tabulators. `emit/run` reads it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "code_block.hpp"

namespace cuda_emulation {

/// An access is that of one thread, however many bytes it has.
struct Counts {
  std::uint64_t launches = 0;  // or calls; what is queued
  std::uint64_t blocks = 0, threads = 0;
  // Instructions of LLVM: those that a warp runs for any of its lanes, and those that lanes run. Their ratio
  // says how many lanes are active.
  std::uint64_t warp_instructions = 0, lane_instructions = 0;
  std::uint64_t most_warp_instructions = 0;  // of one warp in one launch
  // Those that have to wait for one another, within pieces of straight code: the longest chain of each.
  std::uint64_t warp_chain = 0, most_warp_chain = 0;
  // How often a warp waits for global memory if loads of a piece of straight code that do not need one another go out together.
  std::uint64_t warp_load_waits = 0;
  // Of floats, see code_block.hpp: what is fused is one operation.
  std::uint64_t f16_operations = 0, f16_fused = 0, f16_special = 0;
  std::uint64_t f32_operations = 0, f32_fused = 0, f32_special = 0;
  std::uint64_t f64_operations = 0, f64_fused = 0, f64_special = 0;
  std::uint64_t f64_tensor_operations = 0;  // multiplications with an addition on tensor cores, none of those above
  // A request is what the lanes of a warp ask for together; see warp_requests.hpp.
  std::uint64_t global_loads = 0, global_load_bytes = 0;
  std::uint64_t global_load_requests = 0, global_load_sectors = 0;
  std::uint64_t global_stores = 0, global_store_bytes = 0;
  std::uint64_t global_store_requests = 0, global_store_sectors = 0;
  // Whole sectors of global memory: those whose contents a block needs, counted once for each block; those
  // whose contents a launch needs from before, and those that it leaves with new contents, counted once for
  // each launch.
  std::uint64_t block_needed_bytes = 0, needed_bytes = 0, left_bytes = 0;
  std::uint64_t common_bytes = 0;  // whole sectors that more than one block of a launch loads or stores, once for each launch
  // The second: passes over the sectors of one line of 128 bytes in one launch. The lanes of a warp that are on different addresses of a sector
  // are one pass.
  std::uint64_t global_atomics = 0, most_global_atomics = 0;
  std::uint64_t shared_bytes = 0;  // of the block that has most; CUB here takes more than the real one
  std::uint64_t shared_loads = 0, shared_load_bytes = 0;
  std::uint64_t shared_load_requests = 0, shared_load_conflicts = 0;
  std::uint64_t shared_stores = 0, shared_store_bytes = 0;
  std::uint64_t shared_store_requests = 0, shared_store_conflicts = 0;
  std::uint64_t shared_atomics = 0, most_shared_atomics = 0;  // on one address in one block
  std::uint64_t local_loads = 0, local_load_bytes = 0;        // of the thread's own memory
  std::uint64_t local_stores = 0, local_store_bytes = 0;
  std::uint64_t barriers = 0;  // each once for each block that meets there
  std::uint64_t waits = 0;     // of the host for the device
};

enum class Adds { up, to_largest };

struct Counter {
  char const* name;
  std::uint64_t Counts::*number;
  Adds adds = Adds::up;
};

constexpr Counter counters[] = {
    {"launches", &Counts::launches},
    {"blocks", &Counts::blocks},
    {"threads", &Counts::threads},
    {"warp_instructions", &Counts::warp_instructions},
    {"lane_instructions", &Counts::lane_instructions},
    {"most_warp_instructions", &Counts::most_warp_instructions, Adds::to_largest},
    {"warp_chain", &Counts::warp_chain},
    {"most_warp_chain", &Counts::most_warp_chain, Adds::to_largest},
    {"warp_load_waits", &Counts::warp_load_waits},
    {"f16_operations", &Counts::f16_operations},
    {"f16_fused", &Counts::f16_fused},
    {"f16_special", &Counts::f16_special},
    {"f32_operations", &Counts::f32_operations},
    {"f32_fused", &Counts::f32_fused},
    {"f32_special", &Counts::f32_special},
    {"f64_operations", &Counts::f64_operations},
    {"f64_fused", &Counts::f64_fused},
    {"f64_special", &Counts::f64_special},
    {"f64_tensor_operations", &Counts::f64_tensor_operations},
    {"global_loads", &Counts::global_loads},
    {"global_load_bytes", &Counts::global_load_bytes},
    {"global_load_requests", &Counts::global_load_requests},
    {"global_load_sectors", &Counts::global_load_sectors},
    {"global_stores", &Counts::global_stores},
    {"global_store_bytes", &Counts::global_store_bytes},
    {"global_store_requests", &Counts::global_store_requests},
    {"global_store_sectors", &Counts::global_store_sectors},
    {"block_needed_bytes", &Counts::block_needed_bytes},
    {"needed_bytes", &Counts::needed_bytes},
    {"left_bytes", &Counts::left_bytes},
    {"common_bytes", &Counts::common_bytes},
    {"global_atomics", &Counts::global_atomics},
    {"most_global_atomics", &Counts::most_global_atomics, Adds::to_largest},
    {"shared_bytes", &Counts::shared_bytes, Adds::to_largest},
    {"shared_loads", &Counts::shared_loads},
    {"shared_load_bytes", &Counts::shared_load_bytes},
    {"shared_load_requests", &Counts::shared_load_requests},
    {"shared_load_conflicts", &Counts::shared_load_conflicts},
    {"shared_stores", &Counts::shared_stores},
    {"shared_store_bytes", &Counts::shared_store_bytes},
    {"shared_store_requests", &Counts::shared_store_requests},
    {"shared_store_conflicts", &Counts::shared_store_conflicts},
    {"shared_atomics", &Counts::shared_atomics},
    {"most_shared_atomics", &Counts::most_shared_atomics, Adds::to_largest},
    {"local_loads", &Counts::local_loads},
    {"local_load_bytes", &Counts::local_load_bytes},
    {"local_stores", &Counts::local_stores},
    {"local_store_bytes", &Counts::local_store_bytes},
    {"barriers", &Counts::barriers},
    {"waits", &Counts::waits},
};

/// What is counted of one type of floats, in the order of FloatType.
struct FloatCounters {
  std::uint64_t Counts::*operations, Counts::*fused, Counts::*special;
};

constexpr FloatCounters float_counters[float_types] = {
    {&Counts::f16_operations, &Counts::f16_fused, &Counts::f16_special},
    {&Counts::f32_operations, &Counts::f32_fused, &Counts::f32_special},
    {&Counts::f64_operations, &Counts::f64_fused, &Counts::f64_special},
};

/// How many lanes of a warp run an instruction, on average; 0 if nothing ran in warps.
inline double active_lanes(Counts const& counts) {
  return counts.warp_instructions == 0
             ? 0
             : static_cast<double>(counts.lane_instructions) / static_cast<double>(counts.warp_instructions);
}

/// Those of a piece of code that has run so many times.
inline void add_operations(Counts& counts, CodeBlock const& code, std::uint64_t times) {
  for (int type = 0; type < float_types; ++type) {
    FloatCounters const& numbers = float_counters[type];
    counts.*numbers.operations += times * code.operations[type];
    counts.*numbers.fused += times * code.fused[type];
    counts.*numbers.special += times * code.special[type];
  }
  counts.f64_tensor_operations += times * code.tensor;
}

inline void add(Counts& total, Counts const& more) {
  for (Counter const& counter : counters) {
    std::uint64_t& number = total.*counter.number;
    std::uint64_t const other = more.*counter.number;
    number = counter.adds == Adds::up ? number + other : std::max(number, other);
  }
}

}  // namespace cuda_emulation
