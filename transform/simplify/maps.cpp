// What a map takes or yields without computing it.
#include <algorithm>

#include "transform/ir/traversal.hpp"
#include "transform/simplify/rules.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

/// The parts that maps and fused maps have in common.
struct MapLike {
  Atom width;
  Lambda* fn = nullptr;
  std::vector<Name>* arrays = nullptr;
  std::vector<Name>* accumulators = nullptr;
  std::size_t first_array() const { return accumulators ? accumulators->size() : 0; }
};

std::optional<MapLike> as_map_like(Exp& exp) {
  using Result = std::optional<MapLike>;
  return match(
      exp, [](Map& e) { return Result({e.width, &e.fn, &e.arrays, &e.accumulators}); },
      [](MapReduce& e) { return Result({e.width, &e.fn, &e.arrays, &e.accumulators}); },
      [](MapScan& e) { return Result({e.width, &e.fn, &e.arrays, nullptr}); },
      [](ReduceByIndex& e) { return Result({e.width, &e.fn, &e.arrays, nullptr}); },
      [](auto&) { return Result(); });
}

/// The same for every element: known outside of the lambda.
bool is_invariant(const Atom& atom, const Lambda& fn, const NameSet& bound) {
  const Name* name = name_in(atom);
  if (!name) return true;
  const bool is_param = std::any_of(fn.params.begin(), fn.params.end(),
                                    [&](const Param& param) { return param.name == *name; });
  return !is_param && !bound.contains(*name);
}

/// What the elements of `replicate [n][m] v` are: v itself, or replicate [m] v. Not if v may be
/// updated.
std::optional<Exp> element_of_replicate(const Name& array, const Param& param,
                                        const Context& context) {
  const auto* replicate = context.defined_as<Replicate>(array);
  if (!replicate || !context.settled(replicate->value)) return std::nullopt;
  if (replicate->shape.size() > 1) {
    return Replicate{{replicate->shape.begin() + 1, replicate->shape.end()}, replicate->value};
  }
  if (!context.settled(param.name)) return std::nullopt;
  return AtomExp{replicate->value};
}

}  // namespace

// Before:  map2 f (replicate n x) ys
// After:   map (f x) ys
// Never:   where the lambda updates its element in place
RuleResult map_over_replicate(Stm& stm, Context& context) {
  const auto map = as_map_like(stm.exp);
  if (!map) return std::nullopt;
  Rewrite result;
  std::vector<bool> gone;
  std::vector<Stm> inside;
  for (std::size_t i = 0; i < map->arrays->size(); ++i) {
    const Param& param = map->fn->params[map->first_array() + i];
    auto exp = element_of_replicate((*map->arrays)[i], param, context);
    gone.push_back(exp.has_value());
    if (!exp) continue;
    Stm element = let({param.name, param.type}, std::move(*exp), stm);
    const bool is_copy = std::holds_alternative<AtomExp>(element.exp);
    (is_copy ? result : inside).push_back(std::move(element));
  }
  if (result.empty() && inside.empty()) return std::nullopt;
  erase_flagged(*map->arrays, gone);
  erase_flagged(map->fn->params, gone, map->first_array());
  auto& stms = map->fn->body.stms;
  stms.insert(stms.begin(), inside.begin(), inside.end());
  result.push_back(std::move(stm));
  return result;
}

// Before:  map2 (\x y -> f x y) xs xs
// After:   map (\x -> f x x) xs
RuleResult map_over_equal_arrays(Stm& stm, Context& context) {
  const auto map = as_map_like(stm.exp);
  if (!map) return std::nullopt;
  const std::vector<Name>& arrays = *map->arrays;
  std::vector<bool> again;
  std::vector<Stm> inside;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const auto first = std::find(arrays.begin(), arrays.end(), arrays[i]);
    const auto at = static_cast<std::size_t>(first - arrays.begin());
    again.push_back(at < i && context.settled(arrays[i]));
    if (!again.back()) continue;
    const Name same = map->fn->params[map->first_array() + at].name;
    inside.push_back(let(map->fn->params[map->first_array() + i], AtomExp{same}, stm));
  }
  if (inside.empty()) return std::nullopt;
  erase_flagged(*map->arrays, again);
  erase_flagged(map->fn->params, again, map->first_array());
  auto& stms = map->fn->body.stms;
  stms.insert(stms.begin(), inside.begin(), inside.end());
  return replaced(stm, std::move(stm.exp));
}

