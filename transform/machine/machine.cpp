#include "transform/machine/machine.hpp"

#include <algorithm>
#include <thread>

namespace boustro::machine {
namespace {

constexpr int warp_threads = 32;

// Data sheet of H200 SXM, white paper of H100, programming guide for 9.0; memory as measured by a copy.
const Gpu h200 = {
    .name = "h200",
    .architecture = "sm_90",
    .multiprocessors = 132,  // data sheet
    .clock = 1.98e9,         // white paper; with it 67 Tflop/s of f32, as in the data sheet
    .threads = 2048,         // programming guide, as the next six
    .blocks = 32,
    .registers = 65536,
    .block_shared_bytes = 227 * 1024,
    .shared_bytes = 228 * 1024,
    .reserved_bytes = 1024,
    .l1_bytes = 256 * 1024,
    .clocks_per_block = 160,        // measured: blocks of 256 threads that store a number each
    .memory_bandwidth = 4.3e12,     // measured by a copy; data sheet: 4.8e12
    .l2_bytes = 50e6,               // white paper
    .l2_bandwidth = 5.5e12,         // assumed
    .l2_bytes_per_clock = 64,       // assumed
    .shared_bytes_per_clock = 128,  // programming guide: 32 banks of 4 bytes
    .l1_latency = 20e-9,            // assumed, as the next two
    .l2_latency = 140e-9,
    .memory_latency = 600e-9,
    .loads_in_flight = 4,                  // assumed
    .loads_at_once = 32,                   // assumed
    .operations = {256, 128, 64},          // programming guide; f16 in pairs
    .f64_tensor_operations = 124,          // measured: 65 Tflop/s as mma.m16n8k4; data sheet: twice those of other units
    .special = 16,                         // programming guide
    .operations_of_special = 4,            // assumed
    .f64_operations_of_special = 25,       // assumed
    .clocks_per_instruction = 4,           // assumed
    .clocks_per_barrier = 30,              // assumed
    .atomics = 100e9,                      // assumed: one sector a clock of each slice of L2 would be 136e9
    .atomics_on_one = 1.45e9,              // measured: 0.6 ns at most in a histogram's blocks, 0.8 to 0.9 in k-means
    .shared_atomics = 16,                  // assumed
    .clocks_per_shared_atomic_on_one = 4,  // assumed
    .scan_bandwidth = 2.4e12,              // measured, as the next two
    .struct_scan_bandwidth = 1.1e12,       // of two numbers
    .launch = 2.25e-6,                     // 2 to 2.5 us
    .wait = 10e-6,                         // assumed, as the next one
    .copy = 8e-6,
    .host_bandwidth = 55e9,  // assumed: 0.87 of PCIe 5.0 with 16 lanes
};

// Data sheet of A100 80GB SXM, white paper of A100, programming guide for 8.0.
const Gpu a100 = {
    .name = "a100",
    .architecture = "sm_80",
    .multiprocessors = 108,  // white paper
    .clock = 1.41e9,         // white paper
    .threads = 2048,         // programming guide, as the next six
    .blocks = 32,
    .registers = 65536,
    .block_shared_bytes = 163 * 1024,
    .shared_bytes = 164 * 1024,
    .reserved_bytes = 1024,
    .l1_bytes = 192 * 1024,
    .clocks_per_block = 160,        // assumed, as measured on an H200
    .memory_bandwidth = 1.83e12,    // assumed: 0.9 of the data sheet's 2.039e12
    .l2_bytes = 40e6,               // white paper
    .l2_bandwidth = 5.0e12,         // assumed: 0.7 of the white paper's 5120 bytes a clock
    .l2_bytes_per_clock = 64,       // white paper
    .shared_bytes_per_clock = 128,  // programming guide
    .l1_latency = 20e-9,            // assumed, as the next two
    .l2_latency = 140e-9,
    .memory_latency = 500e-9,
    .loads_in_flight = 4,                  // assumed
    .loads_at_once = 32,                   // assumed
    .operations = {256, 64, 32},           // programming guide; f16 in pairs
    .f64_tensor_operations = 64,           // data sheet: twice those of other units
    .special = 16,                         // programming guide
    .operations_of_special = 4,            // assumed
    .f64_operations_of_special = 25,       // assumed
    .clocks_per_instruction = 4,           // assumed
    .clocks_per_barrier = 30,              // assumed
    .atomics = 80e9,                       // assumed: 80 slices, 0.7 of one a clock
    .atomics_on_one = 1.0e9,               // assumed: by its clock, as measured on an H200
    .shared_atomics = 16,                  // assumed
    .clocks_per_shared_atomic_on_one = 4,  // assumed
    .scan_bandwidth = 1.0e12,              // assumed, as the next one: parts of the bandwidth of memory as measured on an H200
    .struct_scan_bandwidth = 0.47e12,
    .launch = 2.5e-6,                      // assumed, as the next two
    .wait = 10e-6,
    .copy = 8e-6,
    .host_bandwidth = 25e9,  // assumed: 0.8 of PCIe 4.0 with 16 lanes
};

// White paper of Ada (RTX 4090), programming guide for 8.9.
const Gpu rtx4090 = {
    .name = "rtx4090",
    .architecture = "sm_89",
    .multiprocessors = 128,  // white paper
    .clock = 2.52e9,         // white paper
    .threads = 1536,         // programming guide, as the next six
    .blocks = 24,
    .registers = 65536,
    .block_shared_bytes = 99 * 1024,
    .shared_bytes = 100 * 1024,
    .reserved_bytes = 1024,
    .l1_bytes = 128 * 1024,
    .clocks_per_block = 160,        // assumed, as measured on an H200
    .memory_bandwidth = 0.93e12,    // assumed: 0.92 of the white paper's 1.008e12
    .l2_bytes = 72e6,               // white paper
    .l2_bandwidth = 4.5e12,         // assumed
    .l2_bytes_per_clock = 64,       // assumed
    .shared_bytes_per_clock = 128,  // programming guide
    .l1_latency = 20e-9,            // assumed, as the next two
    .l2_latency = 140e-9,
    .memory_latency = 500e-9,
    .loads_in_flight = 4,                  // assumed
    .loads_at_once = 32,                   // assumed
    .operations = {128, 128, 2},           // programming guide
    .f64_tensor_operations = 2,            // assumed: the same units
    .special = 16,                         // programming guide
    .operations_of_special = 4,            // assumed
    .f64_operations_of_special = 25,       // assumed
    .clocks_per_instruction = 4,           // assumed
    .clocks_per_barrier = 30,              // assumed
    .atomics = 80e9,                       // assumed
    .atomics_on_one = 1.8e9,               // assumed: by its clock, as measured on an H200
    .shared_atomics = 16,                  // assumed
    .clocks_per_shared_atomic_on_one = 4,  // assumed
    .scan_bandwidth = 0.52e12,             // assumed, as the next one: parts of the bandwidth of memory as measured on an H200
    .struct_scan_bandwidth = 0.24e12,
    .launch = 2.5e-6,                      // assumed, as the next two
    .wait = 10e-6,
    .copy = 8e-6,
    .host_bandwidth = 25e9,  // assumed: 0.8 of PCIe 4.0 with 16 lanes
};

int round_up(int number, int unit) { return (number + unit - 1) / unit * unit; }

}  // namespace

const std::vector<Gpu>& gpus() {
  static const std::vector<Gpu> all = {h200, a100, rtx4090};
  return all;
}

const Gpu* find_gpu(std::string_view name) {
  for (const Gpu& gpu : gpus())
    if (gpu.name == name) return &gpu;
  return nullptr;
}

Cpu this_cpu() {
  const int workers = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return {
      .name = "cpu",
      .workers = workers,
      .clock = 3e9,               // assumed
      .vector_bytes = 32,         // assumed: AVX2
      .operations_per_clock = 2,  // assumed: two vector units
      .clocks_per_special = 10,   // assumed
      .l1_bytes = 32e3,           // assumed, as the next two
      .l2_bytes = 1e6,
      .l3_bytes = 32e6,
      .memory_bandwidth = 15e9 * std::min(workers, 8),  // assumed
  };
}

int resident_blocks(const Gpu& gpu, const BlockNeeds& block) {
  if (block.shared_bytes > gpu.block_shared_bytes) return 0;
  const int warps = round_up(std::max(block.threads, 1), warp_threads) / warp_threads;
  int blocks = std::min(gpu.blocks, gpu.threads / (warps * warp_threads));
  blocks = std::min(blocks, gpu.shared_bytes / (round_up(block.shared_bytes, 128) + gpu.reserved_bytes));
  // registers are given to warps, 256 at a time
  if (block.registers > 0)
    blocks = std::min(blocks, gpu.registers / (warps * round_up(block.registers * warp_threads, 256)));
  return blocks;
}

}  // namespace boustro::machine
