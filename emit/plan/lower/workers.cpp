#include "emit/plan/lower/workers.hpp"

#include <algorithm>
#include <utility>

#include "emit/plan/lower/work.hpp"

namespace boustro::plan::planner {
namespace {

using ir::OutKind;

/// The points have nothing to do with each other.
bool is_independent(const ir::Nest& nest) {
  return nest.accumulators.empty() &&
         std::all_of(nest.outs.begin(), nest.outs.end(), [](const ir::Out& out) {
           return out.kind == OutKind::store || (out.rank > 0 && out.destinations.empty());
         });
}

/// Row-major without gaps, as copies of it are.
bool is_contiguous(const View& array) {
  return array.memory() && array.memory()->strides == dense_strides(array.extents);
}

bool combines_points(const ir::Out& out) {
  return (out.kind == OutKind::reduce || out.kind == OutKind::scan) && out.rank == 0;
}

bool is_divisible(const ir::Out& out, const OutPlace& place) {
  switch (out.kind) {
    case OutKind::store:
      return true;
    case OutKind::reduce:
      return out.rank > 0 || !out.epilogue;
    case OutKind::scan:
      return out.rank > 0 || (!out.epilogue && ir::all_scalar(out.op->op.result_types));
    case OutKind::histogram:
      return std::all_of(place.arrays.begin(), place.arrays.end(), is_contiguous);
    case OutKind::scatter:
      return false;
  }
  return false;
}

bool is_divisible(const Accumulator& accumulator) {
  return !std::holds_alternative<ir::Overwrite>(accumulator.kind) &&
         accumulator.destination.rank() > 0 && is_contiguous(accumulator.destination);
}

Value neutral_of(Code& code, const ir::Atom& atom) {
  const ir::Name* name = ir::name_in(atom);
  return name && !code.context().names.type_of(*name).is_scalar() ? Value(code.view(*name))
                                                                  : Value(Scalar{code.value(atom)});
}

Value neutral_of(Code& code, const Accumulator& accumulator) {
  const auto* combine = std::get_if<ir::Combine>(&accumulator.kind);
  return neutral_of(
      code, combine ? combine->neutral : ir::Atom(PrimValue::zero(accumulator.destination.elem)));
}

/// Loops over the first dimensions of an array, workers sharing the outermost, whose iterations take so much work.
void over_cells(Code& code, const View& array, int dimensions, const Scalar& work,
                const std::function<void(const std::vector<Scalar>&)>& fill,
                std::vector<Scalar> at = {}) {
  if (static_cast<int>(at.size()) == dimensions) return fill(at);
  code.loop(array.extents[at.size()], "i",
            [&](const Scalar& i) {
              std::vector<Scalar> next = at;
              next.push_back(i);
              over_cells(code, array, dimensions, work, fill, std::move(next));
            },
            {.work = at.empty() ? std::optional(work) : std::nullopt});
}

View cell(Code& code, View array, const std::vector<Scalar>& at) {
  for (const Scalar& index : at) array = code.row(array, index.expr);
  return array;
}

/// What nothing changes any more.
View settled(View array) {
  auto& memory = std::get<Memory>(array.data);
  memory.base.type.read_only = true;
  return array;
}

Value loaded(Code& code, const View& cell) {
  return cell.rank() == 0 ? Value(code.load(settled(cell))) : Value(cell);
}

}  // namespace

void Workers::run() {
  if (is_independent(nest_)) {
    return Loops(code_, stm_, nest_, places_, {}, {.work = work_}).run();
  }
  bool divisible = true;
  for (const ir::Name& name : nest_.accumulators)
    divisible = divisible && is_divisible(code_.accumulator(name));
  for (std::size_t out = 0; out < nest_.outs.size(); ++out)
    divisible = divisible && is_divisible(nest_.outs[out], places_[out]);
  if (divisible) return in_parts();
  Loops(code_, stm_, nest_, places_).run();
}

Parts Workers::divided() {
  std::optional<Scalar> cells;
  const auto count = [&](const View& array) {
    const Scalar more = elements(array.extents);
    cells = cells ? sum(*cells, more) : more;
  };
  for (const ir::Name& name : nest_.accumulators) count(code_.accumulator(name).destination);
  for (std::size_t out = 0; out < nest_.outs.size(); ++out) {
    if (nest_.outs[out].kind != OutKind::histogram) continue;
    for (const View& array : places_[out].arrays) count(array);
  }
  return code_.parts_of(points(), work_, cells);
}

void Workers::in_parts() {
  Parts parts = divided();
  code_.define(parts);
  prepare(parts);
  code_.loop_over(parts, 0, [&] { one_part(parts); });
  collect_copies(parts);
  for (std::size_t out = 0; out < nest_.outs.size(); ++out) {
    if (!combines_points(nest_.outs[out])) continue;
    nest_.outs[out].kind == OutKind::reduce ? reduce(out, parts) : carry_on(out, parts);
  }
}

/// Room for what the parts come to.
void Workers::prepare(const Parts& parts) {
  values_.resize(nest_.outs.size());
  bins_.resize(nest_.outs.size());
  for (std::size_t out = 0; out < nest_.outs.size(); ++out) {
    const ir::Out& what = nest_.outs[out];
    for (std::size_t k = 0; k < what.values(); ++k) {
      const std::string& base = result(out, k).name.base;
      if (combines_points(what))
        values_[out].push_back(code_.array_of_parts(base, what.op->op.result_types[k], parts));
      if (what.kind == OutKind::histogram)
        bins_[out].push_back(copies_of(base, places_[out].arrays[k], parts));
    }
  }
  for (const ir::Name& name : nest_.accumulators)
    added_.push_back(copies_of(name.base, code_.accumulator(name).destination, parts));
}

/// The points of a part, one after the other.
void Workers::one_part(const Parts& parts) {
  for (std::size_t k = 0; k < added_.size(); ++k) {
    Accumulator accumulator = code_.accumulator(nest_.accumulators[k]);
    const View whole = accumulator.destination;
    accumulator.destination = own(added_[k], whole.rank(), neutral_of(code_, accumulator), parts);
    code_.rebind(nest_.accumulators[k], accumulator);
  }
  std::vector<OutPlace> places = places_;
  for (std::size_t out = 0; out < nest_.outs.size(); ++out) {
    for (std::size_t k = 0; k < bins_[out].size(); ++k)
      places[out].arrays[k] = own(bins_[out][k], static_cast<int>(nest_.outs[out].bins.size()),
                                  neutral_of(code_, nest_.outs[out].op->neutral[k]), parts);
  }
  Loops(code_, stm_, nest_, places, {},
        code_.points_of(parts, points().expr, "The points of the part, in order."))
      .run();
  for (std::size_t out = 0; out < nest_.outs.size(); ++out) {
    for (std::size_t k = 0; k < values_[out].size(); ++k)
      code_.put(code_.row(values_[out][k], parts.part), places[out].running[k]);
  }
}

/// Starts with the value of the first part.
void Workers::reduce(std::size_t out, const Parts& parts) {
  const ir::Operator op = code_.again(*nest_.outs[out].op);
  Results running;
  for (std::size_t k = 0; k < values_[out].size(); ++k) {
    const View first = code_.row(values_[out][k], lit(0));
    running.push_back(first.rank() > 0
                          ? Value(first)
                          : Value(Scalar{code_.variable(
                                result(out, k).name.base, type(first.elem), code_.load(first).expr,
                                k == 0 ? "The parts, in their order." : "")}));
  }
  code_.after_first(parts, [&] {
    Results next;
    for (const View& values : values_[out])
      next.push_back(loaded(code_, code_.row(values, parts.part)));
    code_.step(op, running, next);
  });
  for (std::size_t k = 0; k < running.size(); ++k) code_.bind(result(out, k).name, running[k]);
}

/// The value of each part makes place for that of all parts before it, which then joins each value that the part has stored.
void Workers::carry_on(std::size_t out, Parts& parts) {
  const ir::Operator op = code_.again(*nest_.outs[out].op);
  Results before;
  for (std::size_t k = 0; k < values_[out].size(); ++k)
    before.push_back(
        Scalar{code_.variable("before_" + result(out, k).name.base, type(values_[out][k].elem),
                              code_.load(code_.row(values_[out][k], lit(0))).expr)});
  code_.after_first(parts, [&] {
    Results own;
    for (std::size_t k = 0; k < before.size(); ++k) {
      const View value = code_.row(values_[out][k], parts.part);
      own.push_back(Scalar{
          code_.named("own_" + result(out, k).name.base, code_.load(value).expr,
                      k == 0 ? "What comes before the part takes the place of its own." : "")});
      code_.store(value, std::get<Scalar>(before[k]).expr);
    }
    code_.step(op, before, own);
  });
  code_.loop_over(parts, 1, [&] { join(out, parts); });
}

/// The second sweep over a part.
void Workers::join(std::size_t out, const Parts& parts) {
  const ir::Operator op = code_.again(*nest_.outs[out].op);
  const std::vector<View>& arrays = places_[out].arrays;
  LoopForm points_of_part = code_.points_of(
      parts, points().expr, "What comes before the part joins all that it has stored.");
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const View before = settled(code_.row(values_[out][k], parts.part));
    code_.bind(op.op.params[k].name, Scalar{code_.named("before", code_.load(before).expr)});
  }
  code_.loop(
      points(), "i",
      [&](const Scalar& i) {
        for (std::size_t k = 0; k < arrays.size(); ++k) {
          const Expr stored = code_.load(code_.row(arrays[k], i.expr)).expr;
          // Several of them are read before the first one changes.
          code_.bind(op.op.params[arrays.size() + k].name,
                     Scalar{arrays.size() > 1 ? code_.named("own", stored) : stored});
        }
        code_.body(op.op.body);
        for (std::size_t k = 0; k < arrays.size(); ++k)
          code_.store(code_.row(arrays[k], i.expr), code_.final_value(op.op.body.result[k]));
      },
      std::move(points_of_part));
}

