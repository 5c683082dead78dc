#include "transform/contract/path.hpp"

#include <algorithm>

#include "transform/facts/history.hpp"

namespace boustro::contract {

using namespace ir;

std::optional<Adding> adding(Stm& stm) {
  std::optional<Adding> result;
  if (auto* e = std::get_if<Map>(&stm.exp)) result = {e->width, &e->fn, &e->arrays, &e->accumulators};
  if (auto* e = std::get_if<MapReduce>(&stm.exp)) result = {e->width, &e->fn, &e->arrays, &e->accumulators};
  return result && !result->accumulators->empty() ? result : std::nullopt;
}

std::optional<std::size_t> input_of(const Path& path, const WithAcc& with) {
  const auto number = [](const std::vector<Param>& params, const Body& body, const Name& accumulator) {
    const auto origin = facts::History(facts::accumulator_before).origin(body.stms, accumulator);
    const auto found = std::find_if(params.begin(), params.end(), [&](const Param& p) { return p.name == origin; });
    return found == params.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - params.begin()));
  };
  Name accumulator = std::get<UpdateAcc>(path.update().exp).accumulator;
  for (std::size_t level = path.maps.size(); level-- > 0;) {
    const Adding map = *adding(*path.maps[level]);
    const auto at = number(map.fn->params, map.fn->body, accumulator);
    if (!at || *at >= map.accumulators->size()) return std::nullopt;
    accumulator = (*map.accumulators)[*at];
  }
  return number(with.fn.params, with.fn.body, accumulator);
}

bool is_untouched(const WithAcc& with, std::size_t input, const Path& path) {
  const Lambda* fn = &with.fn;
  std::size_t place = input;
  for (Stm* stm : path.maps) {
    const Adding map = *adding(*stm);
    const auto passed = std::find(map.accumulators->begin(), map.accumulators->end(), fn->params[place].name);
    const auto inside = static_cast<std::size_t>(passed - map.accumulators->begin());
    if (passed == map.accumulators->end() || fn->body.result[place] != Atom(stm->pattern[inside].name)) return false;
    fn = map.fn;
    place = inside;
  }
  return fn->body.result[place] == Atom(fn->params[place].name);
}

}  // namespace boustro::contract
