#include "transform/parallel/flatten/nests_apart.hpp"

#include <algorithm>

#include "transform/facts/work.hpp"
#include "transform/ir/needed.hpp"
#include "transform/ir/nest.hpp"
#include "transform/ir/operands.hpp"
#include "transform/simplify/rule.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

bool stores_alone(const Nest& nest) {
  return nest.accumulators.empty() && !nest.outs.empty() && std::all_of(nest.outs.begin(), nest.outs.end(), [](const Out& out) {
    return out.kind == OutKind::store && out.destinations.empty();
  });
}

bool has_loop(const Body& body) {
  return std::any_of(body.stms.begin(), body.stms.end(), [](const Stm& stm) {
    return std::holds_alternative<Nest>(stm.exp) || std::holds_alternative<Loop>(stm.exp);
  });
}

class Parter {
 public:
  Parter(const Stm& stm, Names& names, const facts::Callees& callees)
      : stm_(stm), nest_(std::get<Nest>(stm.exp)), stms_(nest_.point.body.stms), names_(names), aliases_(stms_, callees) {}

  std::optional<std::vector<Stm>> run() {
    if (nest_.over != Level::grid || !stores_alone(nest_)) return std::nullopt;
    for (std::size_t at = 0; at < stms_.size() && !stms_[at].pattern.empty(); ++at) {
      const auto* inner = std::get_if<Nest>(&stms_[at].exp);
      if (inner && has_loop(inner->point.body) && stores_alone(*inner) && can_leave(at)) return apart(at);
    }
    return std::nullopt;
  }

 private:
  bool can_leave(std::size_t at) {
    NameSet inside = bound_names(stms_);
    for (const Param& param : nest_.point.params) inside.insert(param.name);
    const auto& space = std::get<Nest>(stms_[at].exp).space;
    if (std::all_of(space.begin(), space.end(), [](const Atom& extent) { return literal_in(extent); })) return false;
    for (const Param& row : stms_[at].pattern) {
      for (const Atom& size : row.type.shape)
        if (const Name* name = name_in(size); name && inside.contains(*name)) return false;
      if (aliases_.is_consumed(row.name) || times_in_results(row.name) > 1) return false;
    }
    NameSet wanted = free_names(stms_[at]);
    needed_ = statements_for(wanted, {stms_.begin(), stms_.begin() + static_cast<std::ptrdiff_t>(at)});
    if (!std::all_of(needed_.begin(), needed_.end(), facts::is_repeatable) || !facts::is_cheap(needed_, facts::values_for(stms_[at], needed_)))
      return false;
    return !is_all(at);
  }

  std::ptrdiff_t times_in_results(const Name& name) const {
    return std::count(nest_.point.body.result.begin(), nest_.point.body.result.end(), Atom(name));
  }

  /// Then the two are a perfect nest.
  bool is_all(std::size_t at) const {
    return std::all_of(nest_.point.body.result.begin(), nest_.point.body.result.end(), [&](const Atom& result) {
      return std::any_of(stms_[at].pattern.begin(), stms_[at].pattern.end(), [&](const Param& row) { return result == Atom(row.name); });
    });
  }

