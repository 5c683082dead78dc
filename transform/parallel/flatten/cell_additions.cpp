#include "transform/parallel/flatten/cell_additions.hpp"

#include <algorithm>

#include "transform/facts/history.hpp"
#include "transform/facts/work.hpp"
#include "transform/ir/needed.hpp"
#include "transform/simplify/rule.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

// ---- Which there are

/// So many reads from memory take as long as an addition that is made again.
constexpr std::size_t reads_for_an_addition = 2;

class Finder {
 public:
  Finder(Inputs& inputs, const std::vector<Shape>& shapes, const NameSet& unknown, Names& names)
      : inputs_(inputs), shapes_(shapes), unknown_(unknown), names_(names) {}

  std::vector<Additions> run(const Stm& stm) {
    const Nest& nest = std::get<Nest>(stm.exp);
    shared_ = nest.over == Level::grid ? nest.space.size() : 0;
    alone_ = adds_in_one_place(nest);
    origin_ = stm.origin;
    if (!any_check(nest.point.body)) enter(stm, nest);
    return std::move(found_);
  }

 private:
  /// A nest that checks something stays, whatever it adds.
  static bool any_check(const Body& body) {
    return std::any_of(body.stms.begin(), body.stms.end(), [](const Stm& stm) {
      bool any = stm.pattern.empty();
      for_each_body(stm.exp, [&](const Body& inner) { any = any || any_check(inner); });
      return any;
    });
  }

  /// All that a point does is to add, once to each of some cells of the same indices: a sum takes no longer.
  static bool adds_in_one_place(const Nest& nest) {
    const std::vector<Atom>* place = nullptr;
    bool one = nest.outs.empty();
    for (const Stm& stm : nest.point.body.stms) {
      const auto* update = std::get_if<UpdateAcc>(&stm.exp);
      if (!update) {
        one = one && std::none_of(stm.pattern.begin(), stm.pattern.end(), [](const Param& param) { return param.type.accumulator; });
        continue;
      }
      one = one && (!place || *place == update->indices);
      place = &update->indices;
    }
    return one && place;
  }

  void enter(const Stm& stm, const Nest& nest) {
    for (std::size_t d = 0; d < nest.space.size(); ++d)
      around_.push_back({nest.point.params.at(nest.accumulators.size() + d).name, nest.space[d]});
    points_.push_back(&nest.point.body);
    facts::accumulators_into(stm.exp, [&](const Name& from, const Name& to) { same(from, to); });
    body(nest.point.body);
    points_.pop_back();
    around_.resize(around_.size() - nest.space.size());
  }

  void body(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (const auto* update = std::get_if<UpdateAcc>(&stm.exp)) consider(stm, *update);
      const auto* nest = std::get_if<Nest>(&stm.exp);
      if (nest && nest->over == Level::thread && !nest->accumulators.empty()) enter(stm, *nest);
      facts::accumulators_out_of(stm, [&](const Name& from, const Name& to) { same(from, to); });
    }
  }

  void consider(const Stm& stm, const UpdateAcc& update) {
    const auto input = inputs_.find(update.accumulator);
    if (input == inputs_.end()) return;
    const auto place = place_of(update, shapes_.at(input->second));
    if (!place || !is_computed_again(update.value, *place)) return;
    const auto known =
        std::find_if(found_.begin(), found_.end(), [&](const Additions& all) { return all.place == *place; });
    Additions& all = known == found_.end() ? found_.emplace_back(Additions{*place, {}}) : *known;
    all.each.push_back(
        {input->second, update.value, stm.pattern.at(0).name, stm.origin.at.empty() ? origin_ : stm.origin});
  }

  /// Nothing if the indices are no different dimensions as long as the array, or if there is no other dimension: of the grid,
  /// or of the nests of a thread.
  std::optional<Place> place_of(const UpdateAcc& update, const Shape& shape) {
    Place place{points_, {}, {}};
    std::vector<bool> taken(around_.size());
    if (shape.empty()) return std::nullopt;
    for (std::size_t k = 0; k < update.indices.size(); ++k) {
      const auto d = std::find_if(around_.begin(), around_.end(),
                                  [&](const Dimension& one) { return Atom(one.index) == update.indices[k]; });
      const auto at = static_cast<std::size_t>(d - around_.begin());
      if (d == around_.end() || taken[at] || d->extent != shape[k]) return std::nullopt;
      taken[at] = true;
      place.cell.push_back(*d);
    }
    place.rows = shape.size() - update.indices.size();
    for (std::size_t k = update.indices.size(); k < shape.size(); ++k) place.cell.push_back(of_rows(k, shape[k]));
    const auto several = shared_ > 0 ? taken.begin() + static_cast<std::ptrdiff_t>(shared_) : taken.end();
    const bool meet = std::find(taken.begin(), several, false) != several;
    for (std::size_t d = 0; d < around_.size(); ++d)
      if (!taken[d]) place.summed.push_back(around_[d]);
    return !meet || !extents_known(place) ? std::nullopt : std::optional(std::move(place));
  }

  /// Of what is added as a whole: equal ones for several additions.
  Dimension of_rows(std::size_t k, const Atom& extent) {
    const auto known = std::find_if(rows_.begin(), rows_.end(),
                                    [&](const auto& row) { return row.first == k && row.second.extent == extent; });
    if (known != rows_.end()) return known->second;
    return rows_.emplace_back(k, Dimension{names_.fresh("t"), extent}).second;
  }

  /// Outside of the nests.
  bool extents_known(const Place& place) const {
    return std::all_of(place.summed.begin(), place.summed.end(), [&](const Dimension& d) {
      const Name* name = name_in(d.extent);
      return !name || (!unknown_.contains(*name) && std::none_of(points_.begin(), points_.end(), [&](const Body* body) {
        return bound_names(body->stms).contains(*name);
      }));
    });
  }

  bool is_computed_again(const Atom& value, const Place& place) const {
    Builder trial(names_);
    Substitution indices;
    for (const auto* dimensions : {&place.cell, &place.summed})
      for (const Dimension& d : *dimensions) indices.emplace(d.index, d.index);
    Recomputed again(trial, indices);
    for (const Body* point : place.points) again.know(*point);
    const Atom result = added_value(again, value, place, indices);
    const NameSet needed = free_names(Body{trial.stms, {result}});
    const bool takes_long = calls_functions(trial.stms) || !facts::is_cheap(trial.stms, reads_for_an_addition);
    return !again.failed() && (!takes_long || alone_) &&
           std::none_of(needed.begin(), needed.end(), [&](const Name& name) { return unknown_.contains(name); });
  }

  static bool calls_functions(const std::vector<Stm>& stms) {
    const facts::Callees none([](const Name&) { return nullptr; });
    return std::any_of(stms.begin(), stms.end(), [&](const Stm& stm) {
      return !facts::takes_at_most(facts::Works(none).of(stm), facts::function_work - 1);
    });
  }

  void same(const Name& from, const Name& to) {
    const auto found = inputs_.find(from);
    if (found != inputs_.end()) inputs_.insert_or_assign(to, std::size_t(found->second));
  }

  Inputs& inputs_;
  const std::vector<Shape>& shapes_;
  const NameSet& unknown_;
  Names& names_;
  std::size_t shared_ = 0;         // dimensions of the grid
  bool alone_ = false;             // the nest adds in one place, and does nothing else
  Provenance origin_;              // of the nest
  std::vector<Dimension> around_;  // of the grid, then of the nests in a thread
  std::vector<const Body*> points_;
  std::vector<std::pair<std::size_t, Dimension>> rows_;
  std::vector<Additions> found_;
};

