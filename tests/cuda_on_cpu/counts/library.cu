// Calls of CUB: what the iterators read and write is counted once; how CUB goes about it is not, but
// for the barriers of block-wide calls. What a warp hands round is no memory of its threads. Shared memory is
// what the emulator's own CUB takes.
//
// expect library: cub::DeviceReduce::Reduce
//   launches 2, global_loads 120, global_load_bytes 480, global_stores 2, global_store_bytes 8,
//   block_needed_bytes 480, needed_bytes 480, left_bytes 64
// expect library: cub::DeviceScan::InclusiveScan
//   launches 1, global_loads 40, global_load_bytes 160, global_stores 40, global_store_bytes 160,
//   block_needed_bytes 160, needed_bytes 160, left_bytes 160
// expect library: cub::DeviceScan::InclusiveScan, structs
//   launches 1, global_loads 20, global_load_bytes 160, global_stores 20, global_store_bytes 160,
//   block_needed_bytes 160, needed_bytes 160, left_bytes 160
// expect library: cub::DeviceRadixSort::SortPairs
//   launches 1, global_loads 80, global_load_bytes 320, global_stores 80, global_store_bytes 320,
//   block_needed_bytes 320, needed_bytes 320, left_bytes 320
// expect library: cub::DeviceRadixSort::SortKeys, 1 digit
//   launches 1, global_loads 40, global_load_bytes 160, global_stores 40, global_store_bytes 160,
//   block_needed_bytes 160, needed_bytes 160, left_bytes 160
// expect library: cub::DeviceRadixSort::SortKeys, 2 digits
//   launches 1, global_loads 40, global_load_bytes 160, global_stores 40, global_store_bytes 160,
//   block_needed_bytes 160, needed_bytes 160, left_bytes 160
// expect kernel: sum_blocks
//   launches 1, blocks 2, threads 64, barriers 2,
//   global_loads 40, global_load_bytes 160, global_load_requests 2, global_load_sectors 5,
//   global_stores 2, global_store_bytes 8, global_store_requests 2, global_store_sectors 2,
//   block_needed_bytes 160, needed_bytes 160, left_bytes 32, common_bytes 32,
//   shared_bytes 136
// expect kernel: scan_blocks
//   launches 1, blocks 2, threads 64, barriers 4,
//   global_loads 64, global_load_bytes 256, global_load_requests 2, global_load_sectors 8,
//   global_stores 64, global_store_bytes 256, global_store_requests 2, global_store_sectors 8,
//   block_needed_bytes 256, needed_bytes 256, left_bytes 256,
//   shared_bytes 136
// expect kernel: sum_warps
//   launches 1, blocks 1, threads 64,
//   global_loads 64, global_load_bytes 256, global_load_requests 2, global_load_sectors 8,
//   global_stores 4, global_store_bytes 16, global_store_requests 4, global_store_sectors 4,
//   block_needed_bytes 256, needed_bytes 256, left_bytes 32,
//   shared_bytes 2
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cuda/std/functional>

#include "check.cuh"

constexpr int n = 40, padded = 64;

struct Product {
  const int* xs;
  const int* ys;
  __host__ __device__ int operator()(int i) const { return xs[i] * ys[i]; }
};

__global__ void sum_blocks(int* __restrict__ sums, const int* __restrict__ xs) {
  __shared__ cub::BlockReduce<int, 32>::TempStorage storage;
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int x = i < n ? xs[i] : 0;
  const int sum = cub::BlockReduce<int, 32>(storage).Reduce(x, cuda::std::plus<int>{});
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void scan_blocks(int* __restrict__ ys, const int* __restrict__ xs) {
  __shared__ cub::BlockScan<int, 32>::TempStorage storage;
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  int y, total;
  cub::BlockScan<int, 32>(storage).InclusiveScan(xs[i], y, cuda::std::plus<int>{}, total);
  ys[i] = y + total;
}

__global__ void sum_warps(int* __restrict__ sums, const int* __restrict__ xs) {
  __shared__ cub::WarpReduce<int>::TempStorage storage[2];
  const int warp = static_cast<int>(threadIdx.x) / 32;
  int x = xs[threadIdx.x];
  const int sum = cub::WarpReduce<int>(storage[warp]).Reduce(x, cuda::std::plus<int>{});
  for (int distance = 16; distance > 0; distance /= 2)
    x += __shfl_xor_sync(0xffffffffu, x, distance);
  if (threadIdx.x % 32 == 0) {
    sums[warp] = sum;
    sums[warp + 2] = x;
  }
}

struct Pair {
  int first, second;
};

struct FirstAndSum {
  __host__ __device__ Pair operator()(Pair a, Pair b) const { return {a.first, a.second + b.second}; }
};

int main() {
  std::vector<int> threes(padded, 0);
  for (int i = 0; i < n; ++i) threes[i] = 3;
  const DeviceArray<int> xs(threes), ys(std::vector<int>(n, 2)), sums(4), scanned(n);
  const DeviceArray<Pair> pairs(std::vector<Pair>(n / 2, Pair{7, 2})), scanned_pairs(n / 2);
  const DeviceArray<int> sorted(n), items(n), block_scanned(padded), warp_sums(4);
  std::size_t bytes = 1 << 16;
  const DeviceArray<char> storage(bytes);
  const cuda::std::plus<int> plus;
  const auto products = thrust::make_transform_iterator(thrust::counting_iterator<int>(0),
                                                        Product{xs.data(), ys.data()});

  cuda_emulation_begin_entry();
  cuda_check(cub::DeviceReduce::Reduce(nullptr, bytes, xs.data(), sums.data(), n, plus, 0), "size");
  bytes = 1 << 16;
  cuda_check(cub::DeviceReduce::Reduce(storage.data(), bytes, xs.data(), sums.data(), n, plus, 0),
             "reduce");
  cuda_check(
      cub::DeviceReduce::Reduce(storage.data(), bytes, products, sums.data() + 1, n, plus, 0),
      "reduce");
  cuda_check(
      cub::DeviceScan::InclusiveScan(storage.data(), bytes, xs.data(), scanned.data(), plus, n),
      "scan");
  cuda_check(cub::DeviceScan::InclusiveScan(storage.data(), bytes, pairs.data(), scanned_pairs.data(), FirstAndSum{}, n / 2), "scan of structs");
  cuda_check(cub::DeviceRadixSort::SortPairs(storage.data(), bytes, xs.data(), sorted.data(),
                                             ys.data(), items.data(), n),
             "sort");
  for (const int end : {11, 12})
    cuda_check(cub::DeviceRadixSort::SortKeys(storage.data(), bytes, xs.data(), sorted.data(), n, 3, end), "sort keys");
  sum_blocks<<<2, 32>>>(sums.data() + 2, xs.data());
  scan_blocks<<<2, 32>>>(block_scanned.data(), xs.data());
  sum_warps<<<1, 64>>>(warp_sums.data(), xs.data());
  cuda_emulation_end_entry();

  expect(sums.to_host() == std::vector<int>({120, 240, 96, 24}), "sums");
  expect(block_scanned.to_host()[31] == 192, "block_scanned");
  expect(warp_sums.to_host() == std::vector<int>({96, 24, 96, 24}), "warp_sums");
  expect(scanned.to_host()[n - 1] == 120, "scanned");
  expect(scanned_pairs.to_host()[n / 2 - 1].second == n, "scanned_pairs");
}
