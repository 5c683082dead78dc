// recurrence.cu: CUDA C++ for the entry points of recurrence.fut, declared in recurrence.hpp.
// Written by `boustro translate recurrence.fut`; yours to edit. C++17, CUDA 12.8 or later.
//
//   products_vjp [n] (xs: [n]f64) (ys_adj: [n]f64) : ([n]f64, [n]f64)
//     = vjp2 products xs ys_adj                                                recurrence.fut:7
//
// The derivative, rule by rule (`boustro derive recurrence.fut` prints it as a program):
//
//   forward  ys[i]     = xs[0] * ... * xs[i]
//   return   rs_adj[i] = ys_adj[i] + xs[i+1] * rs_adj[i+1], and ys_adj[n-1] for i = n - 1
//            xs_adj[i] = rs_adj[i] * ys[i-1],               and rs_adj[0]   for i = 0
//                                                             reverse_scan, one scalar operator
//
// The linear recurrence for rs_adj is a scan, from the last i to the first, of the functions r ->
// ys_adj[i] + xs[i+1] * r under composition.

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

/// Hands out the caller's scratch memory piece by piece; without memory it only counts bytes.
class Scratch {
 public:
  explicit Scratch(void* memory) : memory_(static_cast<std::byte*>(memory)) {}

  template <typename T>
  T* take(int64_t size) {
    std::byte* const piece = memory_ == nullptr ? nullptr : memory_ + bytes_;
    if (size > 0) bytes_ += (static_cast<std::size_t>(size) * sizeof(T) + 255) / 256 * 256;
    return reinterpret_cast<T*>(piece);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* memory_;
  std::size_t bytes_ = 0;
};

// ---------------------------------------------------------------------------------------
// Device functions of products_vjp
// ---------------------------------------------------------------------------------------

/// x * y
struct Multiply {
  __device__ double operator()(double x, double y) const { return x * y; }
};

/// The function r -> d + c * r.
struct Linear {
  double d, c;
};

/// Apply `first`, then `second`.
struct Compose {
  __device__ Linear operator()(const Linear& first, const Linear& second) const {
    return {second.d + second.c * first.d, second.c * first.c};
  }
};

/// Input of the scan: how rs_adj[i] depends on rs_adj[i + 1], for i counted from the end.
/// d = ys_adj[i], c = d(rs[i] * xs[i + 1]) / d(rs[i]) = xs[i + 1], and 0 for the last i.
struct LinearAtFromEnd {
  const double* ys_adj;  // [n]
  const double* xs;      // [n]
  int64_t n;

  __device__ Linear operator()(int64_t from_end) const {
    const int64_t i = n - 1 - from_end;
    return {ys_adj[i], from_end == 0 ? 0.0 : xs[i + 1]};
  }
};

/// Output of the scan: takes rs_adj[i], which is `composed.d`, and stores
/// xs_adj[i] = rs_adj[i] * ys[i - 1].
struct StoreXsAdjFromEnd {
  double* xs_adj;    // [n], written
  const double* ys;  // [n]
  int64_t n;

