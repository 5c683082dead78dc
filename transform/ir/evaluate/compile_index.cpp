// Indexing, slicing and in-place updates.
#include "frontend/source/diagnostics.hpp"
#include "transform/ir/evaluate/compiler.hpp"

namespace boustro::ir::evaluation {
namespace {

/// An index, or a slice if `count` is there; all are slots.
struct DimCode {
  int start = 0;
  std::optional<int> count;
  int stride = 0;
};

struct Selection {
  std::vector<DimCode> dims;
  bool checked;
  const Stm* stm;
};

[[noreturn]] void out_of_bounds(const Selection& selection, const Array& array,
                                const std::string& what) {
  const std::string text =
      fmt::format("{} out of bounds for array of shape {}", what, shape_string(array));
  if (selection.checked) fail(selection.stm, text);
  broken(selection.stm, "claims to be in bounds: " + text);
}

[[noreturn]] void index_out_of_bounds(const Selection& selection, Machine& m, const Array& array) {
  std::string text;
  for (const DimCode& dim : selection.dims) {
    text += (text.empty() ? "" : ", ") + fmt::format("{}", m.size(dim.start));
    if (dim.count) text += fmt::format(":+{}*{}", m.size(*dim.count), m.size(dim.stride));
  }
  out_of_bounds(selection, array, "index [" + text + "]");
}

bool in_bounds(std::int64_t i, std::int64_t size) { return i >= 0 && i < size; }

/// The view of the selected part; of rank 0 if all is indexed.
Array select(const Selection& selection, Machine& m, const Array& array) {
  Array part;
  part.buffer = array.buffer;
  part.offset = array.offset;
  part.version = array.version;
  for (std::size_t d = 0; d < array.dims.size(); ++d) {
    const Dim& dim = array.dims[d];
    if (d >= selection.dims.size()) {
      part.dims.push_back(dim);
      continue;
    }
    const DimCode& code = selection.dims[d];
    const std::int64_t start = m.size(code.start);
    if (!code.count) {
      if (!in_bounds(start, dim.size)) index_out_of_bounds(selection, m, array);
      part.offset += start * dim.stride;
      continue;
    }
    const std::int64_t count = m.size(*code.count), stride = m.size(code.stride);
    if (!slice_fits(start, count, stride, dim.size)) index_out_of_bounds(selection, m, array);
    if (count > 0) part.offset += start * dim.stride;
    part.dims.push_back({count, stride * dim.stride});
  }
  return part;
}

}  // namespace

static Selection selection_of(const std::vector<DimIndex>& indices, bool checked, const Stm* stm,
                              const std::function<int(const Atom&)>& scalar) {
  Selection selection{{}, checked, stm};
  for (const DimIndex& index : indices) {
    selection.dims.push_back(match(
        index, [&](const Atom& i) { return DimCode{scalar(i), std::nullopt, 0}; },
        [&](const Slice& s) {
          return DimCode{scalar(s.start), scalar(s.count), scalar(s.stride)};
        }));
  }
  return selection;
}

Step Compiler::compile(const Index& e, const Target& target) {
  const int from = array(e.array), result = target.only();
  const Selection selection = selection_of(e.indices, e.checked, target.stm,
                                           [this](const Atom& atom) { return scalar(atom); });
  if (target.slots.at(0).is_array) {
    return [=](Machine& m) {
      Array part = select(selection, m, live(m, from, selection.stm));
      m.array(result) = std::move(part);
    };
  }
  if (selection.dims.size() == 1) {  // the commonest case needs no view
    return [=, i = selection.dims[0].start](Machine& m) {
      const Array& array = live(m, from, selection.stm);
      if (!in_bounds(m.size(i), array.size())) index_out_of_bounds(selection, m, array);
      m.scalar(result) = array.cells()[m.size(i) * array.dims[0].stride];
      ++traffic.read;
    };
  }
  return [=](Machine& m) {
    const Array& array = live(m, from, selection.stm);
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < selection.dims.size(); ++d) {
      const std::int64_t i = m.size(selection.dims[d].start);
      if (!in_bounds(i, array.dims[d].size)) index_out_of_bounds(selection, m, array);
      offset += i * array.dims[d].stride;
    }
    m.scalar(result) = array.cells()[offset];
    ++traffic.read;
  };
}

/// Notes what the part of an array that a statement selects is used for.
Step Compiler::noting_selection(const Name& from, const std::vector<DimIndex>& indices, bool checked, const Stm* stm,
                                void (*note)(const Array&)) {
  const Selection selection =
      selection_of(indices, checked, stm, [this](const Atom& atom) { return scalar(atom); });
  return [=, whole = array(from)](Machine& m) {
    const Array& array = live(m, whole, stm);
    if (array.buffer->watch) note(select(selection, m, array));
  };
}

Step Compiler::compile(const Update& e, const Target& target) {
  const Selection selection = selection_of(e.indices, e.checked, target.stm,
                                           [this](const Atom& atom) { return scalar(atom); });
  return [=, from = array(e.array), value = slot_of(e.value), result = target.only()](Machine& m) {
    const Array& array = live(m, from, selection.stm);
    const Array part = select(selection, m, array);
    if (value.is_array) {
      const Array& written = live(m, value.index, selection.stm);
      if (written.buffer == array.buffer)
        broken(selection.stm, "writes an alias of what it consumes");
      if (!same_shape(written, part)) {
        fail(selection.stm, fmt::format("array of shape {} cannot be written to a part of shape {}",
                                        shape_string(written), shape_string(part)));
      }
      copy_elements(written, part);
    } else {
      *part.cells() = m.scalar(value.index);
      ++traffic.written;
    }
    Array consumed = consume(array);
    m.array(result) = std::move(consumed);
  };
}

}  // namespace boustro::ir::evaluation
