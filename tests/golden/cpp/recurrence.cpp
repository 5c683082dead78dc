// recurrence.cpp: C++ for the entry points of recurrence.fut, declared in recurrence.hpp.
// Written by `boustro translate recurrence.fut`; yours to edit. C++17; `-fopenmp` uses all cores.
//
//   products_vjp [n] (xs: [n]f64) (ys_adj: [n]f64) : ([n]f64, [n]f64)
//     = vjp2 products xs ys_adj                                                recurrence.fut:6

#include "recurrence.hpp"

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
// Scratch memory of products_vjp
// ---------------------------------------------------------------------------------------

struct ProductsVjpScratch {
  double* r;    // [n]
  double* r_2;  // [n]
  std::size_t bytes;

  ProductsVjpScratch(void* memory, int64_t n) {
    Scratch scratch(memory);
    r = scratch.take<double>(n);
    r_2 = scratch.take<double>(n);
    bytes = scratch.bytes();
  }
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

Status products_vjp_scratch(std::size_t* bytes, int64_t n) {
  if (n < 0) return Status::invalid_value;
  *bytes = ProductsVjpScratch(nullptr, n).bytes;
  return Status::success;
}

Status products_vjp(double* __restrict__ products, double* __restrict__ xs_adj,
                    const double* __restrict__ xs, const double* __restrict__ ys_adj, int64_t n,
                    void* scratch, std::size_t scratch_bytes) {
  if (n < 0) return Status::invalid_value;
  const ProductsVjpScratch buffers(scratch, n);
  if (scratch_bytes < buffers.bytes) return Status::invalid_value;
  double running_products = 1.0;
  for (int64_t i = 0; i < n; ++i) {
    running_products *= xs[i];
    products[i] = running_products;
  }
  double running_r = 0.0;
  double running_r_2 = 1.0;
  for (int64_t j = 0; j < n; ++j) {
    const int64_t next = n - 1 - j + 1;
    const double c = next < n ? xs[next] : 1.0;
    running_r = ys_adj[n - 1 - j] + running_r * c;
    running_r_2 *= c;
    buffers.r[j] = running_r;
    buffers.r_2[j] = running_r_2;
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t l = 0; l < n; ++l) {
    const double y_adj = buffers.r[n - 1 - l];
    const bool is_first = l == 0;
    double products_2;
    if (is_first) {
      products_2 = 1.0;
    } else {
      const double products_3 = products[l - 1];
      products_2 = products_3;
    }
    xs_adj[l] = is_first ? y_adj : y_adj * products_2;
  }
  return Status::success;
}

}  // namespace recurrence
