// Writing to computed places: reduce_by_index, scatter and accumulators.
#include "frontend/source/diagnostics.hpp"
#include "transform/ir/evaluate/compiler.hpp"
#include "transform/ir/evaluate/elements.hpp"
#include "transform/ir/evaluate/parts.hpp"

namespace boustro::ir::evaluation {
namespace {

struct HistogramCode {
  std::vector<Slot> indices, values;  // results of the map
  std::vector<int> destinations, targets;
  LambdaCode op;
  std::size_t rank;

  void start(Machine& m, const Stm* stm) const {
    for (std::size_t k = 0; k < destinations.size(); ++k) {
      Array consumed = consume(live(m, destinations[k], stm));
      m.array(targets[k]) = std::move(consumed);
    }
  }

  void step(Machine& m) const {
    const std::size_t count = targets.size();
    const auto offset = offset_of(m, m.array(targets.at(0)), indices);
    if (!offset) return;
    boost::container::small_vector<Array, 2> parts;
    for (std::size_t k = 0; k < count; ++k) {
      // Every destination has its own strides below the indices that all share.
      const Array& target = m.array(targets[k]);
      parts.push_back(part_at(target, *offset_of(m, target, indices), rank));
      if (op.params[k].is_array)
        m.array(op.params[k].index) = fresh_copy(parts.back());
      else
        read_part(m, parts.back(), op.params[k]);
      assign(m, values[k], op.params[count + k]);
    }
    run(m, *op.body);
    for (std::size_t k = 0; k < count; ++k) write_part(m, op.body->results[k], parts[k]);
  }
};

/// acc[...] (+)= value, for every cell of a part.
void accumulate(Machine& m, const AccumulatorCode& code, const Array& part, const Array& value);

void combine(Machine& m, const LambdaCode& op, const Array& part, Slot value) {
  if (op.params[0].is_array)
    m.array(op.params[0].index) = fresh_copy(part);
  else
    read_part(m, part, op.params[0]);
  assign(m, value, op.params[1]);
  run(m, *op.body);
  write_part(m, op.body->results[0], part);
}

/// The operator may be one on scalars while whole rows are combined.
void combine_rows(Machine& m, const LambdaCode& op, const Array& part, const Array& value) {
  const Slot right = op.params[1];
  if (!right.is_array) {
    traffic.read += 2 * static_cast<std::uint64_t>(value.count());
    traffic.written += static_cast<std::uint64_t>(value.count());
    for_each_pair(part, value, [&](Bits& cell, Bits x) {
      m.scalar(op.params[0].index) = cell;
      m.scalar(right.index) = x;
      run(m, *op.body);
      cell = m.scalar(op.body->results[0].index);
    });
    return;
  }
  m.array(right.index) = value;
  combine(m, op, part, right);
}

void accumulate(Machine& m, const AccumulatorCode& code, const Array& part, const Array& value) {
  if (code.op) return combine_rows(m, *code.op, part, value);
  if (!code.add) return copy_elements(value, part);
  traffic.read += 2 * static_cast<std::uint64_t>(value.count());
  traffic.written += static_cast<std::uint64_t>(value.count());
  if (code.adds_floats) traffic.float_additions += static_cast<std::uint64_t>(value.count());
  for_each_pair(part, value, [&](Bits& cell, Bits x) { code.add(cell, x, cell); });
}

void accumulate(Machine& m, const AccumulatorCode& code, Bits& cell, Slot value) {
  traffic.read += code.op || code.add;
  ++traffic.written;
  traffic.float_additions += code.adds_floats;
  if (code.op) {
    m.scalar(code.op->params[0].index) = cell;
    m.scalar(code.op->params[1].index) = m.scalar(value.index);
    run(m, *code.op->body);
    cell = m.scalar(code.op->body->results[0].index);
  } else if (code.add) {
    code.add(cell, m.scalar(value.index), cell);
  } else {
    cell = m.scalar(value.index);
  }
}

}  // namespace

Step Compiler::compile(const ReduceByIndex& e, const Target& target) {
  const LambdaCode fn = lambda(e.fn);
  const Inputs inputs{arrays(e.arrays), fn.params, fn.unique};
  std::vector<HistogramCode> histograms;
  // Results of the map: all indices, then all values, histogram by histogram.
  std::size_t next_result = 0, next_target = 0;
  const auto take = [&](std::size_t count) {
    const auto begin = fn.body->results.begin() + static_cast<std::ptrdiff_t>(next_result);
    next_result += count;
    return std::vector<Slot>(begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  for (const Histogram& histogram : e.histograms) {
    HistogramCode code;
    code.rank = histogram.shape.size();
    code.indices = take(code.rank);
    code.values = take(histogram.destinations.size());
    code.destinations = arrays(histogram.destinations);
    for (std::size_t k = 0; k < code.destinations.size(); ++k) {
      code.targets.push_back(target.slots.at(next_target++).index);
    }
    code.op = lambda(histogram.op);
    histograms.push_back(std::move(code));
  }
  return [=, width = scalar(e.width), stm = target.stm](Machine& m) {
    const std::int64_t n = m.size(width);
    for (const HistogramCode& histogram : histograms) histogram.start(m, stm);
    Elements elements(m, inputs, n, stm);
    for (std::int64_t i = 0; i < n; ++i) {
      elements.load(i);
      run(m, *fn.body);
      for (const HistogramCode& histogram : histograms) histogram.step(m);
    }
    elements.finish();
    drop(m, *fn.body);
  };
}

Step Compiler::compile(const Scatter& e, const Target& target) {
  return [width = scalar(e.width), indices = arrays(e.indices), values = arrays(e.values),
          destinations = arrays(e.destinations), targets = target.slots,
          stm = target.stm](Machine& m) {
    boost::container::small_vector<Array, 2> to;
    for (std::size_t k = 0; k < destinations.size(); ++k) {
      to.push_back(consume(live(m, destinations[k], stm)));
    }
    const auto index = [&](std::size_t d, std::int64_t i) {
      const Array& is = live(m, indices[d], stm);
      ++traffic.read;
      return static_cast<std::int64_t>(is.cells()[i * is.dims[0].stride]);
    };
    for (const std::vector<int>* inputs : {&indices, &values}) {
      for (const int input : *inputs) {
        if (live(m, input, stm).size() != m.size(width))
          broken(stm, "takes arrays of another width");
      }
    }
    for (std::int64_t i = 0; i < m.size(width); ++i) {
      for (std::size_t k = 0; k < to.size(); ++k) {
        const Array& xs = live(m, values[k], stm);
        std::int64_t offset = 0;
        bool inside = true;
        for (std::size_t d = 0; d < indices.size(); ++d) {
          const std::int64_t at = index(d, i);
          inside = inside && at >= 0 && at < to[k].dims[d].size;
          offset += at * to[k].dims[d].stride;
        }
        if (!inside) continue;
        if (xs.rank() == 1) {
          to[k].cells()[offset] = xs.cells()[i * xs.dims[0].stride];
          ++traffic.read;
          ++traffic.written;
        } else {
          copy_elements(row(xs, i), part_at(to[k], offset, indices.size()));
        }
      }
    }
    for (std::size_t k = 0; k < to.size(); ++k) m.array(targets[k].index) = std::move(to[k]);
  };
}

Step Compiler::compile(const WithAcc& e, const Target& target) {
  std::vector<const AccumulatorCode*> kinds;
  std::vector<int> destinations;
  for (const AccumulatorInput& input : e.inputs) {
    AccumulatorCode code;
    match(
        input.kind,
        [&](const AddUp&) {
          code.add = function_of(BinOpKind::add, elem_of(input.destination));
          code.adds_floats = values::is_float(elem_of(input.destination));
        },
        [](const Overwrite&) {}, [&](const Combine& combine) { code.op = lambda(combine.op); });
    accumulators_.push_back(std::move(code));
    kinds.push_back(&accumulators_.back());
    destinations.push_back(array(input.destination));
  }
  return [=, fn = lambda(e.fn), to = target.slots, stm = target.stm](Machine& m) {
    for (std::size_t k = 0; k < destinations.size(); ++k) {
      Array accumulator = consume(live(m, destinations[k], stm));
      accumulator.accumulator = kinds[k];
      m.array(fn.params[k].index) = std::move(accumulator);
    }
    run(m, *fn.body);
    assign_each(m, fn.body->results, to);
    for (std::size_t k = 0; k < destinations.size(); ++k) {
      Array finished = consume(m.array(to[k].index));  // what is left of the accumulator is dead
      finished.accumulator = nullptr;
      m.array(to[k].index) = std::move(finished);
    }
    drop(m, *fn.body);
  };
}

Step Compiler::compile(const UpdateAcc& e, const Target& target) {
  return [from = array(e.accumulator), indices = slots_of(e.indices), value = slot_of(e.value),
          in_bounds = e.in_bounds, result = target.only(), stm = target.stm](Machine& m) {
    const Array& accumulator = live(m, from, stm);
    if (!accumulator.accumulator) broken(stm, "updates an array that is no accumulator");
    const auto offset = offset_of(m, accumulator, indices);
    if (!offset && in_bounds) broken(stm, "claims to be in bounds");
    if (offset && value.is_array) {
      accumulate(m, *accumulator.accumulator, part_at(accumulator, *offset, indices.size()),
                 live(m, value.index, stm));
    } else if (offset) {
      accumulate(m, *accumulator.accumulator, accumulator.cells()[*offset], value);
    }
    m.array(result) = Array(m.array(from));
  };
}

}  // namespace boustro::ir::evaluation
