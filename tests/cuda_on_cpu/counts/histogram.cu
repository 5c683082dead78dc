// Atomics on one address, on many, and on a copy of the many in shared memory.
//
// expect kernel: count_all
//   launches 1, blocks 2, threads 64, global_atomics 50, most_global_atomics 50,
//   block_needed_bytes 64, needed_bytes 32, left_bytes 32, common_bytes 32
// expect kernel: count_by_bin
//   launches 2, blocks 4, threads 128,
//   global_loads 100, global_load_bytes 400, global_load_requests 4, global_load_sectors 14,
//   global_atomics 100, most_global_atomics 13,
//   block_needed_bytes 576, needed_bytes 512, left_bytes 64, common_bytes 64
// expect kernel: count_by_bin_in_block
//   launches 1, blocks 2, threads 64, barriers 4,
//   global_loads 50, global_load_bytes 200, global_load_requests 2, global_load_sectors 7,
//   global_atomics 8, most_global_atomics 2,
//   shared_loads 8, shared_load_bytes 32, shared_load_requests 2,
//   shared_stores 8, shared_store_bytes 32, shared_store_requests 2,
//   shared_atomics 50, most_shared_atomics 8,
//   block_needed_bytes 288, needed_bytes 256, left_bytes 32, common_bytes 32,
//   shared_bytes 16
#include "check.cuh"

constexpr int n = 50, bins = 4;

__global__ void count_all(int* count) {
  if (blockIdx.x * blockDim.x + threadIdx.x < n) atomicAdd(count, 1);
}

__global__ void count_by_bin(int* __restrict__ counts, const int* __restrict__ values) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) atomicAdd(&counts[values[i]], 1);
}

__global__ void count_by_bin_in_block(int* __restrict__ counts, const int* __restrict__ values) {
  extern __shared__ int block_counts[];
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (threadIdx.x < bins) block_counts[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&block_counts[values[i]], 1);
  __syncthreads();
  if (threadIdx.x < bins) atomicAdd(&counts[threadIdx.x], block_counts[threadIdx.x]);
}

int main() {
  std::vector<int> host_values(n);
  for (int i = 0; i < n; ++i) host_values[i] = i % bins;  // 13, 13, 12, 12
  const DeviceArray<int> values(host_values), counts(std::vector<int>(bins, 0));

  cuda_emulation_begin_entry();
  count_all<<<2, 32>>>(counts.data());
  for (int time = 0; time < 2; ++time) count_by_bin<<<2, 32>>>(counts.data(), values.data());
  count_by_bin_in_block<<<2, 32, bins * sizeof(int)>>>(counts.data(), values.data());
  cuda_emulation_end_entry();

  expect(counts.to_host() == std::vector<int>({89, 39, 36, 36}), "counts");
}
