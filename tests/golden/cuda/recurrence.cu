// recurrence.cu: CUDA C++ for the entry points of recurrence.fut, declared in recurrence.hpp.
// Written by `boustro translate recurrence.fut`; yours to edit. C++17, CUDA 12.8 or later.
//
//   products_vjp [n] (xs: [n]f64) (ys_adj: [n]f64) : ([n]f64, [n]f64)
//     = vjp2 products xs ys_adj                                                recurrence.fut:6
//
//   The derivative, rule by rule (`boustro derive recurrence.fut` prints it as a program):
//
//   forward  result[i] = xs[0] * ... * xs[i]
//   return   xs_adj[i] = r(i) if i == 0 else r(i) * result[i - 1]
//              where r(i) = ys_adj[i] + (xs[i + 1] if i + 1 < n else 1) * r(i + 1), from r(n) = 0
//                                  reverse_scan_linear, reverse_map, reverse_if, reverse_scalar

#include "recurrence.hpp"

#include <algorithm>

#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/tabulate_output_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace recurrence {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

/// Output iterator that passes each T that is assigned to it to a functor, with its index. Unlike
/// Thrust's own iterator it names the type, which CUB needs where Clang compiles it.
template <typename T, typename Store>
struct StoredBy : thrust::tabulate_output_iterator<Store> {
  using value_type = T;
  using thrust::tabulate_output_iterator<Store>::tabulate_output_iterator;
};

/// Returns an output iterator that calls store(index, value) for each element.
template <typename T, typename Store>
StoredBy<T, Store> stored_by(Store store) {
  return StoredBy<T, Store>(store);
}

// ---------------------------------------------------------------------------------------
// Device functions of products_vjp
// ---------------------------------------------------------------------------------------

/// x * y
struct Multiply {
  __device__ double operator()(double x, double y) const { return x * y; }
};

/// The function r -> d + c * r.
struct LinearValues {
  double d, c;
};

/// Input of the scan: (ys_adj[n - 1 - i], xs[n - i] if n - i < n else 1)
struct LinearAt {
  const double* ys_adj;  // [n]
  const double* xs;      // [n]
  int64_t n;

  __device__ LinearValues operator()(int64_t i) const {
    const int64_t next = n - i;
    return {ys_adj[n - 1 - i], next < n ? xs[next] : 1.0};
  }
};

/// Apply `first`, then `second`.
struct CombineLinear {
  __device__ LinearValues operator()(const LinearValues& first, const LinearValues& second) const {
    return {second.d + first.d * second.c, first.c * second.c};
  }
};

/// Output of the scan: xs_adj[n - 1 - from_end] = linear.d if n - 1 - from_end == 0 else linear.d *
/// result[n - 1 - from_end - 1]
struct StoreXsAdj {
  double* xs_adj;        // [n], written
  const double* result;  // [n]
  int64_t n;

  __device__ void operator()(int64_t from_end, const LinearValues& linear) const {
    const int64_t i = n - 1 - from_end;
    xs_adj[i] = i == 0 ? linear.d : linear.d * result[i - 1];
  }
};

// ---------------------------------------------------------------------------------------
// Scans of products_vjp. As in CUB, a null `scratch` means: only set `bytes`
// ---------------------------------------------------------------------------------------

// result[i] = xs[0] * ... * xs[i]
//   source  recurrence.fut:3, `scan (*) 1 xs`
//   order   associates freely, in each run anew; one pass over the data
cudaError_t scan_products(void* scratch, std::size_t& bytes,  // of `scratch`
                          double* result,                     // [n], written
                          const double* xs,                   // [n]
                          int64_t n, cudaStream_t stream) {
  return cub::DeviceScan::InclusiveScan(scratch, bytes, xs, result, Multiply{}, n, stream);
}

// xs_adj[i] = r(i) if i == 0 else r(i) * result[i - 1]
//   where r(i) = ys_adj[i] + (xs[i + 1] if i + 1 < n else 1) * r(i + 1), from r(n) = 0
//   source  recurrence.fut:3, return sweep of `scan (*) 1 xs`
//   rule    reverse_scan_linear; reverse_map; reverse_if; reverse_scalar
//   order   associates freely, in each run anew; one pass over the data
cudaError_t scan_xs_adj(void* scratch, std::size_t& bytes,  // of `scratch`
                        double* xs_adj,                     // [n], written
                        const double* ys_adj,               // [n]
                        const double* xs,                   // [n]
                        const double* result,               // [n]
                        int64_t n, cudaStream_t stream) {
  const auto input_iterator = thrust::make_transform_iterator(thrust::counting_iterator<int64_t>(0),
                                                              LinearAt{ys_adj, xs, n});
  const auto output_iterator = stored_by<LinearValues>(StoreXsAdj{xs_adj, result, n});
  return cub::DeviceScan::InclusiveScan(scratch, bytes, input_iterator, output_iterator,
                                        CombineLinear{}, n, stream);
}

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

cudaError_t products_vjp_scratch(std::size_t* bytes, int64_t n) {
  if (n < 0) return cudaErrorInvalidValue;
  // The calls follow one another in the same memory, so the largest need counts.
  *bytes = 0;
  std::size_t needed = 0;
  if (const auto error = scan_products(nullptr, needed, nullptr, nullptr, n, nullptr)) return error;
  *bytes = std::max(*bytes, needed);
  if (const auto error =
          scan_xs_adj(nullptr, needed, nullptr, nullptr, nullptr, nullptr, n, nullptr)) {
    return error;
  }
  *bytes = std::max(*bytes, needed);
  return cudaSuccess;
}

cudaError_t products_vjp(double* result, double* xs_adj, const double* xs, const double* ys_adj,
                         int64_t n, void* scratch, std::size_t scratch_bytes, cudaStream_t stream) {
  std::size_t needed_bytes = 0;
  if (const auto error = products_vjp_scratch(&needed_bytes, n)) return error;
  if (scratch == nullptr || scratch_bytes < needed_bytes) return cudaErrorInvalidValue;

  if (n == 0) return cudaSuccess;  // the results have no elements

  // Forward sweep.
  if (const auto error = scan_products(scratch, scratch_bytes, result, xs, n, stream)) return error;

  // Return sweep.
  return scan_xs_adj(scratch, scratch_bytes, xs_adj, ys_adj, xs, result, n, stream);
}

}  // namespace recurrence
