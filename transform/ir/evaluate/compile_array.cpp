// Making arrays and changing their shape.
#include "frontend/source/diagnostics.hpp"
#include "transform/ir/evaluate/compiler.hpp"

namespace boustro::ir::evaluation {
namespace {

using Sizes = boost::container::small_vector<std::int64_t, 4>;

/// The values of sizes; a negative one is the user's mistake.
Sizes sizes_in(Machine& m, const std::vector<int>& slots, const Stm* stm) {
  Sizes sizes;
  for (const int slot : slots) {
    const std::int64_t size = m.size(slot);
    if (size < 0) fail(stm, fmt::format("negative array size {}", size));
    sizes.push_back(size);
  }
  return sizes;
}

/// What undefined elements hold: something that shows.
Bits undefined_bits(PrimType type) {
  if (values::is_float(type))
    return PrimValue::of_float(type, std::numeric_limits<double>::quiet_NaN()).bits;
  if (type == PrimType::boolean) return 1;
  return PrimValue::of_int(type, 0x5a5a'5a5a'5a5a'5a5a).bits;
}

Array with_sizes(Array array, const Sizes& sizes) {
  std::int64_t stride = 1;
  array.dims.resize(sizes.size());
  for (std::size_t d = sizes.size(); d-- > 0;) {
    array.dims[d] = {sizes[d], stride};
    stride *= sizes[d];
  }
  return array;
}

/// Writes an array into each place of the outer dimensions of another one.
void fill_rows(const Array& value, const Array& to) {
  if (to.rank() == value.rank()) return copy_elements(value, to);
  for (std::int64_t i = 0; i < to.size(); ++i) fill_rows(value, row(to, i));
}

}  // namespace

Step Compiler::compile(const ArrayLiteral& e, const Target& target) {
  const std::vector<int> row_sizes = scalars(e.row.shape);
  return [=, elements = slots_of(e.elements), result = target.only(),
          stm = target.stm](Machine& m) {
    Sizes sizes = sizes_in(m, row_sizes, stm);
    sizes.insert(sizes.begin(), static_cast<std::int64_t>(elements.size()));
    const Array array = allocate(sizes);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (elements[i].is_array) {
        copy_elements(live(m, elements[i].index, stm), row(array, static_cast<std::int64_t>(i)));
      } else {
        array.cells()[i] = m.scalar(elements[i].index);
        ++traffic.written;
      }
    }
    m.array(result) = array;
  };
}

Step Compiler::compile(const Iota& e, const Target& target) {
  return [width = std::vector<int>{scalar(e.width)}, result = target.only(),
          stm = target.stm](Machine& m) {
    const Array array = allocate(sizes_in(m, width, stm));
    for (std::int64_t i = 0; i < array.size(); ++i) array.cells()[i] = static_cast<Bits>(i);
    traffic.written += static_cast<std::uint64_t>(array.size());
    m.array(result) = array;
  };
}

Step Compiler::compile(const Replicate& e, const Target& target) {
  return [shape = scalars(e.shape), value = slot_of(e.value), to = target.slots.at(0),
          stm = target.stm](Machine& m) {
    Sizes sizes = sizes_in(m, shape, stm);
    if (value.is_array) {
      const Array& element = live(m, value.index, stm);
      for (const Dim& dim : element.dims) sizes.push_back(dim.size);
      const Array array = allocate(sizes);
      fill_rows(element, array);
      m.array(to.index) = array;
    } else if (to.is_array) {
      Array array = allocate(sizes);
      array.buffer->cells.assign(array.buffer->cells.size(), m.scalar(value.index));
      traffic.written += array.buffer->cells.size();
      m.array(to.index) = std::move(array);
    } else {
      m.scalar(to.index) = m.scalar(value.index);  // an empty shape
    }
  };
}

Step Compiler::compile(const Scratch& e, const Target& target) {
  return [shape = scalars(e.shape), undefined = undefined_bits(e.elem), to = target.slots.at(0),
          stm = target.stm](Machine& m) {
    if (!to.is_array) {
      m.scalar(to.index) = undefined;
      return;
    }
    Array array = allocate(sizes_in(m, shape, stm));
    array.buffer->cells.assign(array.buffer->cells.size(), undefined);
    m.array(to.index) = std::move(array);
  };
}

Step Compiler::compile(const Copy& e, const Target& target) {
  return [from = array(e.array), result = target.only(), stm = target.stm](Machine& m) {
    m.array(result) = fresh_copy(live(m, from, stm));
  };
}

Step Compiler::compile(const Sort& e, const Target& target) {
  return [from = array(e.array), first_bit = scalar(e.first_bit), end_bit = scalar(e.end_bit), result = target.only(),
          stm = target.stm](Machine& m) {
    const std::int64_t first = m.size(first_bit), end = m.size(end_bit);
    if (first < 0 || first >= end || end > 63) broken(stm, fmt::format("sorts by the bits from {} to {}", first, end));
    const Array sorted = fresh_copy(live(m, from, stm));
    const std::uint64_t mask = (std::uint64_t{1} << end) - 1;
    const auto key = [&](Bits bits) { return (bits & mask) >> first; };
    const std::span<Bits> elements(sorted.cells(), static_cast<std::size_t>(sorted.size()));
    if (std::any_of(elements.begin(), elements.end(), [](Bits bits) { return bits >> 63 != 0; })) broken(stm, "sorts negative numbers");
    std::stable_sort(elements.begin(), elements.end(), [&](Bits x, Bits y) { return key(x) < key(y); });
    m.array(result) = sorted;
  };
}

Step Compiler::compile(const Concat& e, const Target& target) {
  return [from = arrays(e.arrays), width = scalar(e.width), result = target.only(),
          stm = target.stm](Machine& m) {
    Sizes sizes;
    for (const Dim& dim : m.array(from.at(0)).dims) sizes.push_back(dim.size);
    sizes[0] = m.size(width);
    const Array to = allocate(sizes);
    Array part = to;  // the rows that the next array goes to
    for (const int index : from) {
      const Array& xs = live(m, index, stm);
      part.dims[0].size = xs.size();
      if (part.offset + part.count() > to.count()) broken(stm, "has a width that is not the sum");
      copy_elements(xs, part);
      part.offset += part.count();
    }
    if (part.offset != to.count()) broken(stm, "has a width that is not the sum");
    m.array(result) = to;
  };
}

Step Compiler::compile(const Rearrange& e, const Target& target) {
  return [from = array(e.array), permutation = e.permutation, result = target.only(),
          stm = target.stm](Machine& m) {
    Array array = live(m, from, stm);
    const auto dims = array.dims;
    for (std::size_t d = 0; d < permutation.size(); ++d) {
      array.dims[d] = dims[static_cast<std::size_t>(permutation[d])];
    }
    m.array(result) = std::move(array);
  };
}

Step Compiler::compile(const Reshape& e, const Target& target) {
  return [from = array(e.array), shape = scalars(e.shape), result = target.only(),
          stm = target.stm](Machine& m) {
    const Array& array = live(m, from, stm);
    Array reshaped = with_sizes(dense(array), sizes_in(m, shape, stm));
    if (reshaped.count() != array.count()) {
      broken(stm, "reshapes " + shape_string(array) + " to " + shape_string(reshaped));
    }
    m.array(result) = std::move(reshaped);
  };
}

Step Compiler::compile(const Coerce& e, const Target& target) {
  return [from = array(e.array), shape = scalars(e.shape), result = target.only(),
          stm = target.stm](Machine& m) {
    const Array& array = live(m, from, stm);
    std::string wanted;
    bool fits = true;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      fits = fits && array.dims[d].size == m.size(shape[d]);
      wanted += fmt::format("[{}]", m.size(shape[d]));
    }
    if (!fits) {
      fail(stm,
           fmt::format("array of shape {} cannot be coerced to {}", shape_string(array), wanted));
    }
    m.array(result) = Array(array);
  };
}

}  // namespace boustro::ir::evaluation
