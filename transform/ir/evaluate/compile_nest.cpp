// Nests: point by point, the outermost index first. What a point yields goes through each out at once.
#include "frontend/source/diagnostics.hpp"
#include "transform/ir/evaluate/compiler.hpp"
#include "transform/ir/evaluate/elements.hpp"
#include "transform/ir/evaluate/order.hpp"
#include "transform/ir/evaluate/parts.hpp"

namespace boustro::ir::evaluation {
namespace {

using Sizes = boost::container::small_vector<std::int64_t, 4>;

/// One out: what it takes of a point's results, and where that goes.
struct OutCode {
  OutKind kind = OutKind::store;
  std::size_t rank = 0;
  std::vector<Slot> indices, values;        // results of a point
  std::vector<std::vector<int>> row_sizes;  // of each value's type
  std::vector<Slot> neutral;                // of the operator, if there is one
  bool commutative = false;
  std::optional<LambdaCode> op, epilogue;
  std::vector<std::vector<int>> result_sizes;  // of the epilogue's results
  std::vector<int> destinations;
  std::vector<Slot> targets;

  bool runs_in_results() const { return kind == OutKind::reduce && !epilogue; }
  /// Its values are combined in the order of the points.
  bool is_ordered() const {
    return kind == OutKind::scan || (kind == OutKind::reduce && !commutative);
  }
};

/// What an out has made so far: its results, and, where they are not the results, the values that are combined at
/// the kept indices.
struct OutState {
  boost::container::small_vector<Array, 2> results, running;
  boost::container::small_vector<Array, 2> kept;  // values of all points, to be combined in their order later
};

struct NestCode {
  std::vector<int> space;
  LambdaCode point;
  std::size_t accumulators;
  std::vector<Slot> accumulator_operands, accumulator_targets;
  std::vector<OutCode> outs;
  const Stm* stm;
  std::optional<unsigned> adversary;

  void operator()(Machine& m) const {
    const Sizes extents = extents_of(m);
    for (const Slot& slot : accumulator_operands) live(m, slot.index, stm);
    assign_each(m, accumulator_operands, params(0, accumulators));
    std::vector<OutState> states;
    for (const OutCode& out : outs) states.push_back(start(m, out, extents));
    if (adversary)
      run_in_another_order(m, extents, states);
    else
      for_each_point(extents, [&](const Sizes& at) { run_point(m, at, states); });
    assign_each(m, params(0, accumulators), accumulator_targets);
    for (std::size_t k = 0; k < outs.size(); ++k) finish(m, outs[k], states[k], extents);
    drop(m, *point.body);
    for (const Slot& slot : params(0, accumulators)) m.array(slot.index) = {};
  }

 private:
  std::span<const Slot> params(std::size_t first, std::size_t count) const {
    return std::span(point.params).subspan(first, count);
  }

  /// An extent behind one that is 0 is that of no point, so it may be negative.
  Sizes extents_of(Machine& m) const {
    Sizes extents;
    bool reached = true;
    for (const int slot : space) {
      const std::int64_t n = m.size(slot);
      if (n < 0 && reached) fail(stm, fmt::format("negative array size {}", n));
      extents.push_back(std::max<std::int64_t>(n, 0));
      reached = reached && n > 0;
    }
    return extents;
  }

  static bool none_is_zero(const Sizes& extents) {
    return std::find(extents.begin(), extents.end(), 0) == extents.end();
  }

  static bool advance(Sizes& at, const Sizes& extents) {
    for (std::size_t d = at.size(); d-- > 0;) {
      if (++at[d] < extents[d]) return true;
      at[d] = 0;
    }
    return false;
  }

  template <typename Run>
  static void for_each_point(const Sizes& extents, Run&& run) {
    Sizes at(extents.size(), 0);
    for (bool more = none_is_zero(extents); more; more = advance(at, extents)) run(at);
  }

  /// What must be combined in order is kept until all points have run.
  void run_in_another_order(Machine& m, const Sizes& extents, std::vector<OutState>& states) const {
    for (std::size_t k = 0; k < outs.size(); ++k) keep_values(m, outs[k], states[k], extents);
    for (const std::int64_t number : Order(count_of(extents), *adversary))
      run_point(m, point_of(number, extents), states);
    for (std::size_t k = 0; k < outs.size(); ++k) {
      if (outs[k].is_ordered())
        for_each_point(extents, [&](const Sizes& at) { combine_kept(m, outs[k], states[k], at); });
    }
  }

  static std::int64_t count_of(const Sizes& extents) {
    std::int64_t count = 1;
    for (const std::int64_t n : extents) count *= n;
    return count;
  }

  static Sizes point_of(std::int64_t number, const Sizes& extents) {
    Sizes at(extents.size(), 0);
    for (std::size_t d = at.size(); d-- > 0; number /= extents[d]) at[d] = number % extents[d];
    return at;
  }

