#include "transform/parallel/flatten/accumulators_apart.hpp"

#include <algorithm>

#include "transform/facts/history.hpp"
#include "transform/ir/nest.hpp"
#include "transform/parallel/flatten/rows_of_points.hpp"
#include "transform/parallel/flatten/scalars.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

/// Nothing checks, and only nests and branches pass accumulators on.
bool only_adds(const Body& body) {
  return std::all_of(body.stms.begin(), body.stms.end(), [](const Stm& stm) {
    const bool passes = std::any_of(stm.pattern.begin(), stm.pattern.end(), [](const Param& param) { return param.type.accumulator; });
    const bool known = std::holds_alternative<Nest>(stm.exp) || std::holds_alternative<If>(stm.exp) || std::holds_alternative<UpdateAcc>(stm.exp);
    bool fits = !stm.pattern.empty() && (!passes || known);
    for_each_body(stm.exp, [&](const Body& inner) { fits = fits && only_adds(inner); });
    return fits;
  });
}

/// A nest of two or more loops, not all of constant length.
bool is_long(const Nest& nest) {
  const bool constant = std::all_of(nest.space.begin(), nest.space.end(), [](const Atom& extent) { return literal_in(extent); });
  const auto& inside = nest.point.body.stms;
  const bool deeper = std::any_of(inside.begin(), inside.end(), [](const Stm& stm) { return std::holds_alternative<Nest>(stm.exp); });
  return !constant && (nest.space.size() > 1 || deeper);
}

/// What adds to a row adds to the row of all rows that has these indices.
class Widening {
 public:
  Widening(const std::vector<Param>& indices, const Shape& space, Names& names) : indices_(indices), space_(space), names_(names) {}

  void widen(Param& accumulator) {
    accumulators_.insert(accumulator.name);
    widen(accumulator.type);
    names_.bind(accumulator.name, accumulator.type);
  }

  void body(Body& body) {
    for (Stm& stm : body.stms) {
      facts::accumulators_into(stm.exp, [&](const Name& from, const Name& to) { pass(from, to); });
      if (auto* update = std::get_if<UpdateAcc>(&stm.exp); update && accumulators_.contains(update->accumulator))
        for (std::size_t d = 0; d < indices_.size(); ++d) update->indices.insert(update->indices.begin() + static_cast<std::ptrdiff_t>(d), indices_[d].name);
      if (auto* nest = std::get_if<Nest>(&stm.exp)) {
        for (std::size_t i = 0; i < nest->accumulators.size(); ++i) {
          if (!accumulators_.contains(nest->accumulators[i])) continue;
          widen(nest->point.params[i]);
          widen(nest->point.result_types[i]);
        }
      }
      map_bodies(stm.exp, [&](Body& inner) { this->body(inner); });
      facts::accumulators_out_of(stm, [&](const Name& from, const Name& to) { pass(from, to); });
      for (Param& param : stm.pattern)
        if (accumulators_.contains(param.name)) widen(param);
    }
  }

 private:
  void pass(const Name& from, const Name& to) {
    if (accumulators_.contains(from)) accumulators_.insert(to);
  }
  void widen(Type& type) const { type.shape.insert(type.shape.begin(), space_.begin(), space_.end()); }

  const std::vector<Param>& indices_;
  const Shape& space_;
  Names& names_;
  NameSet accumulators_;
};

class Accumulators {
 public:
  Accumulators(const Stm& stm, Names& names, const Definitions& definitions, const facts::Callees& callees)
      : stm_(stm), rows_(stm, names, callees), nest_(rows_.nest()), names_(names), definitions_(definitions) {}

  std::optional<std::vector<Stm>> run() {
    if (nest_.over != Level::grid || !stores_new_arrays(nest_)) return std::nullopt;
    for (std::size_t at = 0; at < rows_.before_checks().size(); ++at) {
      const Stm& stm = rows_.before_checks()[at];
      const auto* with = std::get_if<WithAcc>(&stm.exp);
      if (!with || !can_leave(*with, stm.pattern)) continue;
      if (const auto needed = rows_.needed(free_names(with->fn), at)) return apart(at, *with, *needed);
      if (auto parts = rows_.loops_first(free_names(with->fn), at)) return parts;
    }
    return std::nullopt;
  }

 private:
  bool can_leave(const WithAcc& with, const std::vector<Param>& rows) const {
    const auto& body = with.fn.body;
    const auto* nest = body.stms.size() == 1 ? std::get_if<Nest>(&body.stms[0].exp) : nullptr;
    if (!nest || !is_long(*nest) || !nest->outs.empty() || !only_adds(body) || rows.size() != with.inputs.size()) return false;
    if (!std::all_of(nest->space.begin(), nest->space.end(), [&](const Atom& extent) { return rows_.is_outside(extent); })) return false;
    for (std::size_t i = 0; i < with.inputs.size(); ++i) {
      const auto start = start_of(with, i);
      if (!start || !rows_.is_outside(*start) || !rows_.may_leave(rows[i])) return false;
      if (!std::holds_alternative<AddUp>(with.inputs[i].kind) || !has_atomic_addition(rows[i].type.elem)) return false;
    }
    return true;
  }

  /// What all cells of a row hold before.
  std::optional<Atom> start_of(const WithAcc& with, std::size_t row) const { return scalar_of(with.inputs[row].destination, definitions_, names_); }

  std::vector<Stm> apart(std::size_t at, const WithAcc& with, const std::vector<Stm>& needed) {
    const std::vector<Param>& rows = rows_.before_checks()[at].pattern;
    const auto origin = rows_.before_checks()[at].origin;
    const std::vector<Param> results = rows_.of_all(rows);
    Builder before(names_, stm_.origin);
    WithAcc all;
    Nest adding{Level::grid, nest_.each, nest_.space, {}, {}, {}, {}};
    Lambda inside = rename(with.fn, names_);
    Widening widening(nest_.point.params, nest_.space, names_);
    std::vector<Param> added;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string& base = rows[i].name.base;
      all.inputs.push_back({before.let(base, Replicate{results[i].type.shape, *start_of(with, i)}), AddUp{}});
      widening.widen(inside.params[i]);
      const Type& accumulator = inside.params[i].type;
      all.fn.params.push_back(names_.fresh_param(base, accumulator, true));
      all.fn.result_types.push_back(accumulator);
      adding.accumulators.push_back(all.fn.params.back().name);
      added.push_back(names_.fresh_param(base, accumulator));
      all.fn.body.result.push_back(added.back().name);
    }
    widening.body(inside.body);
    adding.point.params = inside.params;
    adding.point.params.insert(adding.point.params.end(), nest_.point.params.begin(), nest_.point.params.end());
    adding.point.body = {needed, inside.body.result};
    adding.point.body.stms.insert(adding.point.body.stms.end(), inside.body.stms.begin(), inside.body.stms.end());
    adding.point.result_types = all.fn.result_types;
    adding.point = rename(adding.point, names_);
    all.fn.body.stms.push_back({added, adding, origin, {}});
    std::vector<Stm> parts = std::move(before.stms);
    parts.push_back({results, all, origin, {}});
    Stm left = rows_.rest(rows, results);
    if (!left.pattern.empty()) parts.push_back(std::move(left));
    return parts;
  }

  const Stm& stm_;
  const RowsOfPoints rows_;
  const Nest& nest_;
  Names& names_;
  const Definitions& definitions_;
};

}  // namespace

std::optional<std::vector<Stm>> accumulators_apart(const Stm& stm, Names& names, const Definitions& definitions, const facts::Callees& callees) {
  return Accumulators(stm, names, definitions, callees).run();
}

}  // namespace boustro::parallel