// ---- What is left

/// Accumulators that the point yields as it was given them.
void pass_by(Nest& nest, std::vector<Param>& pattern, Substitution& renamed) {
  std::vector<bool> passed;
  for (std::size_t i = 0; i < nest.accumulators.size(); ++i) {
    passed.push_back(nest.point.body.result[i] == Atom(nest.point.params[i].name));
    if (passed.back()) renamed.emplace(pattern[i].name, nest.accumulators[i]);
  }
  simplify::erase_flagged(nest.accumulators, passed);
  simplify::erase_flagged(nest.point.params, passed);
  simplify::erase_flagged(nest.point.body.result, passed);
  simplify::erase_flagged(nest.point.result_types, passed);
  simplify::erase_flagged(pattern, passed);
}

void remove_updates(Body& body, const NameSet& updates) {
  std::vector<Stm> rest;
  Substitution renamed;
  for (Stm& stm : body.stms) {
    substitute(stm, renamed);
    if (const auto* update = std::get_if<UpdateAcc>(&stm.exp); update && updates.contains(stm.pattern[0].name)) {
      renamed.emplace(stm.pattern[0].name, update->accumulator);
      continue;
    }
    auto* nest = std::get_if<Nest>(&stm.exp);
    if (nest && !nest->accumulators.empty()) {
      auto left = without_updates(std::move(*nest), stm.pattern, updates, renamed);
      if (!left) continue;
      *nest = std::move(*left);
    }
    rest.push_back(std::move(stm));
  }
  for (Atom& result : body.result) result = substitute(result, renamed);
  NameSet wanted = names_among(body.result);
  body.stms = statements_for(wanted, rest, true);
}

}  // namespace

Atom added_value(Recomputed& again, const Atom& value, const Place& place, const Substitution& indices) {
  if (place.rows == 0) return again.value(value);
  std::vector<Atom> at;
  for (auto d = place.cell.end() - static_cast<std::ptrdiff_t>(place.rows); d != place.cell.end(); ++d)
    at.push_back(indices.at(d->index));
  return again.element(std::get<Name>(value), at);
}

std::vector<Additions> cell_additions(const Stm& stm, Inputs& inputs, const std::vector<Shape>& shapes,
                                      const NameSet& unknown, Names& names) {
  return Finder(inputs, shapes, unknown, names).run(stm);
}

std::optional<Nest> without_updates(Nest nest, std::vector<Param>& pattern, const NameSet& updates,
                                    Substitution& renamed) {
  remove_updates(nest.point.body, updates);
  pass_by(nest, pattern, renamed);
  if (nest.accumulators.empty() && nest.outs.empty()) return std::nullopt;
  return nest;
}

}  // namespace boustro::parallel
