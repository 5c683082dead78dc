// recurrence.cpp: C++ for the entry points of recurrence.fut, declared in recurrence.hpp.
// Written by `boustro translate recurrence.fut`; yours to edit. C++17; `-fopenmp` uses all cores.
//
//   products_vjp [n] (xs: [n]f64) (ys_adj: [n]f64) : ([n]f64, [n]f64)
//     = vjp2 products xs ys_adj                                                recurrence.fut:6

#include "recurrence.hpp"

#include <algorithm>

namespace recurrence {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

/// Least work, in additions, of each part of a loop that workers share.
constexpr int64_t least_part_work = 1 << 15;

/// Maximum number of parts into which a loop that workers share is divided.
constexpr int64_t max_parts = 64;

/// Maximum number of elements of all parts together. More of them would let more workers share
/// loops whose parts are large.
constexpr int64_t max_room = int64_t{1} << 22;

/// Returns the maximum number of parts that may have `room` elements each for themselves: a power
/// of two, so that two workers, or four, get equally many.
int64_t most_parts(int64_t room) {
  int64_t parts = 1;
  while (2 * parts <= max_parts && 2 * parts <= max_room / std::max(room, int64_t{1})) parts *= 2;
  return parts;
}

/// Hands out the caller's scratch memory in units of 256 bytes; without memory it counts bytes.
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
  /// Whether the caller's `bytes` are enough; where none are needed, there may be no memory.
  bool fits(std::size_t bytes) const { return bytes_ <= bytes && (memory_ || bytes_ == 0); }

 private:
  std::byte* memory_;
  std::size_t bytes_ = 0;
};

/// Returns into how many parts to divide a loop over `points` points of about `work` additions
/// each: as many as pay, filling and collecting `cells` private elements per part included, and as
/// have memory for these and `room` more. Sizes alone decide, so that results do not depend on the
/// number of workers. Without OpenMP it may be unused.
[[maybe_unused]] inline int64_t parts_for(int64_t points, int64_t work, int64_t cells = 0,
                                          int64_t room = 0) {
  const int64_t least_work = least_part_work * std::max(cells / 16, int64_t{1});
  const int64_t least_points = std::max(least_work / std::max(work, int64_t{1}), int64_t{1});
  return std::clamp(points / least_points, int64_t{1}, most_parts(cells + room));
}

/// Returns into how many parts to divide a scan over `points` points of about `work` additions
/// each: as small ones as pay, so that what a part stores is still in the cache when it is read
/// again; at most 2^20 parts, so that products with sizes do not overflow.
int64_t small_parts_for(int64_t points, int64_t work) {
  const int64_t least_points = std::max(least_part_work / std::max(work, int64_t{1}), int64_t{1});
  return std::clamp(points / least_points, int64_t{1}, int64_t{1} << 20);
}

// ---------------------------------------------------------------------------------------
// Scratch memory of products_vjp
// ---------------------------------------------------------------------------------------

struct ProductsVjpScratch : Scratch {
  int64_t n;

  double* linear = take<double>(n);
  double* products_linear = take<double>(n);
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

Status products_vjp_scratch(std::size_t* bytes, int64_t n) {
  if (n < 0) return Status::invalid_value;
  *bytes = ProductsVjpScratch{Scratch(nullptr), n}.bytes();
  return Status::success;
}

Status products_vjp(double* __restrict__ result, double* __restrict__ xs_adj,
                    const double* __restrict__ xs, const double* __restrict__ ys_adj, int64_t n,
                    void* scratch, std::size_t scratch_bytes) {
  if (n < 0) return Status::invalid_value;
  const ProductsVjpScratch buffers{Scratch(scratch), n};
  if (!buffers.fits(scratch_bytes)) return Status::invalid_value;
  const int64_t parts = small_parts_for(n, 5);
  double carried_products = 1.0;

#ifdef _OPENMP
#pragma omp parallel for ordered schedule(dynamic) if (parts > 1)
#endif
  // recurrence.fut:3, `scan (*) 1 xs`
  for (int64_t part = 0; part < parts; ++part) {
    const int64_t begin = part * n / parts;
    const int64_t end = (part + 1) * n / parts;
    double running_products = 1.0;
    for (int64_t i = begin; i < end; ++i) {
      running_products *= xs[i];
      result[i] = running_products;
    }
    double before_products;
#ifdef _OPENMP
#pragma omp ordered
#endif
    {
      before_products = carried_products;
      carried_products *= running_products;
    }
    if (part > 0) {
      for (int64_t i = begin; i < end; ++i) result[i] *= before_products;
    }
  }
  const int64_t products_parts = small_parts_for(n, 17);
  double carried_linear = 0.0;
  double products_carried_linear = 1.0;

#ifdef _OPENMP
#pragma omp parallel for ordered schedule(dynamic) if (products_parts > 1)
#endif
  // recurrence.fut:3, return sweep of `scan (*) 1 xs`: reverse_scan_linear
  for (int64_t part = 0; part < products_parts; ++part) {
    const int64_t begin = part * n / products_parts;
    const int64_t end = (part + 1) * n / products_parts;
    double running_linear = 0.0;
    double products_running_linear = 1.0;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t next = n - i;
      const double c = next < n ? xs[next] : 1.0;
      running_linear = ys_adj[n - 1 - i] + running_linear * c;
      products_running_linear *= c;
      buffers.linear[i] = running_linear;
      buffers.products_linear[i] = products_running_linear;
    }
    double before_linear;
    double products_before_linear;
#ifdef _OPENMP
#pragma omp ordered
#endif
    {
      before_linear = carried_linear;
      products_before_linear = products_carried_linear;
      carried_linear = running_linear + carried_linear * products_running_linear;
      products_carried_linear *= products_running_linear;
    }
    if (part > 0) {
      for (int64_t i = begin; i < end; ++i) {
        const double own = buffers.products_linear[i];
        buffers.linear[i] += before_linear * own;
        buffers.products_linear[i] = products_before_linear * own;
      }
    }
  }

#ifdef _OPENMP
#pragma omp parallel for if (parts_for(n, 11) > 1)
#endif
  // xs_adj[i] = linear[n - 1 - i] if i == 0 else linear[n - 1 - i] * (1 if i == 0 else
  // result[i - 1])
  //   recurrence.fut:3, return sweep of `scan (*) 1 xs`: reverse_map
  for (int64_t i = 0; i < n; ++i) {
    const double y_adj = buffers.linear[n - 1 - i];
    const bool is_first = i == 0;
    double products;
    if (is_first) {
      products = 1.0;
    } else {
      products = result[i - 1];
    }
    xs_adj[i] = is_first ? y_adj : y_adj * products;
  }
  return Status::success;
}

}  // namespace recurrence