void Workers::collect_copies(const Parts& parts) {
  Stms stms = code_.collect([&] {
    for (std::size_t out = 0; out < bins_.size(); ++out) {
      if (!bins_[out].empty()) combine_bins(out, parts);
    }
    for (std::size_t k = 0; k < added_.size(); ++k)
      add_up(added_[k], code_.accumulator(nest_.accumulators[k]), parts);
  });
  if (stms.empty()) return;
  code_.emit(Stm(If{parts.count.expr > 1, std::move(stms)})
                 .with_above("What the other parts have added, in their order."));
}

/// Of adding up an element, or row, of all parts.
Scalar Workers::work_of_parts(const Copies& copies, const Parts& parts) const {
  return product(parts.count, code_.work_of_copy(copies.first));
}

void Workers::combine_bins(std::size_t out, const Parts& parts) {
  const ir::Operator op = code_.again(*nest_.outs[out].op);
  over_cells(code_, bins_[out][0].first, static_cast<int>(nest_.outs[out].bins.size()),
             work_of_parts(bins_[out][0], parts), [&](const std::vector<Scalar>& at) {
               code_.after_first(parts, [&] {
                 Results cells, values;
                 for (const Copies& copies : bins_[out]) {
                   cells.push_back(cell(code_, copies.first, at));
                   values.push_back(loaded(code_, cell(code_, other(copies, parts), at)));
                 }
                 code_.step_in_place(op, cells, values);
               });
             });
}

