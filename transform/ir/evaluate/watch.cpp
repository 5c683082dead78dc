#include "transform/ir/evaluate/watch.hpp"

#include <fmt/format.h>

#include "transform/ir/evaluate/machine.hpp"

namespace boustro::ir::evaluation {
namespace {

/// Calls `f` with the place of each element in the buffer.
template <typename F>
void for_each_cell(const Array& view, std::size_t dim, std::int64_t offset, F& f) {
  if (dim == view.dims.size()) return f(static_cast<std::size_t>(offset));
  for (std::int64_t i = 0; i < view.dims[dim].size; ++i)
    for_each_cell(view, dim + 1, offset + i * view.dims[dim].stride, f);
}

/// The elements fill the buffer, in their order.
bool is_whole(const Array& array) {
  return array.offset == 0 && static_cast<std::size_t>(array.count()) == array.buffer->cells.size() &&
         dense(array).buffer == array.buffer;
}

std::string index_string(const Watch& watch, std::size_t cell) {
  std::string text;
  auto rest = static_cast<std::int64_t>(cell);
  for (std::size_t d = watch.sizes.size(); d-- > 0;) {
    text = fmt::format("{}{}{}", rest % watch.sizes[d], text.empty() ? "" : ", ", text);
    rest /= watch.sizes[d];
  }
  return "[" + text + "]";
}

}  // namespace

WatchRef begin_watch(Array& array, const Stm* loop, std::string name) {
  if (!is_whole(array)) {
    note_read(array);
    array = fresh_copy(array);
  }
  WatchRef watch = new Watch;
  watch->loop = loop;
  watch->array = std::move(name);
  for (const Dim& dim : array.dims) watch->sizes.push_back(dim.size);
  watch->read_in.resize(array.buffer->cells.size());
  watch->outer = array.buffer->watch;
  array.buffer->watch = watch;
  return watch;
}

void end_watch(Array& array, Watch& watch) {
  watch.is_open = false;
  if (array.buffer->watch.get() == &watch) array.buffer->watch = watch.outer;
}

void note_read(const Array& view) {
  if (!view.buffer || !view.buffer->watch) return;
  const auto note = [&](std::size_t cell) {
    for (Watch* watch = view.buffer->watch.get(); watch; watch = watch->outer.get())
      if (watch->is_open && watch->read_in[cell] == 0) watch->read_in[cell] = watch->iteration;
  };
  for_each_cell(view, 0, view.offset, note);
}

void note_written(const Array& view) {
  if (!view.buffer || !view.buffer->watch) return;
  const auto note = [&](std::size_t cell) {
    for (Watch* watch = view.buffer->watch.get(); watch; watch = watch->outer.get()) {
      if (!watch->is_open || watch->read_in[cell] == 0) continue;
      fail(watch->loop, fmt::format("`#[true_dep]` does not hold for `{}`: iteration {} overwrites element {}, which iteration {} read",
                                    watch->array, watch->iteration - 1, index_string(*watch, cell), watch->read_in[cell] - 1));
    }
  };
  for_each_cell(view, 0, view.offset, note);
}

void forget_watch(const Array& array) {
  if (!array.buffer) return;
  note_read(array);
  array.buffer->watch = nullptr;
}

}  // namespace boustro::ir::evaluation
