// An inclusive scan of the values that a block has in shared memory.
#pragma once

#include <cub/cub.cuh>
#include <cstddef>
#include <type_traits>

#include "templates/block_size.cuh"

/// Replaces each value by `start` combined with all values up to and including it, in their order.
/// All threads of the block must call it; it waits for what any of them has stored in `values`, and
/// they may read all results afterwards.
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
