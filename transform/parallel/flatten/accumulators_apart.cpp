#include "transform/parallel/flatten/accumulators_apart.hpp"

#include <algorithm>

#include "transform/facts/history.hpp"
#include "transform/facts/work.hpp"
#include "transform/ir/needed.hpp"
#include "transform/ir/nest.hpp"
#include "transform/parallel/flatten/scalars.hpp"
#include "transform/simplify/rule.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

bool adds_atomically(PrimType type) {
  return type == PrimType::f32 || type == PrimType::f64 || (values::is_integer(type) && values::byte_size(type) >= 4);
}

bool stores_results(const Nest& nest) {
  return nest.accumulators.empty() && !nest.outs.empty() && std::all_of(nest.outs.begin(), nest.outs.end(), [](const Out& out) {
    return out.kind == OutKind::store && out.destinations.empty();
  });
}

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
      : stm_(stm), nest_(std::get<Nest>(stm.exp)), stms_(nest_.point.body.stms), names_(names), definitions_(definitions), aliases_(stms_, callees) {}

  std::optional<std::vector<Stm>> run() {
    if (nest_.over != Level::grid || !stores_results(nest_)) return std::nullopt;
    for (std::size_t at = 0; at < stms_.size() && !stms_[at].pattern.empty(); ++at) {
      const auto* with = std::get_if<WithAcc>(&stms_[at].exp);
      if (with && can_leave(at, *with)) return apart(at, *with);
    }
    return std::nullopt;
  }

 private:
  bool can_leave(std::size_t at, const WithAcc& with) {
    const auto& body = with.fn.body;
    const auto* nest = body.stms.size() == 1 ? std::get_if<Nest>(&body.stms[0].exp) : nullptr;
    if (!nest || !is_long(*nest) || !nest->outs.empty() || !only_adds(body) || stms_[at].pattern.size() != with.inputs.size()) return false;
    NameSet inside = bound_names(stms_);
    for (const Param& param : nest_.point.params) inside.insert(param.name);
    const auto is_outside = [&](const Atom& size) {
      const Name* name = name_in(size);
      return !name || !inside.contains(*name);
    };
    if (!std::all_of(nest->space.begin(), nest->space.end(), is_outside)) return false;
    for (std::size_t i = 0; i < with.inputs.size(); ++i) {
      const Type& type = with.fn.params[i].type;
      const Name& row = stms_[at].pattern[i].name;
      const auto start = scalar_of(with.inputs[i].destination, definitions_, names_);
      if (!start || !is_outside(*start) || !std::holds_alternative<AddUp>(with.inputs[i].kind) || !adds_atomically(type.elem)) return false;
      if (!std::all_of(type.shape.begin(), type.shape.end(), is_outside) || aliases_.is_consumed(row)) return false;
      if (std::count(nest_.point.body.result.begin(), nest_.point.body.result.end(), Atom(row)) > 1) return false;
    }
    NameSet wanted = free_names(with.fn);
    needed_ = statements_for(wanted, {stms_.begin(), stms_.begin() + static_cast<std::ptrdiff_t>(at)});
    return std::all_of(needed_.begin(), needed_.end(), facts::is_repeatable) && facts::is_cheap(needed_, facts::values_for(stms_[at], needed_));
  }

  std::vector<Stm> apart(std::size_t at, const WithAcc& with) {
    Builder before(names_, stm_.origin);
    WithAcc all;
    Nest adding{Level::grid, nest_.each, nest_.space, {}, {}, {}, {}};
    Lambda inside = rename(with.fn, names_);
    Widening widening(nest_.point.params, nest_.space, names_);
    std::vector<Param> results, added;
    for (std::size_t i = 0; i < with.inputs.size(); ++i) {
      Shape shape = inside.params[i].type.shape;
      shape.insert(shape.begin(), nest_.space.begin(), nest_.space.end());
      const std::string& base = stms_[at].pattern[i].name.base;
      const Type rows = array(inside.params[i].type.elem, shape);
      all.inputs.push_back({before.let(base, Replicate{shape, *scalar_of(with.inputs[i].destination, definitions_, names_)}), AddUp{}});
      widening.widen(inside.params[i]);
      Type accumulator = inside.params[i].type;
      all.fn.params.push_back(names_.fresh_param(base, accumulator, true));
      all.fn.result_types.push_back(accumulator);
      adding.accumulators.push_back(all.fn.params.back().name);
      added.push_back(names_.fresh_param(base, accumulator));
      all.fn.body.result.push_back(added.back().name);
      const auto place = place_in_results(stms_[at].pattern[i].name);
      results.push_back(place ? stm_.pattern[*place] : names_.fresh_param(base, rows));
    }
    widening.body(inside.body);
    adding.point.params = inside.params;
    adding.point.params.insert(adding.point.params.end(), nest_.point.params.begin(), nest_.point.params.end());
    adding.point.body = {needed_, inside.body.result};
    adding.point.body.stms.insert(adding.point.body.stms.end(), inside.body.stms.begin(), inside.body.stms.end());
    adding.point.result_types = all.fn.result_types;
    adding.point = rename(adding.point, names_);
    all.fn.body.stms.push_back({added, adding, stms_[at].origin, {}});
    std::vector<Stm> parts = std::move(before.stms);
    parts.push_back({results, all, stms_[at].origin, {}});
    Stm left = rest(at, results);
    if (!left.pattern.empty()) parts.push_back(std::move(left));
    return parts;
  }

  std::optional<std::size_t> place_in_results(const Name& row) const {
    const auto& result = nest_.point.body.result;
    const auto found = std::find(result.begin(), result.end(), Atom(row));
    return found == result.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - result.begin()));
  }

  Stm rest(std::size_t at, const std::vector<Param>& rows) const {
    Stm left = stm_;
    Nest& nest = std::get<Nest>(left.exp);
    auto& stms = nest.point.body.stms;
    std::vector<DimIndex> indices;
    for (const Param& index : nest_.point.params) indices.push_back(Atom(index.name));
    std::vector<Stm> views;
    for (std::size_t i = 0; i < rows.size(); ++i)
      views.push_back({{stms_[at].pattern[i]}, Index{rows[i].name, indices, false}, stms_[at].origin, {}});
    stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(at));
    stms.insert(stms.begin() + static_cast<std::ptrdiff_t>(at), views.begin(), views.end());
    std::vector<bool> done(left.pattern.size());
    for (const Param& row : stms_[at].pattern)
      if (const auto place = place_in_results(row.name)) done[*place] = true;
    simplify::erase_flagged(left.pattern, done);
    simplify::erase_flagged(nest.outs, done);
    simplify::erase_flagged(nest.point.body.result, done);
    simplify::erase_flagged(nest.point.result_types, done);
    NameSet wanted = names_among(nest.point.body.result);
    stms = statements_for(wanted, stms, true);
    return left;
  }

  const Stm& stm_;
  const Nest& nest_;
  const std::vector<Stm>& stms_;
  Names& names_;
  const Definitions& definitions_;
  facts::Aliases aliases_;
  std::vector<Stm> needed_;
};

}  // namespace

std::optional<std::vector<Stm>> accumulators_apart(const Stm& stm, Names& names, const Definitions& definitions, const facts::Callees& callees) {
  return Accumulators(stm, names, definitions, callees).run();
}

}  // namespace boustro::parallel