  __device__ void operator()(int64_t from_end, const Linear& composed) const {
    const int64_t i = n - 1 - from_end;
    xs_adj[i] = i == 0 ? composed.d : composed.d * ys[i - 1];
  }
};

/// StoreXsAdjFromEnd as an iterator. Naming the stored type is for CUB, which Clang rejects with
/// `void`.
struct XsAdjFromEndIterator : thrust::tabulate_output_iterator<StoreXsAdjFromEnd> {
  using value_type = Linear;
  using thrust::tabulate_output_iterator<StoreXsAdjFromEnd>::tabulate_output_iterator;
};

// ---------------------------------------------------------------------------------------
// Scans of products_vjp. As in CUB, a null `scratch` means: only set `bytes`
// ---------------------------------------------------------------------------------------

// ys[i] = xs[0] * ... * xs[i]
//   source  recurrence.fut:3, forward sweep of `scan (*) 1 xs`
//   order   associates freely; one pass over the data
cudaError_t scan_ys(void* scratch, std::size_t& bytes,  // of `scratch`
                    double* ys,                         // [n], written
                    const double* xs,                   // [n]
                    int64_t n, cudaStream_t stream) {
  return cub::DeviceScan::InclusiveScan(scratch, bytes, xs, ys, Multiply{}, n, stream);
}

// xs_adj[i] = rs_adj[i] * ys[i - 1], where rs_adj[i] = ys_adj[i] + xs[i + 1] * rs_adj[i + 1]
//   source  recurrence.fut:3, return sweep of `scan (*) 1 xs`
//   rule    reverse_scan, one scalar operator
//   order   associates freely; one pass over the data, and rs_adj is never stored
cudaError_t scan_xs_adj(void* scratch, std::size_t& bytes,  // of `scratch`
                        double* xs_adj,                     // [n], written
                        const double* xs,                   // [n]
                        const double* ys,                   // [n]
                        const double* ys_adj,               // [n]
                        int64_t n, cudaStream_t stream) {
  const auto input_iterator = thrust::make_transform_iterator(thrust::counting_iterator<int64_t>(0),
                                                              LinearAtFromEnd{ys_adj, xs, n});
  const XsAdjFromEndIterator output_iterator(StoreXsAdjFromEnd{xs_adj, ys, n});
  return cub::DeviceScan::InclusiveScan(scratch, bytes, input_iterator, output_iterator, Compose{},
                                        n, stream);
}

// ---------------------------------------------------------------------------------------
// Scratch memory of products_vjp
// ---------------------------------------------------------------------------------------

struct ProductsVjpScratch {
  std::byte* library_scratch;  // for one library call after the other
  std::size_t library_bytes;
  cudaError_t status;  // of asking for library_bytes
  std::size_t bytes;

  ProductsVjpScratch(void* memory, int64_t n) {
    status = query_library(n);

    Scratch scratch(memory);
    library_scratch = scratch.take<std::byte>(static_cast<int64_t>(library_bytes));
    bytes = scratch.bytes();
  }

  // The calls follow one another in the same memory, so the largest need counts.
  cudaError_t query_library(int64_t n) {
    library_bytes = 0;
    std::size_t needed = 0;
    if (const auto error = scan_ys(nullptr, needed, nullptr, nullptr, n, nullptr)) return error;
    library_bytes = std::max(library_bytes, needed);
    if (const auto error =
            scan_xs_adj(nullptr, needed, nullptr, nullptr, nullptr, nullptr, n, nullptr)) {
      return error;
    }
    library_bytes = std::max(library_bytes, needed);
    return cudaSuccess;
  }
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

cudaError_t products_vjp_scratch(std::size_t* bytes, int64_t n) {
  if (n < 0) return cudaErrorInvalidValue;
  const ProductsVjpScratch buffers(nullptr, n);
  *bytes = buffers.bytes;
  return buffers.status;
}

cudaError_t products_vjp(double* ys, double* xs_adj, const double* xs, const double* ys_adj,
                         int64_t n, void* scratch, std::size_t scratch_bytes, cudaStream_t stream) {
  if (n < 0) return cudaErrorInvalidValue;
  const ProductsVjpScratch buffers(scratch, n);
  if (buffers.status != cudaSuccess) return buffers.status;
  if (scratch == nullptr || scratch_bytes < buffers.bytes) return cudaErrorInvalidValue;
  std::size_t library_bytes = buffers.library_bytes;
  if (n == 0) return cudaSuccess;  // the results have no elements

  // Forward sweep.
  if (const auto error = scan_ys(buffers.library_scratch, library_bytes, ys, xs, n, stream)) {
    return error;
  }

  // Return sweep.
  return scan_xs_adj(buffers.library_scratch, library_bytes, xs_adj, xs, ys, ys_adj, n, stream);
}

}  // namespace recurrence
