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

/// Loops that workers share are divided into at most so many parts.
constexpr int64_t max_parts = 64;

/// How many parts have `room` elements each for themselves, at least one: 2^24 in all.
int64_t most_parts(int64_t room) {
  return std::clamp((int64_t{1} << 24) / std::max(room, int64_t{1}), int64_t{1}, max_parts);
}

/// Into how many parts to divide a loop over `points`, each of about `work` additions: as many as
/// pay for being handed to workers, and for filling and collecting the `cells` that each part has
/// for itself; besides these it needs some `room`. Sizes alone decide, so that results do not
/// depend on the number of workers.
/// Without OpenMP it may be that nobody asks.
[[maybe_unused]] inline int64_t parts_for(int64_t points, int64_t work, int64_t cells = 0,
                                          int64_t room = 0) {
  const int64_t least_work = std::max(int64_t{1} << 15, cells * 2048);
  const int64_t least_points = std::max(least_work / std::max(work, int64_t{1}), int64_t{1});
  return std::clamp(points / least_points, int64_t{1}, most_parts(cells + room));
}

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
  const int64_t parts = parts_for(n, 5);
  double products_of_parts[max_parts];
#ifdef _OPENMP
#pragma omp parallel for if (parts > 1)
#endif
  for (int64_t part = 0; part < parts; ++part) {
    // The points of the part, in order.
    const int64_t begin = part * n / parts;
    const int64_t end = (part + 1) * n / parts;
    double running_products = 1.0;
    for (int64_t i = begin; i < end; ++i) {
      running_products *= xs[i];
      products[i] = running_products;
    }
    products_of_parts[part] = running_products;
  }
  double before_products = products_of_parts[0];
  for (int64_t part = 1; part < parts; ++part) {
    // What comes before the part takes the place of its own.
    const double own_products = products_of_parts[part];
    products_of_parts[part] = before_products;
    before_products *= own_products;
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts > 1)
#endif
  for (int64_t part = 1; part < parts; ++part) {
    // What comes before the part joins all that it has stored.
    const int64_t begin_2 = part * n / parts;
    const int64_t end_2 = (part + 1) * n / parts;
    const double before = products_of_parts[part];
    for (int64_t j = begin_2; j < end_2; ++j) products[j] *= before;
  }
  const int64_t parts_2 = parts_for(n, 17);
  double r_of_parts[max_parts];
  double r_of_parts_2[max_parts];
#ifdef _OPENMP
#pragma omp parallel for if (parts_2 > 1)
#endif
  for (int64_t part_2 = 0; part_2 < parts_2; ++part_2) {
    // The points of the part, in order.
    const int64_t begin_3 = part_2 * n / parts_2;
    const int64_t end_3 = (part_2 + 1) * n / parts_2;
    double running_r = 0.0;
    double running_r_2 = 1.0;
    for (int64_t l = begin_3; l < end_3; ++l) {
      const int64_t next = n - 1 - l + 1;
      const double c = next < n ? xs[next] : 1.0;
      running_r = ys_adj[n - 1 - l] + running_r * c;
      running_r_2 *= c;
      buffers.r[l] = running_r;
      buffers.r_2[l] = running_r_2;
    }
    r_of_parts[part_2] = running_r;
    r_of_parts_2[part_2] = running_r_2;
  }
  double before_r = r_of_parts[0];
  double before_r_2 = r_of_parts_2[0];
  for (int64_t part_2 = 1; part_2 < parts_2; ++part_2) {
    // What comes before the part takes the place of its own.
    const double own_r = r_of_parts[part_2];
    r_of_parts[part_2] = before_r;
    const double own_r_2 = r_of_parts_2[part_2];
    r_of_parts_2[part_2] = before_r_2;
    before_r = own_r + before_r * own_r_2;
    before_r_2 *= own_r_2;
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_2 > 1)
#endif
  for (int64_t part_2 = 1; part_2 < parts_2; ++part_2) {
    // What comes before the part joins all that it has stored.
    const int64_t begin_4 = part_2 * n / parts_2;
    const int64_t end_4 = (part_2 + 1) * n / parts_2;
    const double before_2 = r_of_parts[part_2];
    const double before_3 = r_of_parts_2[part_2];
    for (int64_t t = begin_4; t < end_4; ++t) {
      const double own_2 = buffers.r_2[t];
      buffers.r[t] += before_2 * own_2;
      buffers.r_2[t] = before_3 * own_2;
    }
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(n, 11) > 1)
#endif
  for (int64_t s = 0; s < n; ++s) {
    const double y_adj = buffers.r[n - 1 - s];
    const bool is_first = s == 0;
    double products_2;
    if (is_first) {
      products_2 = 1.0;
    } else {
      products_2 = products[s - 1];
    }
    xs_adj[s] = is_first ? y_adj : y_adj * products_2;
  }
  return Status::success;
}

}  // namespace recurrence
