// How long a device would take for what was counted, and what bounds it.
//
// The launches of a kernel take three things, one after the other: what it takes to launch; the slowest resource, which takes as long as it
// would if there were nothing else; and latency. Resources overlap, but warps that wait leave them idle: on an H200 kernels take about as
// long as the sum (GOALS.md, "Measured on an H200"). Atomics that meet overlap with latency, too, as nobody waits for them. Resources of
// multiprocessors are those of as many as have a block.
//
//   launch        launches * launch
//   block starts  blocks, one after the other on each multiprocessor, * clocks_per_block
//   memory        bytes / memory_bandwidth. Each sector comes once in a launch, and more often so far as what is met at a time exceeds
//                 the L2 cache: sectors that several blocks meet, and those of the blocks that are resident
//   L2            bytes / l2_bandwidth. Each sector that is loaded comes once for each block, and more often so far as what
//                 a block touches exceeds its share of the L1 cache; stores go there as they are
//   shared        passes over the banks of shared memory, and L1's for global and local memory, which are the same
//   special       divisions, roots and functions of f32
//   f16 f32 f64   operations by type. A warp takes the time of 32 lanes, however many are active. Special functions of f64,
//                 and part of those of f32, are such operations
//   tensor        operations of f64 on tensor cores
//   atomics       all of them, at the rate of many addresses
//   one address   the most passes over sectors of one line of global memory, or the most that meet on one address of shared memory
//   latency       the slowest warp, instruction by instruction, and all warps, as many at a time as are resident
//
// What takes longest of these bounds it.
//
// A copy takes its bytes / bandwidth, or what a copy takes at least; on the device it is a launch, and so is filling. A call of CUB takes as
// many launches and sweeps over its data as library_work() in model.cpp says; a scan (term `scan`) moves its data at a rate of its own.
// Times add up, as in one stream whose host is never late but where it waits.
#pragma once

#include <string>
#include <vector>

#include "emit/run/counts.hpp"
#include "transform/machine/machine.hpp"

namespace boustro::profile {

/// What one resource would take for a row.
struct Term {
  std::string name;
  double seconds;
};

struct ModelledTime {
  double seconds = 0;
  std::string bound;        // the name of the term that takes longest; empty if nothing takes time
  std::vector<Term> terms;  // all that apply, in the order above
  double occupancy = 0;     // resident threads of a multiprocessor by those that it can hold; kernels only
};

/// For all launches of a row. `registers` of a thread limit how many blocks are resident; 0 if they are not
/// known.
ModelledTime model_time(const run::CountedWork& work, const machine::Gpu& gpu, int registers = 0);

/// The roof of a nest of loops on a CPU: its bytes at the bandwidth of memory, each sector once in a run, or
/// its operations at the rate of full vectors of all workers, whichever takes longer.
ModelledTime model_time(const run::CountedWork& work, const machine::Cpu& cpu);

}  // namespace boustro::profile