  void run_point(Machine& m, const Sizes& at, std::vector<OutState>& states) const {
    for (std::size_t d = 0; d < at.size(); ++d)
      m.scalar(point.params[accumulators + d].index) = static_cast<Bits>(at[d]);
    run(m, *point.body);
    assign_each(m, std::span(point.body->results).subspan(0, accumulators),
                params(0, accumulators));
    for (std::size_t k = 0; k < outs.size(); ++k) {
      if (states[k].kept.empty())
        step(m, outs[k], states[k], at);
      else
        keep(m, outs[k], states[k], at);
    }
  }

  // ---- One out

  static void keep_values(Machine& m, const OutCode& out, OutState& state, const Sizes& extents);
  static void keep(Machine& m, const OutCode& out, OutState& state, const Sizes& at);
  static void combine_kept(Machine& m, const OutCode& out, OutState& state, const Sizes& at);
  static OutState start(Machine& m, const OutCode& out, const Sizes& extents);
  static void step(Machine& m, const OutCode& out, OutState& state, const Sizes& at);
  static void combine(Machine& m, const OutCode& out,
                      const boost::container::small_vector<Array, 2>& cells);
  template <typename SetRight>
  static void combine(Machine& m, const OutCode& out,
                      const boost::container::small_vector<Array, 2>& cells, SetRight&& set_right);
  static void conclude(Machine& m, const OutCode& out, OutState& state, const Sizes& at);
  static void finish(Machine& m, const OutCode& out, OutState& state, const Sizes& extents) {
    if (out.kind == OutKind::reduce && out.epilogue) {
      const Sizes kept(extents.begin(), extents.begin() + static_cast<std::ptrdiff_t>(out.rank));
      for_each_point(kept, [&](const Sizes& at) { conclude(m, out, state, at); });
    }
    for (std::size_t k = 0; k < out.targets.size(); ++k) {
      if (out.targets[k].is_array)
        m.array(out.targets[k].index) = std::move(state.results[k]);
      else
        read_part(m, state.results[k], out.targets[k]);
    }
    if (out.op) drop(m, *out.op->body);
    if (out.epilogue) drop(m, *out.epilogue->body);
  }
};

/// The rows at the first `count` indices of a position.
boost::container::small_vector<Array, 2> rows_at(
    const boost::container::small_vector<Array, 2>& arrays, const Sizes& at, std::size_t count) {
  boost::container::small_vector<Array, 2> rows;
  for (const Array& array : arrays) {
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < count; ++d) offset += at[d] * array.dims[d].stride;
    rows.push_back(part_at(array, offset, count));
  }
  return rows;
}

Array allocate_rows(Machine& m, const Sizes& extents, std::size_t kept,
                    const std::vector<int>& row_sizes) {
  Sizes sizes(extents.begin(), extents.begin() + static_cast<std::ptrdiff_t>(kept));
  for (const int size : row_sizes) sizes.push_back(m.size(size));
  return allocate(sizes);
}

/// Every row of the array, which has so many dimensions of rows, becomes the value.
void fill_rows(Machine& m, const Array& array, std::size_t dimensions, Slot value) {
  if (dimensions == 0) return write_part(m, value, array);
  for (std::int64_t i = 0; i < array.size(); ++i)
    fill_rows(m, part_at(array, i * array.dims[0].stride, 1), dimensions - 1, value);
}

OutState NestCode::start(Machine& m, const OutCode& out, const Sizes& extents) {
  OutState state;
  for (const int destination : out.destinations)
    state.results.push_back(consume(m.array(destination)));
  if (!out.destinations.empty()) return state;
  const std::size_t kept = out.kind == OutKind::reduce ? out.rank : extents.size();
  for (const auto& sizes : out.epilogue ? out.result_sizes : out.row_sizes)
    state.results.push_back(allocate_rows(m, extents, kept, sizes));
  if (!out.op) return state;
  for (std::size_t k = 0; k < out.values.size(); ++k) {
    state.running.push_back(out.runs_in_results()
                                ? state.results[k]
                                : allocate_rows(m, extents, out.rank, out.row_sizes[k]));
    fill_rows(m, state.running.back(), out.rank, out.neutral[k]);
  }
  return state;
}

void NestCode::keep_values(Machine& m, const OutCode& out, OutState& state, const Sizes& extents) {
  if (!out.is_ordered()) return;
  for (const auto& sizes : out.row_sizes)
    state.kept.push_back(allocate_rows(m, extents, extents.size(), sizes));
}

void NestCode::keep(Machine& m, const OutCode& out, OutState& state, const Sizes& at) {
  const auto rows = rows_at(state.kept, at, at.size());
  for (std::size_t k = 0; k < rows.size(); ++k) write_part(m, out.values[k], rows[k]);
}

void NestCode::combine_kept(Machine& m, const OutCode& out, OutState& state, const Sizes& at) {
  const auto values = rows_at(state.kept, at, at.size());
  combine(m, out, rows_at(state.running, at, out.rank), [&](std::size_t k, Slot right) {
    if (right.is_array)
      m.array(right.index) = fresh_copy(values[k]);
    else
      read_part(m, values[k], right);
  });
  if (out.kind == OutKind::scan) conclude(m, out, state, at);
}

void NestCode::step(Machine& m, const OutCode& out, OutState& state, const Sizes& at) {
  switch (out.kind) {
    case OutKind::store:
      return write_part(m, out.values[0], rows_at(state.results, at, at.size())[0]);
    case OutKind::reduce:
      return combine(m, out, rows_at(state.running, at, out.rank));
    case OutKind::scan:
      combine(m, out, rows_at(state.running, at, out.rank));
      return conclude(m, out, state, at);
    case OutKind::histogram:
    case OutKind::scatter: {
      boost::container::small_vector<Array, 2> cells;
      for (const Array& result : state.results) {
        // Every destination has its own strides below the indices that all share.
        const auto offset = offset_of(m, result, out.indices);
        if (!offset) return;
        cells.push_back(part_at(result, *offset, out.indices.size()));
      }
      if (out.op) return combine(m, out, cells);
      for (std::size_t k = 0; k < cells.size(); ++k) write_part(m, out.values[k], cells[k]);
    }
  }
}

/// The combined values at these kept indices, as they are or by the epilogue, become the results there.
void NestCode::conclude(Machine& m, const OutCode& out, OutState& state, const Sizes& at) {
  const auto combined = rows_at(state.running, at, out.rank);
  const auto rows = rows_at(state.results, at, at.size());
  if (!out.epilogue) {
    for (std::size_t k = 0; k < rows.size(); ++k) copy_elements(combined[k], rows[k]);
    return;
  }
  const std::vector<Slot>& params = out.epilogue->params;
  for (std::size_t d = 0; d < at.size(); ++d) m.scalar(params[d].index) = static_cast<Bits>(at[d]);
  for (std::size_t k = 0; k < combined.size(); ++k)
    read_part(m, combined[k], params[at.size() + k]);
  run(m, *out.epilogue->body);
  for (std::size_t k = 0; k < rows.size(); ++k)
    write_part(m, out.epilogue->body->results[k], rows[k]);
}

/// cells = op cells values, of the point that has just run
void NestCode::combine(Machine& m, const OutCode& out,
                       const boost::container::small_vector<Array, 2>& cells) {
  combine(m, out, cells, [&](std::size_t k, Slot right) { assign(m, out.values[k], right); });
}

/// The same, where `set_right` makes the right operand.
template <typename SetRight>
void NestCode::combine(Machine& m, const OutCode& out,
                       const boost::container::small_vector<Array, 2>& cells, SetRight&& set_right) {
  const std::size_t count = cells.size();
  for (std::size_t k = 0; k < count; ++k) {
    const Slot left = out.op->params[k];
    if (left.is_array)
      m.array(left.index) = fresh_copy(cells[k]);
    else
      read_part(m, cells[k], left);
    set_right(k, out.op->params[count + k]);
  }
  run(m, *out.op->body);
  for (std::size_t k = 0; k < count; ++k) write_part(m, out.op->body->results[k], cells[k]);
}

}  // namespace

