#include "transform/ir/evaluate/parts.hpp"

namespace boustro::ir::evaluation {

std::optional<std::int64_t> offset_of(Machine& m, const Array& array,
                                      std::span<const Slot> indices) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const std::int64_t i = m.size(indices[d].index);
    if (i < 0 || i >= array.dims[d].size) return std::nullopt;
    offset += i * array.dims[d].stride;
  }
  return offset;
}

Array part_at(const Array& array, std::int64_t offset, std::size_t indices) {
  Array part = array;
  part.offset += offset;
  part.dims.assign(array.dims.begin() + static_cast<std::ptrdiff_t>(indices), array.dims.end());
  return part;
}

void read_part(Machine& m, const Array& part, Slot to) {
  if (to.is_array) {
    m.array(to.index) = part;
  } else {
    m.scalar(to.index) = *part.cells();
    ++traffic.read;
  }
}

void write_part(Machine& m, Slot from, const Array& part) {
  if (from.is_array) {
    copy_elements(m.array(from.index), part);
  } else {
    *part.cells() = m.scalar(from.index);
    ++traffic.written;
  }
}

}  // namespace boustro::ir::evaluation