void Workers::add_up(const Copies& copies, const Accumulator& accumulator, const Parts& parts) {
  over_cells(code_, copies.first, 1, work_of_parts(copies, parts),
             [&](const std::vector<Scalar>& at) {
               code_.after_first(parts, [&] {
                 code_.add_to(accumulator, cell(code_, copies.first, at),
                              loaded(code_, cell(code_, other(copies, parts), at)));
               });
             });
}

// ---- Copies

Workers::Copies Workers::copies_of(const std::string& base, const View& array, const Parts& parts) {
  Scalar others = parts.count;
  others.expr = minus(others.expr, lit(1));
  const Scalar cells = elements(array.extents);
  others.upper = minus(parts.most(cells.upper ? *cells.upper : cells.expr), lit(1));
  others.range = Range{0, 63};
  std::vector<Scalar> extents{others};
  extents.insert(extents.end(), array.extents.begin(), array.extents.end());
  return {base, array, code_.temporary(base + "_of_parts", array.elem, extents)};
}

View Workers::other(const Copies& copies, const Parts& parts) {
  return code_.row(copies.others, minus(parts.part, lit(1)));
}

/// What the part adds to: neutral at first, if it is not the array itself.
View Workers::own(const Copies& copies, int dimensions, const Value& neutral, const Parts& parts) {
  const Memory& first = *copies.first.memory();
  const Memory copy = *other(copies, parts).memory();
  const Expr pointer =
      code_.named("own_" + copies.base,
                  select(equal(parts.part, lit(0)), plus(first.base, first.offset),
                         plus(copy.base, copy.offset)),
                  std::exchange(explained_, true)
                      ? ""
                      : "The first part adds to the result itself, the others to copies.");
  const View result = dense_view(pointer, copies.first.elem, copies.first.extents);
  code_.guarded(parts.part > 0, [&] {
    over_cells(code_, result, dimensions, size_literal(1),
               [&](const std::vector<Scalar>& at) { code_.put(cell(code_, result, at), neutral); });
  });
  return result;
}

const ir::Param& Workers::result(std::size_t out, std::size_t k) const {
  std::size_t first = nest_.accumulators.size();
  for (std::size_t before = 0; before < out; ++before) first += nest_.outs[before].results();
  return stm_.pattern[first + k];
}

}  // namespace boustro::plan::planner
