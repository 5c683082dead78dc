// What comes before each of the values that a block has in shared memory.
#pragma once

#include <cub/cub.cuh>
#include <cstddef>
#include <type_traits>

#include "templates/block_size.cuh"

/// Each value becomes what all before it come to, in their order, from `start` on. All threads of
/// the block have to call it; the values may have been stored by any of them, and may be read by
/// any of them.
template <std::size_t size, typename T, typename Op>
__device__ void scan_before(T (&values)[size], std::common_type_t<T> start, Op op) {
  static_assert(static_cast<int>(size) % block_size == 0, "each thread has as many values");
  constexpr int count = static_cast<int>(size) / block_size;
  using Scan = cub::BlockScan<T, block_size>;
  __shared__ typename Scan::TempStorage memory;
  T* const own = values + threadIdx.x * count;
  __syncthreads();
  T before = own[0];
  for (int k = 1; k < count; ++k) before = op(before, own[k]);
  Scan(memory).ExclusiveScan(before, before, start, op);
  for (int k = 0; k < count; ++k) {
    const T value = own[k];
    own[k] = before;
    before = op(before, value);
  }
  __syncthreads();
}
