// Rows that are added somewhere else leave the map that also adds.
//
// Rule      (acc, rows) = map over i: (acc[c] += f i, g i); out[e] += rows
//           gives    acc = map over i: acc[c] += f i; rows = map over i: g i; out[e] += rows
// Applies   the rows have no other use. Also where the first map fills an accumulator of its own:
//           with_acc xs (\acc -> map ...)
// Cost      what both need is computed twice; then the rows are never stored, since spread_updates
//           adds each element where it is computed
// Source    derived here: mapped results do not depend on accumulators, which nobody reads
//
// Before:  let (xs, rows) = with_acc xs (\acc -> map (\acc y -> (update_acc acc [] (f y), g y)) acc
// ys)
//          in update_acc out [e] rows
// After:   let xs = with_acc xs (\acc -> map (\acc y -> update_acc acc [] (f y)) acc ys)
//          let rows = map g ys
//          in update_acc out [e] rows
#include <algorithm>
#include <optional>

#include "transform/fuse/fuse.hpp"
#include "transform/fuse/row_updates.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::fuse {

using namespace ir;

namespace {

std::optional<Position> position_of(const std::vector<Param>& params, const Name& name) {
  for (Position i = 0; i < params.size(); ++i) {
    if (params[i].name == name) return i;
  }
  return std::nullopt;
}

bool any_accumulator(const std::vector<Param>& params) {
  return std::any_of(params.begin(), params.end(),
                     [](const Param& param) { return param.type.accumulator; });
}

int count_uses(const Body& body, const Name& name) {
  int count = 0;
  for (const Stm& stm : body.stms) count += free_names(stm).contains(name) ? 1 : 0;
  for (const Atom& atom : body.result) count += atom == Atom(name) ? 1 : 0;
  return count;
}

/// The lambda without accumulators, yielding one of its elements; nothing if that takes statements
/// that also add.
std::optional<Lambda> only_result(const Map& map, Position result, const facts::Callees& callees) {
  Lambda fn;
  const auto first = static_cast<std::ptrdiff_t>(map.accumulators.size());
  fn.params = {map.fn.params.begin() + first, map.fn.params.end()};
  fn.body.result = {map.fn.body.result[result]};
  fn.result_types = {map.fn.result_types[result]};
  NameSet wanted;
  if (const Name* name = name_in(fn.body.result[0])) wanted.insert(*name);
  for (Position i = map.fn.body.stms.size(); i-- > 0;) {
    const Stm& stm = map.fn.body.stms[i];
    const bool needed = std::any_of(stm.pattern.begin(), stm.pattern.end(),
                                    [&](const Param& p) { return wanted.contains(p.name); });
    if (!needed) continue;
    if (any_accumulator(stm.pattern) || !facts::consumed_by(stm.exp, callees).empty()) return std::nullopt;
    wanted.merge(free_names(stm));
    fn.body.stms.insert(fn.body.stms.begin(), stm);
  }
  return fn;
}

template <typename T>
void erase_at(std::vector<T>& list, Position at) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
}

/// Takes a mapped result out of a map that also adds; yields the map of that result alone.
std::optional<Map> take_result(Stm& stm, const Name& rows, const facts::Callees& callees, Names& names) {
  auto* map = std::get_if<Map>(&stm.exp);
  const auto at = position_of(stm.pattern, rows);
  if (!map || map->accumulators.empty() || !at || *at < map->accumulators.size())
    return std::nullopt;
  auto fn = only_result(*map, *at, callees);
  if (!fn) return std::nullopt;
  Map alone{map->width, rename(*fn, names), map->arrays, {}};
  erase_at(stm.pattern, *at);
  erase_at(map->fn.body.result, *at);
  erase_at(map->fn.result_types, *at);
  return alone;
}

/// The same where the map is in a with_acc, whose result the rows are.
std::optional<Map> take_from_with_acc(Stm& stm, const Name& rows, const facts::Callees& callees, Names& names) {
  auto* with_acc = std::get_if<WithAcc>(&stm.exp);
  const auto at = position_of(stm.pattern, rows);
  if (!with_acc || !at || *at < with_acc->inputs.size()) return std::nullopt;
  Body& body = with_acc->fn.body;
  const Name* inside = name_in(body.result[*at]);
  if (!inside || count_uses(body, *inside) != 1) return std::nullopt;
  NameSet bound;
  for (const Stm& inner : body.stms) {
    for (const Param& param : inner.pattern) bound.insert(param.name);
  }
  for (Stm& inner : body.stms) {
    Stm changed = inner;
    auto alone = take_result(changed, *inside, callees, names);
    if (!alone) continue;
    const NameSet free = free_names(Exp(*alone));
    const bool visible = std::none_of(free.begin(), free.end(),
                                      [&](const Name& name) { return bound.contains(name); });
    if (!visible) return std::nullopt;
    inner = std::move(changed);
    erase_at(stm.pattern, *at);
    erase_at(body.result, *at);
    erase_at(with_acc->fn.result_types, *at);
    return alone;
  }
  return std::nullopt;
}

void split(Body& body, const facts::Callees& callees, Names& names) {
  for (Position i = 0; i < body.stms.size(); ++i) {
    const std::vector<Param> pattern = body.stms[i].pattern;
    for (const Param& param : pattern) {
      const bool added = std::any_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
        const auto* update = std::get_if<UpdateAcc>(&stm.exp);
        return update && update->value == Atom(param.name);
      });
      if (!added || param.type.is_scalar() || count_uses(body, param.name) != 1) continue;
      auto alone = take_result(body.stms[i], param.name, callees, names);
      if (!alone) alone = take_from_with_acc(body.stms[i], param.name, callees, names);
      if (!alone) continue;
      const Provenance origin = body.stms[i].origin;
      body.stms.insert(body.stms.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                       Stm{{param}, std::move(*alone), origin, {}});
    }
  }
  for (Stm& stm : body.stms) {
    map_bodies(stm.exp, [&](Body& inner) { split(inner, callees, names); });
  }
}

}  // namespace

Program split_updates(Program program) {
  Names names(program);
  const facts::Callees callees(program);
  for (Function& function : program.functions) split(function.body, callees, names);
  return program;
}

}  // namespace boustro::fuse