// Before:  map (\x -> (x, c, f x, f x)) xs
// After:   copy xs, replicate n c, map f xs, and a copy of that
RuleResult map_results_known(Stm& stm, Context&) {
  auto* map = std::get_if<Map>(&stm.exp);
  if (!map) return std::nullopt;
  const NameSet bound = bound_names(map->fn.body.stms);
  const std::vector<Atom>& results = map->fn.body.result;
  const std::size_t first = map->accumulators.size();
  std::vector<bool> known(results.size());
  Rewrite before, after;
  for (std::size_t i = first; i < results.size(); ++i) {
    const auto param = std::find_if(map->fn.params.begin(), map->fn.params.end(),
                                    [&](const Param& p) { return Atom(p.name) == results[i]; });
    const auto earlier = std::find(results.begin() + static_cast<std::ptrdiff_t>(first),
                                   results.begin() + static_cast<std::ptrdiff_t>(i), results[i]);
    const auto at = static_cast<std::size_t>(earlier - results.begin());
    known[i] = true;
    if (param != map->fn.params.end() && !param->unique) {
      const auto array = static_cast<std::size_t>(param - map->fn.params.begin()) - first;
      before.push_back(let(stm.pattern[i], Copy{map->arrays[array]}, stm));
    } else if (is_invariant(results[i], map->fn, bound)) {
      before.push_back(let(stm.pattern[i], Replicate{{map->width}, results[i]}, stm));
    } else if (at < i) {
      after.push_back(let(stm.pattern[i], Copy{stm.pattern[at].name}, stm));
    } else {
      known[i] = false;
    }
  }
  if (before.empty() && after.empty()) return std::nullopt;
  erase_flagged(map->fn.body.result, known);
  erase_flagged(map->fn.result_types, known);
  erase_flagged(stm.pattern, known);
  if (!stm.pattern.empty()) before.push_back(std::move(stm));
  before.insert(before.end(), after.begin(), after.end());
  return before;
}

// Before:  map over an accumulator that the lambda hands back as it was
// After:   the accumulator itself
RuleResult map_accumulator_unused(Stm& stm, Context&) {
  const auto map = as_map_like(stm.exp);
  if (!map || !map->accumulators) return std::nullopt;
  std::vector<bool> unused;
  Rewrite result;
  for (std::size_t i = 0; i < map->accumulators->size(); ++i) {
    unused.push_back(map->fn->body.result[i] == Atom(map->fn->params[i].name));
    if (unused.back()) result.push_back(let(stm.pattern[i], AtomExp{(*map->accumulators)[i]}, stm));
  }
  if (result.empty()) return std::nullopt;
  erase_flagged(*map->accumulators, unused);
  erase_flagged(map->fn->params, unused);
  erase_flagged(map->fn->body.result, unused);
  erase_flagged(map->fn->result_types, unused);
  erase_flagged(stm.pattern, unused);
  result.push_back(std::move(stm));
  return result;
}

// Before:  a map-reduce or map-scan whose operators all died
// After:   map
RuleResult empty_operators(Stm& stm, Context&) {
  if (auto* e = std::get_if<MapReduce>(&stm.exp); e && e->operators.empty()) {
    Map map{e->width, std::move(e->fn), std::move(e->arrays), std::move(e->accumulators)};
    return replaced(stm, std::move(map));
  }
  if (auto* e = std::get_if<MapScan>(&stm.exp); e && e->operators.empty()) {
    return replaced(stm, Map{e->width, std::move(e->fn), std::move(e->arrays), {}});
  }
  return std::nullopt;
}

}  // namespace boustro::simplify
