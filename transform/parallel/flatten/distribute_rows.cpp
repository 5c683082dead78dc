#include "transform/parallel/flatten/distribute_rows.hpp"

#include <algorithm>
#include <set>

#include "transform/facts/work.hpp"
#include "transform/ir/operands.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::parallel {
namespace {

using ir::Name;
using ir::NameSet;
using ir::Stm;
using Stms = std::vector<Stm>;

template <typename T>
std::vector<T> from(const std::vector<T>& list, std::size_t first) {
  return {list.begin() + static_cast<std::ptrdiff_t>(first), list.end()};
}

bool contains(const std::vector<ir::Param>& params, const Name& name) {
  return std::any_of(params.begin(), params.end(),
                     [&](const ir::Param& param) { return param.name == name; });
}

/// A map, alone or before reductions, and where its mapped results begin.
struct RowMap {
  ir::Atom width;
  const ir::Lambda* fn;
  const std::vector<Name>* arrays;
  const std::vector<ir::Operator>* operators;  // may be null
  std::size_t first_row;
};

std::optional<RowMap> as_row_map(const Stm& stm) {
  if (const auto* map = std::get_if<ir::Map>(&stm.exp); map && map->accumulators.empty())
    return RowMap{map->width, &map->fn, &map->arrays, nullptr, 0};
  const auto* map = std::get_if<ir::MapReduce>(&stm.exp);
  if (!map || !map->accumulators.empty()) return std::nullopt;
  std::size_t operands = 0;
  for (const ir::Operator& op : map->operators) operands += op.neutral.size();
  return RowMap{map->width, &map->fn, &map->arrays, &map->operators, operands};
}

/// Each element takes a loop.
bool is_expensive(const ir::Lambda& fn) {
  return std::any_of(fn.body.stms.begin(), fn.body.stms.end(), [](const Stm& stm) {
    bool any = false;
    ir::for_each_body(stm.exp, [&](const ir::Body&) { any = true; });
    return any && !std::holds_alternative<ir::If>(stm.exp);
  });
}

class RowDistributor {
 public:
  RowDistributor(const Stm& stm, ir::Names& names, const facts::Callees& callees)
      : stm_(stm), map_(std::get<ir::Map>(stm.exp)), names_(names), aliases_(map_.fn.body.stms, callees) {}

  std::optional<Stms> run() {
    if (!map_.accumulators.empty() || !ir::consumed_operands(stm_.exp).empty()) return std::nullopt;
    const Stms& stms = body().stms;
    for (at_ = 0; at_ < stms.size() && !stms[at_].pattern.empty(); ++at_) {  // what is behind a check stays there
      const auto rows = as_row_map(stms[at_]);
      const bool is_nest = stms.size() == 1 && rows && !rows->operators;
      if (!rows || is_nest || !fits(*rows)) continue;
      row_ = *rows;
      const auto rest = without_rows();
      if (!rest) continue;
      return Stms{rows_alone(), *rest};
    }
    return std::nullopt;
  }

 private:
  const ir::Body& body() const { return map_.fn.body; }
  const Stm& inner() const { return body().stms[at_]; }

  /// What the rows need is known before the outer map or cheap, and so are their sizes.
  bool fits(const RowMap& rows) {
    const auto& pattern = inner().pattern;
    if (rows.first_row >= pattern.size() || !is_expensive(*rows.fn)) return false;
    if (ir::literal_in(rows.width) || !outside(std::get<Name>(rows.width))) return false;
    for (std::size_t i = rows.first_row; i < pattern.size(); ++i) {
      if (times_in_results(pattern[i].name) > 1 || aliases_.is_consumed(pattern[i].name)) return false;
      for (const ir::Atom& size : pattern[i].type.shape)
        if (const Name* name = ir::name_in(size); name && !outside(*name)) return false;
    }
    needed_.clear();
    return need(ir::free_names(inner())) &&
           facts::is_cheap(needed(), facts::values_for(inner(), needed()));
  }

  bool outside(const Name& name) const {
    return !contains(map_.fn.params, name) &&
           std::none_of(body().stms.begin(), body().stms.end(),
                        [&](const Stm& stm) { return contains(stm.pattern, name); });
  }

  std::ptrdiff_t times_in_results(const Name& name) const {
    return std::count(body().result.begin(), body().result.end(), ir::Atom(name));
  }

  /// Finds the statements that compute these; false if one of them cannot be repeated.
  bool need(const NameSet& names) {
    for (std::size_t i = 0; i < at_; ++i) {
      const Stm& stm = body().stms[i];
      const bool used = std::any_of(stm.pattern.begin(), stm.pattern.end(),
                                    [&](const ir::Param& p) { return names.contains(p.name); });
      if (!used || needed_.contains(i)) continue;
      if (!facts::is_repeatable(stm)) return false;
      needed_.insert(i);
      if (!need(ir::free_names(stm))) return false;
    }
    return true;
  }

  Stms needed() const {
    Stms stms;
    for (const std::size_t i : needed_) stms.push_back(body().stms[i]);
    return stms;
  }

