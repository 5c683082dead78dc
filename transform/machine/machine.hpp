// What decides how long programs take on a device: one table of numbers, for the model of `boustro profile`
// and for choices between versions of a nest.
//
// Each number in machine.cpp says where it comes from: the maker's data sheet or white paper, or NVIDIA's CUDA
// programming guide (compute capabilities), "measured" by programs on it, or "assumed" until it is measured.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace boustro::machine {

// Blocks of all kernels, as templates/block_size.cuh and templates/max_shared_bytes.cuh have them: a test holds both against each other.
constexpr int block_threads = 256;
constexpr int block_shared_bytes = 48 * 1024;

enum FloatType { f16, f32, f64, float_types };

/// Rates are those that a program can reach, in one second or in one clock of one multiprocessor.
struct Gpu {
  std::string name;          // as --device has it
  std::string architecture;  // as nvcc has it: sm_90
  int multiprocessors;
  double clock;  // in Hz

  // What a multiprocessor holds at a time.
  int threads, blocks;
  int registers;           // of 32 bits
  int block_shared_bytes;  // for one block at most
  int shared_bytes;        // for all blocks
  int reserved_bytes;      // of it for each block, beyond its own
  int l1_bytes;            // with the shared memory

  double clocks_per_block;  // of a multiprocessor, until it starts the next one

  // Memory.
  double memory_bandwidth;  // bytes a second
  double l2_bytes, l2_bandwidth;
  double l2_bytes_per_clock;                      // that one multiprocessor gets
  double shared_bytes_per_clock;                  // of one multiprocessor, from shared memory or L1
  double l1_latency, l2_latency, memory_latency;  // seconds
  double loads_in_flight, loads_at_once;          // of one thread: in a loop that compilers unroll; at most, in straight code

  // Arithmetic, of one multiprocessor in one clock; a fused multiplication and addition is one operation.
  std::array<double, float_types> operations;
  double f64_tensor_operations;  // multiplications with an addition, on tensor cores
  double special;                // for divisions, roots and functions of f32
  double operations_of_special;  // of f32 that each needs besides
  double f64_operations_of_special;
  double clocks_per_instruction;  // of one warp, when each waits for the one before
  double clocks_per_barrier;

  // Atomics.
  double atomics, atomics_on_one;  // of global memory a second: on any addresses; passes over the sectors of a line of 128 bytes
  double shared_atomics;           // a clock of one multiprocessor
  double clocks_per_shared_atomic_on_one;

  // Bytes a second that CUB's scans load and store, of numbers, and of structs, which it does not hand round in one word with its state.
  double scan_bandwidth, struct_scan_bandwidth;

  // The host.
  double launch, wait, copy;  // seconds each takes at least
  double host_bandwidth;      // of copies to and from the host
};

struct Cpu {
  std::string name;
  int workers;
  double clock;
  int vector_bytes;
  double operations_per_clock;  // vector operations of one worker; a fused multiplication and addition is one
  double clocks_per_special;    // of one worker, for a division, a root or a function of one float
  double l1_bytes, l2_bytes;    // of one worker
  double l3_bytes;              // of all
  double memory_bandwidth;      // of all workers together
};

const std::vector<Gpu>& gpus();

/// One of gpus(), or nothing.
const Gpu* find_gpu(std::string_view name);

/// The machine at hand, as far as it says what it is.
Cpu this_cpu();

/// What a kernel takes for one of its blocks.
struct BlockNeeds {
  int threads = 1;
  int registers = 0;  // of one thread; 0 if that is not known
  int shared_bytes = 0;
};

/// How many such blocks a multiprocessor runs at a time; 0 if not even one fits.
int resident_blocks(const Gpu& gpu, const BlockNeeds& block);

}  // namespace boustro::machine