Step Compiler::compile(const Nest& e, const Target& target) {
  NestCode code;
  code.stm = target.stm;
  code.adversary = adversary_;
  code.space = scalars(e.space);
  code.accumulators = e.accumulators.size();
  for (const Name& name : e.accumulators) code.accumulator_operands.push_back(slot_of(name));
  code.point = lambda(e.point);
  std::size_t next_result = code.accumulators, next_target = 0;
  for (; next_target < code.accumulators; ++next_target)
    code.accumulator_targets.push_back(target.slots.at(next_target));
  for (const Out& out : e.outs) {
    OutCode out_code;
    out_code.kind = out.kind;
    out_code.rank = static_cast<std::size_t>(out.rank);
    for (std::size_t k = 0; k < out.indices(); ++k)
      out_code.indices.push_back(code.point.body->results.at(next_result++));
    for (std::size_t k = 0; k < out.values(); ++k, ++next_result) {
      out_code.values.push_back(code.point.body->results.at(next_result));
      out_code.row_sizes.push_back(out.destinations.empty()
                                       ? scalars(e.point.result_types.at(next_result).shape)
                                       : std::vector<int>{});
    }
    for (std::size_t k = 0; k < out.results(); ++k)
      out_code.targets.push_back(target.slots.at(next_target++));
    if (out.op) {
      out_code.neutral = slots_of(out.op->neutral);
      out_code.op = lambda(out.op->op);
      out_code.commutative = out.op->commutative;
    }
    if (out.epilogue) {
      out_code.epilogue = lambda(*out.epilogue);
      for (const Type& type : out.epilogue->result_types)
        out_code.result_sizes.push_back(scalars(type.shape));
    }
    out_code.destinations = arrays(out.destinations);
    code.outs.push_back(std::move(out_code));
  }
  return code;
}

}  // namespace boustro::ir::evaluation
