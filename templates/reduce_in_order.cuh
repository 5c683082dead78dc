// A reduction by an operator that need not commute.
#pragma once

#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstddef>
#include <cstdint>

#include "templates/stored_by.cuh"

/// Input sequence of `first`, followed by the elements of `others`.
template <typename T, typename Input>
struct Behind {
  T first;
  Input others;

  __device__ T operator()(int64_t i) const { return i == 0 ? first : T(others[i - 1]); }
};

/// Output sequence of which only the element at `last` is stored, in `*output`.
template <typename Output>
struct KeepLast {
  Output output;
  int64_t last;

  template <typename T>
  __device__ void operator()(int64_t i, T value) const {
    if (i == last) *Output(output) = value;
  }
};

/// Sets *output = init op xs[0] op ... op xs[count - 1], in this order: CUB's reductions may swap
/// operands, so it is the last element of a scan, whose other elements are not stored. As in CUB, a
/// null `scratch` only sets `bytes`.
template <typename T, typename Input, typename Output, typename Op>
cudaError_t reduce_in_order(void* scratch, std::size_t& bytes, Input xs, Output output, int64_t count, Op op, T init,
                            cudaStream_t stream) {
  const auto elements = thrust::make_transform_iterator(thrust::counting_iterator<int64_t>(0), Behind<T, Input>{init, xs});
  const auto prefixes = stored_by<T>(KeepLast<Output>{output, count});
  return cub::DeviceScan::InclusiveScan(scratch, bytes, elements, prefixes, op, count + 1, stream);
}
