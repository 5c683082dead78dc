#include "emit/plan/lower/workers.hpp"

#include <algorithm>
#include <utility>

#include "emit/plan/lower/column_tiles.hpp"
#include "emit/plan/lower/work.hpp"
#include "transform/ir/nest.hpp"

namespace boustro::plan::planner {
namespace {

using ir::OutKind;

/// The points have nothing to do with each other.
bool is_independent(const ir::Nest& nest) {
  return (nest.accumulators.empty() || ir::adds_apart(nest)) &&
         std::all_of(nest.outs.begin(), nest.outs.end(), ir::has_own_cells);
}

bool reduces(const ir::Out& out) { return out.kind == OutKind::reduce && ir::combines_all_points(out); }
bool scans(const ir::Out& out) { return out.kind == OutKind::scan && ir::combines_all_points(out); }

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

/// Loops over the first dimensions of an array.
void over_cells(Code& code, const View& array, int dimensions,
                const std::function<void(const std::vector<Scalar>&)>& fill,
                std::vector<Scalar> at = {}) {
  if (static_cast<int>(at.size()) == dimensions) return fill(at);
  code.loop(array.extents[at.size()], "i", [&](const Scalar& i) {
    std::vector<Scalar> next = at;
    next.push_back(i);
    over_cells(code, array, dimensions, fill, std::move(next));
  });
}

View cell(Code& code, View array, const std::vector<Scalar>& at) {
  for (const Scalar& index : at) array = code.row(array, index.expr);
  return array;
}

/// All elements of a contiguous array in a row.
View flat(const View& array) {
  if (array.rank() == 1) return array;
  const Memory& memory = *array.memory();
  return {array.elem, {elements(array.extents)}, Memory{memory.base, memory.offset, {lit(1)}}};
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

bool is_all_zero(const Expr& expr) {
  const auto* literal = std::get_if<Literal>(&expr.head);
  return literal && literal->value.bits == 0;
}

}  // namespace

/// What parts have bins of their own for must be dense, as copies of it are.
bool Workers::is_divided() const {
  const bool parts = nest_.additions == ir::Method::parts ||
                     std::any_of(nest_.outs.begin(), nest_.outs.end(), [](const ir::Out& out) { return out.method == ir::Method::parts; });
  bool result = parts;
  for (const ir::Name& name : nest_.accumulators) result = result && is_contiguous(code_.accumulator(name).destination);
  for (std::size_t out = 0; out < nest_.outs.size(); ++out) {
    const std::vector<View>& arrays = places_[out].arrays;
    result = result && (nest_.outs[out].kind != OutKind::histogram || std::all_of(arrays.begin(), arrays.end(), is_contiguous));
  }
  return result;
}

void Workers::run() {
  for (const ir::Name& name : nest_.accumulators) {
    Accumulator accumulator = code_.accumulator(name);
    accumulator.once = nest_.additions == ir::Method::once;
    code_.bind(name, accumulator);
  }
  if (is_divided()) return in_parts();
  if (is_independent(nest_) && stores_columns(code_, nest_, places_)) return in_column_tiles(code_, stm_, nest_, places_, work_);
  if (is_independent(nest_)) return Loops(code_, stm_, nest_, places_, {}, {.work = work_, .any_order = true}).run();
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
  const bool scans_alone = std::all_of(nest_.outs.begin(), nest_.outs.end(), [](const ir::Out& out) {
    return out.kind == OutKind::store || scans(out);
  });
  return code_.parts_of(points(), work_, cells, scans_alone);
}

void Workers::in_parts() {
  Parts parts = divided();
  code_.define(parts);
  prepare(parts);
  code_.loop_over(parts, [&] { one_part(parts); });
  collect_copies(parts);
  for (std::size_t out = 0; out < nest_.outs.size(); ++out)
    if (reduces(nest_.outs[out])) reduce(out, parts);
}

/// Room for what the parts come to, and what the parts of a scan hand on.
void Workers::prepare(const Parts& parts) {
  values_.resize(nest_.outs.size());
  carried_.resize(nest_.outs.size());
  bins_.resize(nest_.outs.size());
  for (std::size_t out = 0; out < nest_.outs.size(); ++out) {
    const ir::Out& what = nest_.outs[out];
    std::vector<std::string> carried;
    for (std::size_t k = 0; k < what.values(); ++k) {
      const std::string& base = result(out, k).name.base;
      carried.push_back("carried_" + base);
      if (reduces(what))
        values_[out].push_back(code_.array_of_parts(base, what.op->op.result_types[k], parts));
      if (what.kind == OutKind::histogram)
        bins_[out].push_back(copies_of(base, places_[out].arrays[k], parts));
    }
    if (scans(what)) carried_[out] = code_.running(*what.op, carried);
  }
  for (const ir::Name& name : nest_.accumulators)
    added_.push_back(copies_of(name.base, code_.accumulator(name).destination, parts));
}

/// The points of a part, one after the other.
void Workers::one_part(Parts& parts) {
  for (std::size_t k = 0; k < added_.size(); ++k) {
    Accumulator accumulator = code_.accumulator(nest_.accumulators[k]);
    const View whole = accumulator.destination;
    accumulator.destination = own(added_[k], whole.rank(), neutral_of(code_, accumulator), parts);
    code_.rebind(nest_.accumulators[k], accumulator);
  }
  std::vector<OutPlace> places = places_;
  for (std::size_t out = 0; out < nest_.outs.size(); ++out) {
    places[out].part = reduces(nest_.outs[out]);
    for (std::size_t k = 0; k < bins_[out].size(); ++k)
      places[out].arrays[k] = own(bins_[out][k], static_cast<int>(nest_.outs[out].bins.size()),
                                  neutral_of(code_, nest_.outs[out].op->neutral[k]), parts);
  }
  LoopForm points = code_.points_of(parts, this->points().expr);
  points.any_order = std::none_of(nest_.outs.begin(), nest_.outs.end(), [](const ir::Out& out) { return out.kind == OutKind::scan; });
  Loops(code_, stm_, nest_, places, {}, points).run();
  for (std::size_t out = 0; out < nest_.outs.size(); ++out) {
    for (std::size_t k = 0; k < values_[out].size(); ++k)
      code_.put(code_.row(values_[out][k], parts.part), places[out].running[k]);
  }
  take_turn(places, points, parts);
}

/// Starts with the value of the first part.
void Workers::reduce(std::size_t out, const Parts& parts) {
  const ir::Operator op = code_.again(*nest_.outs[out].op);
  Results running;
  for (std::size_t k = 0; k < values_[out].size(); ++k) {
    const View first = code_.row(values_[out][k], lit(0));
    running.push_back(first.rank() > 0 ? Value(first)
                                       : Value(Scalar{code_.variable(result(out, k).name.base, type(first.elem),
                                                                     code_.load(first).expr)}));
  }
  code_.after_first(parts, [&] {
    Results next;
    for (const View& values : values_[out])
      next.push_back(loaded(code_, code_.row(values, parts.part)));
    code_.step(op, running, next);
  });
  for (std::size_t k = 0; k < running.size(); ++k) code_.bind(result(out, k).name, running[k]);
}

// ---- Scans

/// Scans fetch what comes before the part, and leave what comes before the next one.
void Workers::take_turn(const std::vector<OutPlace>& places, const LoopForm& points, const Parts& parts) {
  std::vector<Results> before(nest_.outs.size());
  for (std::size_t out = 0; out < nest_.outs.size(); ++out)
    if (scans(nest_.outs[out])) before[out] = variables_before(out);
  code_.in_order_of_iterations([&] {
    for (std::size_t out = 0; out < nest_.outs.size(); ++out)
      if (scans(nest_.outs[out])) carry_on(out, before[out], places[out].running);
  });
  for (std::size_t out = 0; out < nest_.outs.size(); ++out)
    if (scans(nest_.outs[out])) join(out, before[out], points, parts);
}

Results Workers::variables_before(std::size_t out) {
  Results before;
  for (std::size_t k = 0; k < carried_[out].size(); ++k) {
    const Type type = std::get<Scalar>(carried_[out][k]).expr.type;
    before.push_back(Scalar{code_.variable("before_" + result(out, k).name.base, type, std::nullopt)});
  }
  return before;
}

void Workers::carry_on(std::size_t out, const Results& before, const Results& own) {
  for (std::size_t k = 0; k < before.size(); ++k)
    code_.assign(std::get<Scalar>(before[k]).expr, std::get<Scalar>(carried_[out][k]).expr);
  code_.step(code_.again(*nest_.outs[out].op), carried_[out], own);
}

/// What comes before the part joins all that it has stored, which should still be in the cache.
void Workers::join(std::size_t out, const Results& before, const LoopForm& points, const Parts& parts) {
  const ir::Operator op = code_.again(*nest_.outs[out].op);
  const std::vector<View>& arrays = places_[out].arrays;
  for (std::size_t k = 0; k < arrays.size(); ++k) code_.bind(op.op.params[k].name, before[k]);
  const auto joined = [&](const Scalar& i) {
    for (std::size_t k = 0; k < arrays.size(); ++k) {
      const Expr stored = code_.load(code_.row(arrays[k], i.expr)).expr;
      // Several of them are read before the first one changes.
      code_.bind(op.op.params[arrays.size() + k].name,
                 Scalar{arrays.size() > 1 ? code_.named("own", stored) : stored});
    }
    code_.body(op.op.body);
    for (std::size_t k = 0; k < arrays.size(); ++k)
      code_.store(code_.row(arrays[k], i.expr), code_.final_value(op.op.body.result[k]));
  };
  code_.guarded(parts.part > 0, [&] { code_.loop(this->points(), "i", joined, points); });
}

// ---- Copies

/// There are so few that one worker does it.
void Workers::collect_copies(const Parts& parts) {
  for (std::size_t out = 0; out < bins_.size(); ++out) {
    if (!bins_[out].empty()) code_.after_first(parts, [&] { combine_bins(out, parts); });
  }
  for (std::size_t k = 0; k < added_.size(); ++k) {
    code_.after_first(parts, [&] {
      const View copy = settled(other(added_[k], parts));
      code_.add_to(code_.accumulator(nest_.accumulators[k]), flat(added_[k].first), flat(copy));
    });
  }
}

void Workers::combine_bins(std::size_t out, const Parts& parts) {
  const ir::Operator op = code_.again(*nest_.outs[out].op);
  const bool scalars = ir::all_scalar(op.op.result_types);
  const auto whole = [&](const View& array) { return scalars ? flat(array) : array; };
  const int dimensions = scalars ? 1 : static_cast<int>(nest_.outs[out].bins.size());
  over_cells(code_, whole(bins_[out][0].first), dimensions, [&](const std::vector<Scalar>& at) {
    Results cells, values;
    for (const Copies& copies : bins_[out]) {
      cells.push_back(cell(code_, whole(copies.first), at));
      values.push_back(loaded(code_, cell(code_, whole(other(copies, parts)), at)));
    }
    code_.step_in_place(op, cells, values);
  });
}

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
  code_.guarded(parts.part > 0, [&] { fill(result, dimensions, neutral); });
  return result;
}

void Workers::fill(const View& array, int dimensions, const Value& neutral) {
  const auto* scalar = std::get_if<Scalar>(&neutral);
  if (scalar && is_all_zero(scalar->expr))
    return code_.emit(plan::Fill{array.memory()->base, elements(array.extents).expr});
  const View cells = scalar ? flat(array) : array;
  over_cells(code_, cells, scalar ? 1 : dimensions,
             [&](const std::vector<Scalar>& at) { code_.put(cell(code_, cells, at), neutral); });
}

const ir::Param& Workers::result(std::size_t out, std::size_t k) const {
  std::size_t first = nest_.accumulators.size();
  for (std::size_t before = 0; before < out; ++before) first += nest_.outs[before].results();
  return stm_.pattern[first + k];
}

}  // namespace boustro::plan::planner
