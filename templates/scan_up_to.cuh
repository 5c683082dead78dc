// What each of the values that a block has in shared memory, and those before it, come to.
#pragma once

#include <cub/cub.cuh>
#include <cstddef>
#include <type_traits>

#include "templates/block_size.cuh"

/// Each value becomes what it and all before it come to, in their order, from `start` on. All
/// threads of the block have to call it; the values may have been stored by any of them, and may be
/// read by any of them.
template <std::size_t size, typename T, typename Op>
__device__ void scan_up_to(T (&values)[size], std::common_type_t<T> start, Op op) {
  static_assert(static_cast<int>(size) % block_size == 0, "each thread has as many values");
  constexpr int count = static_cast<int>(size) / block_size;
  using Scan = cub::BlockScan<T, block_size>;
  __shared__ typename Scan::TempStorage memory;
  T* const own = values + threadIdx.x * count;
  __syncthreads();
  T total = own[0];
  for (int k = 1; k < count; ++k) total = op(total, own[k]);
  Scan(memory).ExclusiveScan(total, total, start, op);
  for (int k = 0; k < count; ++k) {
    total = op(total, own[k]);
    own[k] = total;
  }
  __syncthreads();
}
