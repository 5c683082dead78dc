#include "transform/ir/evaluate/array.hpp"

#include <algorithm>
#include <new>

#include "frontend/source/diagnostics.hpp"

namespace boustro::ir::evaluation {
namespace {

bool is_dense(const Array& xs) {
  std::int64_t stride = 1;
  for (auto dim = xs.dims.rbegin(); dim != xs.dims.rend(); ++dim) {
    if (dim->size != 1 && dim->stride != stride) return false;
    stride *= dim->size;
  }
  return true;
}

/// More than any memory has; their bytes are a number still.
constexpr std::int64_t too_many = std::int64_t{1} << 60;

std::int64_t product(std::int64_t x, std::int64_t y) {
  std::int64_t result = 0;
  if (!__builtin_mul_overflow(x, y, &result) && result < too_many) return result;
  spend(too_many);
  throw std::bad_alloc();
}

}  // namespace

std::int64_t Array::count() const {
  std::int64_t product = 1;
  for (const Dim& dim : dims) product *= std::max<std::int64_t>(dim.size, 0);
  return product;
}

Array allocate(std::span<const std::int64_t> sizes) {
  Array xs;
  std::int64_t stride = 1;
  xs.dims.resize(sizes.size());
  for (std::size_t d = sizes.size(); d-- > 0;) {
    xs.dims[d] = {sizes[d], stride};
    stride = product(stride, std::max<std::int64_t>(sizes[d], 0));
  }
  xs.buffer = new Buffer(static_cast<std::size_t>(stride));
  return xs;
}

Array row(const Array& xs, std::int64_t i) {
  Array result;
  result.buffer = xs.buffer;
  result.offset = xs.offset + i * xs.dims[0].stride;
  result.dims.assign(xs.dims.begin() + 1, xs.dims.end());
  result.version = xs.version;
  result.accumulator = xs.accumulator;
  return result;
}

Array consume(const Array& xs) {
  Array result = xs;
  result.version = ++result.buffer->version;
  return result;
}

Array fresh_copy(const Array& xs) {
  boost::container::small_vector<std::int64_t, 4> sizes;
  for (const Dim& dim : xs.dims) sizes.push_back(dim.size);
  Array result = allocate(sizes);
  copy_elements(xs, result);
  return result;
}

Array dense(const Array& xs) { return is_dense(xs) ? xs : fresh_copy(xs); }

bool same_shape(const Array& a, const Array& b) {
  return std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(), b.dims.end(),
                    [](const Dim& x, const Dim& y) { return x.size == y.size; });
}

void copy_elements(const Array& from, const Array& to) {
  source::internal_check(same_shape(from, to), "evaluate: an array of another shape is copied");
  traffic.read += static_cast<std::uint64_t>(from.count());
  traffic.written += static_cast<std::uint64_t>(from.count());
  if (is_dense(from) && is_dense(to)) {
    std::copy_n(from.cells(), from.count(), to.cells());
  } else {
    for_each_pair(from, to, [](Bits x, Bits& y) { y = x; });
  }
}

std::string shape_string(const Array& xs) {
  std::string text;
  for (const Dim& dim : xs.dims) text += fmt::format("[{}]", dim.size);
  return text;
}

}  // namespace boustro::ir::evaluation
