#include "transform/ir/evaluate/elements.hpp"

#include "frontend/source/diagnostics.hpp"

namespace boustro::ir::evaluation {

Elements::Elements(Machine& m, const Inputs& inputs, std::int64_t width, const Stm* stm)
    : m_(m), width_(width) {
  for (std::size_t k = 0; k < inputs.arrays.size(); ++k) {
    const Array& array = live(m, inputs.arrays[k], stm);
    if (array.size() != width) broken(stm, "takes arrays of another width");
    const Slot param = inputs.params[k];
    if (param.is_array) {
      if (width > 0) m.array(param.index) = row(array, 0);
      cursors_.push_back(
          {nullptr, array, array.offset, array.dims[0].stride, param, inputs.unique[k]});
    } else {
      cursors_.push_back({array.cells(), array, 0, array.dims[0].stride, param, inputs.unique[k]});
    }
  }
}

void Elements::load(std::int64_t i) {
  for (const Cursor& cursor : cursors_) {
    if (cursor.cells) {
      m_.scalar(cursor.param.index) = cursor.cells[i * cursor.stride];
      continue;
    }
    Array& element = m_.array(cursor.param.index);
    element.offset = cursor.offset + i * cursor.stride;
    // Consuming the row before this one has aged the whole buffer.
    if (cursor.unique) element.version = element.buffer->version;
  }
}

void Elements::finish() {
  for (const Cursor& cursor : cursors_) {
    if (cursor.cells) traffic.read += static_cast<std::uint64_t>(width_);
    if (cursor.unique) ++cursor.array.buffer->version;
    if (cursor.param.is_array) m_.array(cursor.param.index) = {};
  }
}

Collector::Collector(Machine& m, const Outputs& outputs, std::int64_t width)
    : m_(m), outputs_(outputs) {
  for (const std::vector<int>& row_sizes : outputs.row_sizes) {
    boost::container::small_vector<std::int64_t, 4> sizes = {width};
    for (const int size : row_sizes) sizes.push_back(m.size(size));
    arrays_.push_back(allocate(sizes));
  }
}

void Collector::store(std::int64_t i) {
  for (std::size_t k = 0; k < arrays_.size(); ++k) {
    const Slot result = outputs_.results[k];
    if (result.is_array) {
      copy_elements(m_.array(result.index), row(arrays_[k], i));
    } else {
      arrays_[k].cells()[i] = m_.scalar(result.index);
      ++traffic.written;
    }
  }
}

void Collector::finish() {
  for (std::size_t k = 0; k < arrays_.size(); ++k)
    m_.array(outputs_.arrays[k]) = std::move(arrays_[k]);
}

void assign_fresh(Machine& m, Slot from, Slot to) {
  if (to.is_array) {
    Array copy = fresh_copy(m.array(from.index));
    m.array(to.index) = std::move(copy);
  } else {
    m.scalar(to.index) = m.scalar(from.index);
  }
}

}  // namespace boustro::ir::evaluation