  std::vector<Stm> apart(std::size_t at) {
    Nest rows = nest_, rest = nest_;
    std::vector<Param> of_rows, of_rest;
    rows.outs.clear(), rest.outs.clear();
    Body body = nest_.point.body;
    rows.point.body = {needed_, {}};
    rows.point.body.stms.push_back(stms_[at]);
    rest.point.body.result.clear();
    rows.point.result_types.clear(), rest.point.result_types.clear();
    std::vector<Stm> views;
    for (const Param& row : stms_[at].pattern) {
      const auto place = static_cast<std::size_t>(std::find(body.result.begin(), body.result.end(), Atom(row.name)) - body.result.begin());
      of_rows.push_back(place < body.result.size() ? stm_.pattern[place] : names_.fresh_param(row.name.base, of_all(row.type)));
      rows.point.body.result.push_back(row.name);
      rows.point.result_types.push_back(row.type);
      rows.outs.push_back(nest_.outs[0]);
      std::vector<DimIndex> indices;
      for (const Param& index : nest_.point.params) indices.push_back(Atom(index.name));
      views.push_back({{row}, Index{of_rows.back().name, indices, false}, stms_[at].origin, {}});
    }
    for (std::size_t i = 0; i < body.result.size(); ++i) {
      const bool is_row = std::any_of(views.begin(), views.end(), [&](const Stm& view) { return body.result[i] == Atom(view.pattern[0].name); });
      if (is_row) continue;
      of_rest.push_back(stm_.pattern[i]);
      rest.point.body.result.push_back(body.result[i]);
      rest.point.result_types.push_back(nest_.point.result_types[i]);
      rest.outs.push_back(nest_.outs[i]);
    }
    auto& left = rest.point.body.stms;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
    left.insert(left.begin() + static_cast<std::ptrdiff_t>(at), views.begin(), views.end());
    NameSet wanted = names_among(rest.point.body.result);
    left = statements_for(wanted, left, true);
    rows.point = rename(rows.point, names_);
    std::vector<Stm> parts{{of_rows, rows, stm_.origin, stm_.attributes}};
    std::vector<Stm> seen = views_of_rows(rest, of_rest);
    if (!rest.outs.empty()) parts.push_back({of_rest, rest, stm_.origin, stm_.attributes});
    parts.insert(parts.end(), seen.begin(), seen.end());
    return parts;
  }

  /// Results that are nothing but rows seen otherwise: all at once, and no more of the nest.
  std::vector<Stm> views_of_rows(Nest& nest, std::vector<Param>& pattern) {
    std::vector<Stm> views;
    std::vector<bool> seen;
    Body& body = nest.point.body;
    for (std::size_t i = 0; i < body.result.size(); ++i) {
      const Stm* view = definition(body, body.result[i]);
      const auto* rearranged = view ? std::get_if<Rearrange>(&view->exp) : nullptr;
      const Stm* row = rearranged ? definition(body, rearranged->array) : nullptr;
      const auto* read = row ? std::get_if<Index>(&row->exp) : nullptr;
      seen.push_back(read && is_point(*read));
      if (!seen.back()) continue;
      const int outer = static_cast<int>(nest.space.size());
      std::vector<int> permutation;
      for (int d = 0; d < outer; ++d) permutation.push_back(d);
      for (const int d : rearranged->permutation) permutation.push_back(outer + d);
      views.push_back({{pattern[i]}, Rearrange{permutation, read->array}, stm_.origin, {}});
    }
    simplify::erase_flagged(nest.outs, seen);
    simplify::erase_flagged(pattern, seen);
    simplify::erase_flagged(body.result, seen);
    simplify::erase_flagged(nest.point.result_types, seen);
    NameSet wanted = names_among(body.result);
    body.stms = statements_for(wanted, body.stms, true);
    return views;
  }

  static const Stm* definition(const Body& body, const Atom& atom) {
    const Name* name = name_in(atom);
    const auto found = std::find_if(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
      return name && stm.pattern.size() == 1 && stm.pattern[0].name == *name;
    });
    return found == body.stms.end() ? nullptr : &*found;
  }

  /// The row of an array at the indices of the point.
  bool is_point(const Index& read) const {
    const auto& params = nest_.point.params;
    return std::equal(read.indices.begin(), read.indices.end(), params.begin(), params.end(),
                      [](const DimIndex& index, const Param& param) { return index == DimIndex(Atom(param.name)); });
  }

  Type of_all(Type row) const {
    row.shape.insert(row.shape.begin(), nest_.space.begin(), nest_.space.end());
    return row;
  }

  const Stm& stm_;
  const Nest& nest_;
  const std::vector<Stm>& stms_;
  Names& names_;
  facts::Aliases aliases_;
  std::vector<Stm> needed_;
};

}  // namespace

std::optional<std::vector<Stm>> nests_apart(const Stm& stm, Names& names, const facts::Callees& callees) {
  return Parter(stm, names, callees).run();
}

}  // namespace boustro::parallel
