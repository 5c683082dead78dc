// Atomics on one line of 128 bytes: passes over each of its sectors are as many as lanes of a warp have the same address there, and those of all
// warps add up, whichever of its addresses they have.
//
// expect kernel: count_lanes
//   launches 1, blocks 2, threads 64, global_atomics 64, most_global_atomics 8,
//   block_needed_bytes 64, needed_bytes 32, left_bytes 32, common_bytes 32
// expect kernel: count_in_places
//   launches 1, blocks 4, threads 256, global_atomics 8, most_global_atomics 8,
//   block_needed_bytes 128, needed_bytes 128, left_bytes 128
// expect kernel: count_apart
//   launches 2, blocks 2, threads 64, global_atomics 64, most_global_atomics 4,
//   block_needed_bytes 2048, needed_bytes 2048, left_bytes 2048
// expect kernel: count_twice
//   launches 1, blocks 1, threads 32, global_atomics 48, most_global_atomics 8,
//   block_needed_bytes 128, needed_bytes 128, left_bytes 128
#include "check.cuh"

constexpr int sector = 8;  // elements

__global__ void count_lanes(int* counts) { atomicAdd(&counts[threadIdx.x % sector], 1); }

/// One lane of each warp, which has a place of its own.
__global__ void count_in_places(int* counts) {
  if (threadIdx.x % 32 == 0) atomicAdd(&counts[(blockIdx.x * 2 + threadIdx.x / 32) * 4], 1);
}

__global__ void count_apart(int* counts) { atomicAdd(&counts[threadIdx.x * sector], 1); }

/// Half of the lanes do so a second time.
__global__ void count_twice(int* counts) {
  for (int time = static_cast<int>(threadIdx.x % 2); time < 2; ++time) atomicAdd(&counts[threadIdx.x], 1);
}

int main() {
  const DeviceArray<int> counts(std::vector<int>(32 * sector, 0));

  cuda_emulation_begin_entry();
  count_lanes<<<2, 32>>>(counts.data());
  count_in_places<<<4, 64>>>(counts.data());
  for (int time = 0; time < 2; ++time) count_apart<<<1, 32>>>(counts.data());
  count_twice<<<1, 32>>>(counts.data());
  cuda_emulation_end_entry();

  expect(counts.to_host()[0] == 8 + 1 + 2 + 2, "counts[0]");
}
