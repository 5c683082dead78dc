// A reduction of the values that a block has in shared memory.
#pragma once

#include <cub/cub.cuh>
#include <cstddef>
#include <type_traits>

#include "templates/block_size.cuh"

/// Returns `start` and all of `values`, combined in this order, to thread 0, and `start` to others.
/// All threads of the block must call it; it waits for what any of them has stored in `values`.
template <std::size_t size, typename T, typename Op>
__device__ T reduce_all(T (&values)[size], std::common_type_t<T> start, Op op) {
  static_assert(static_cast<int>(size) % block_size == 0, "each thread has as many values");
  constexpr int count = static_cast<int>(size) / block_size;
  using Reduce = cub::BlockReduce<T, block_size>;
  __shared__ typename Reduce::TempStorage memory;
  T* const own = values + threadIdx.x * count;
  __syncthreads();
  T total = own[0];
  for (int k = 1; k < count; ++k) total = op(total, own[k]);
  total = Reduce(memory).Reduce(total, op);
  return threadIdx.x == 0 ? op(start, total) : start;  // other threads' totals are undefined
}
