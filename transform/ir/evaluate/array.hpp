// Arrays of the interpreter: strided views of reference-counted buffers, so that rows, slices and
// transposes cost nothing. Every element takes one 64-bit cell, whatever its type.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include "transform/ir/evaluate.hpp"
#include "transform/ir/evaluate/watch.hpp"
#include "transform/ir/scalar.hpp"

namespace boustro::ir::evaluation {

struct AccumulatorCode;

/// What programs did with the elements of arrays, since somebody last looked. A program runs on one
/// thread.
struct Traffic {
  std::uint64_t read = 0, written = 0;  // elements; views are free
  std::uint64_t float_additions = 0;  // by accumulators, which need no code of the program for them
  std::int64_t live = 0, peak = 0;    // elements of all buffers
};
inline constinit thread_local Traffic traffic;

/// What an evaluation may still spend, in statements and elements.
inline constinit thread_local std::int64_t allowance = std::numeric_limits<std::int64_t>::max();
inline std::size_t spend(std::size_t count) {
  allowance -= static_cast<std::int64_t>(count);
  if (allowance < 0) throw LimitReached{};
  return count;
}

/// What cells hold that nothing was written to.
inline constinit thread_local Bits unwritten = 0;
/// A NaN of each type of floats, and an unlikely number.
inline constexpr Bits poison = 0x7ff8'5a5a'7fc0'7e5a;

/// `version` counts how often the contents were consumed. A view remembers the version that it
/// belongs to, so that a use after consumption, through whatever alias, is noticed.
struct Buffer : boost::intrusive_ref_counter<Buffer, boost::thread_unsafe_counter> {
  explicit Buffer(std::size_t size) : cells(spend(size), unwritten) {
    traffic.live += static_cast<std::int64_t>(size);
    traffic.peak = std::max(traffic.peak, traffic.live);
  }
  ~Buffer() { traffic.live -= static_cast<std::int64_t>(cells.size()); }
  std::vector<Bits> cells;
  std::uint32_t version = 0;
  WatchRef watch;  // if it holds an array whose promises are checked
};

struct Dim {
  std::int64_t size, stride;
};

struct Array {
  boost::intrusive_ptr<Buffer> buffer;
  std::int64_t offset = 0;
  boost::container::small_vector<Dim, 3> dims;
  std::uint32_t version = 0;
  const AccumulatorCode* accumulator = nullptr;  // of accumulators: what an update does

  int rank() const { return static_cast<int>(dims.size()); }
  std::int64_t size(int dim = 0) const { return dims[static_cast<std::size_t>(dim)].size; }
  std::int64_t count() const;  // of all elements
  Bits* cells() const { return buffer->cells.data() + offset; }
  bool alive() const { return buffer && version == buffer->version; }
};

/// A fresh array; its cells are unwritten. Where a size is negative it has none: so have the rows of a map before the first of
/// them fails, or if there are none. Throws std::bad_alloc if there are more elements than memory can have.
Array allocate(std::span<const std::int64_t> sizes);
/// xs[i], of an array of at least two dimensions.
Array row(const Array& xs, std::int64_t i);
/// The same contents for the one who consumes them; `xs` and all other views of the buffer are dead
/// then.
Array consume(const Array& xs);
/// A fresh array with the same contents.
Array fresh_copy(const Array& xs);
/// `xs` itself if its elements lie one after the other, otherwise a fresh copy.
Array dense(const Array& xs);
bool same_shape(const Array& a, const Array& b);
/// For arrays of the same shape.
void copy_elements(const Array& from, const Array& to);
std::string shape_string(const Array& xs);  // [2][3]

namespace detail {
template <typename F>
void for_each_pair(Bits* x, const Dim* x_dim, Bits* y, const Dim* y_dim, int rank, F& f) {
  if (rank == 0) return f(*x, *y);
  for (std::int64_t i = 0; i < x_dim->size; ++i) {
    for_each_pair(x + i * x_dim->stride, x_dim + 1, y + i * y_dim->stride, y_dim + 1, rank - 1, f);
  }
}
}  // namespace detail

/// Calls f(x, y) for corresponding elements of arrays of the same shape.
template <typename F>
void for_each_pair(const Array& xs, const Array& ys, F&& f) {
  detail::for_each_pair(xs.cells(), xs.dims.data(), ys.cells(), ys.dims.data(), xs.rank(), f);
}

}  // namespace boustro::ir::evaluation