  Stm rows_alone() {
    ir::Map rows{row_.width, *row_.fn, *row_.arrays, {}};
    rows.fn.body.result = from(rows.fn.body.result, row_.first_row);
    rows.fn.result_types = from(rows.fn.result_types, row_.first_row);
    ir::Lambda fn;
    fn.params = map_.fn.params;
    fn.body.stms = needed();
    const std::vector<ir::Param> pattern = from(inner().pattern, row_.first_row);
    fn.body.stms.push_back({pattern, rows, inner().origin, inner().attributes});
    for (const ir::Param& row : pattern) {
      fn.body.result.push_back(row.name);
      fn.result_types.push_back(row.type);
    }
    return outer(std::move(fn), map_.arrays, rows_);
  }

  /// The outer map with the rows as further arrays; nothing if the reductions need more of the
  /// inner map than its rows and arrays.
  std::optional<Stm> without_rows() {
    ir::Lambda fn = map_.fn;
    std::vector<Name> arrays = map_.arrays;
    std::vector<ir::Param> results = stm_.pattern;
    rows_.clear();
    for (std::size_t i = row_.first_row; i < inner().pattern.size(); ++i) {
      const ir::Param& row = inner().pattern[i];
      fn.params.push_back(row);
      if (times_in_results(row.name) == 0) {
        rows_.push_back(names_.fresh_param(row.name.base, ir::array_of(map_.width, row.type)));
        arrays.push_back(rows_.back().name);
        continue;
      }
      const auto place = static_cast<std::ptrdiff_t>(position(fn.body.result, row.name));
      rows_.push_back(results[static_cast<std::size_t>(place)]);
      arrays.push_back(rows_.back().name);
      fn.body.result.erase(fn.body.result.begin() + place);
      fn.result_types.erase(fn.result_types.begin() + place);
      results.erase(results.begin() + place);
    }
    const auto here = fn.body.stms.begin() + static_cast<std::ptrdiff_t>(at_);
    if (row_.operators) {
      auto reductions = reductions_of_rows();
      if (!reductions) return std::nullopt;
      here->exp = std::move(*reductions);
      here->pattern.erase(here->pattern.begin() + static_cast<std::ptrdiff_t>(row_.first_row),
                          here->pattern.end());
    } else {
      fn.body.stms.erase(here);
    }
    if (results.empty()) return std::nullopt;
    return outer(std::move(fn), std::move(arrays), std::move(results));
  }

  static std::size_t position(const std::vector<ir::Atom>& atoms, const Name& name) {
    return static_cast<std::size_t>(std::find(atoms.begin(), atoms.end(), ir::Atom(name)) -
                                    atoms.begin());
  }

  std::optional<ir::MapReduce> reductions_of_rows() {
    ir::MapReduce result{row_.width, *row_.operators, {}, {}, {}};
    const auto take = [&](const Name& array, const ir::Param& like) {
      result.arrays.push_back(array);
      result.fn.params.push_back(names_.fresh_param(like.name.base, like.type));
      return ir::Atom(result.fn.params.back().name);
    };
    const auto& computed = row_.fn->body.result;
    for (std::size_t i = 0; i < row_.first_row; ++i) {
      result.fn.result_types.push_back(row_.fn->result_types[i]);
      const Name* name = ir::name_in(computed[i]);
      const auto row = std::find(computed.begin() + static_cast<std::ptrdiff_t>(row_.first_row),
                                 computed.end(), computed[i]);
      const auto& params = row_.fn->params;
      const auto param = std::find_if(params.begin(), params.end(),
                                      [&](const ir::Param& p) { return name && p.name == *name; });
      if (!name) {
        result.fn.body.result.push_back(computed[i]);
      } else if (row != computed.end()) {
        const ir::Param& array = inner().pattern[static_cast<std::size_t>(row - computed.begin())];
        result.fn.body.result.push_back(
            take(array.name, {array.name, ir::scalar(array.type.elem)}));
      } else if (param != params.end()) {
        const auto k = static_cast<std::size_t>(param - params.begin());
        result.fn.body.result.push_back(take((*row_.arrays)[k], *param));
      } else {
        return std::nullopt;
      }
    }
    return result;
  }

  /// Over what the function uses of the arrays, in new names.
  Stm outer(ir::Lambda fn, std::vector<Name> arrays, std::vector<ir::Param> pattern) {
    const NameSet used = ir::free_names(fn.body);
    for (std::size_t i = arrays.size(); i-- > 0;) {
      if (used.contains(fn.params[i].name) || arrays.size() == 1) continue;
      fn.params.erase(fn.params.begin() + static_cast<std::ptrdiff_t>(i));
      arrays.erase(arrays.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return {std::move(pattern), ir::Map{map_.width, ir::rename(fn, names_), std::move(arrays), {}},
            stm_.origin, stm_.attributes};
  }

  const Stm& stm_;
  const ir::Map& map_;
  ir::Names& names_;
  facts::Aliases aliases_;
  std::size_t at_ = 0;
  std::set<std::size_t> needed_;  // statements that rows need, computed again
  std::vector<ir::Param> rows_;   // of all elements
  RowMap row_{};
};

}  // namespace

std::optional<Stms> distribute_rows(const Stm& stm, ir::Names& names, const facts::Callees& callees) {
  return RowDistributor(stm, names, callees).run();
}

}  // namespace boustro::parallel
