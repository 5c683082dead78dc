// Arrays that a map indexes by position: elements of one more input. Reads then need no index, and
// the adjoint of the array is a result of the map rather than an accumulator.
#include <algorithm>

#include "transform/ir/traversal.hpp"
#include "transform/simplify/rules.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

void collect_bound(const Body& body, NameSet& bound) {
  for (const Stm& stm : body.stms) {
    for (const Param& param : stm.pattern) bound.insert(param.name);
    for_each_lambda(stm.exp, [&](const Lambda& fn) {
      for (const Param& param : fn.params) bound.insert(param.name);
    });
    if (const auto* loop = std::get_if<Loop>(&stm.exp)) {
      for (const LoopParam& p : loop->params) bound.insert(p.param.name);
      if (const auto* form = std::get_if<ForLoop>(&loop->form)) bound.insert(form->index);
    }
    for_each_body(stm.exp, [&](const Body& inner) { collect_bound(inner, bound); });
  }
}

/// Reads of the form array[position, rest], rest made of indices that the map's body binds.
struct Reads {
  Reads(const Map& map, const Name& position, const Context& context)
      : map(map), position(position), context(context) {
    collect_bound(map.fn.body, bound);
    for (const Param& param : map.fn.params) params.insert(param.name);
  }

  bool matches(const Index& e) const {
    if (e.indices.empty() || e.indices[0] != DimIndex(Atom(position))) return false;
    if (bound.contains(e.array) || params.contains(e.array) || !context.settled(e.array))
      return false;
    if (context.names.type_of(e.array).shape[0] != map.width) return false;
    return std::all_of(e.indices.begin() + 1, e.indices.end(), [&](const DimIndex& index) {
      const Atom* atom = std::get_if<Atom>(&index);
      const Name* name = atom ? name_in(*atom) : nullptr;
      return name && bound.contains(*name);
    });
  }

  const Name* first_array(const Body& body) const {
    const Name* found = nullptr;
    for (const Stm& stm : body.stms) {
      const auto* e = std::get_if<Index>(&stm.exp);
      if (e && matches(*e)) return &e->array;
      for_each_body(stm.exp, [&](const Body& inner) {
        if (!found) found = first_array(inner);
      });
      if (found) return found;
    }
    return nullptr;
  }

  void replace(Body& body, const Name& array, const Name& element) const {
    for (Stm& stm : body.stms) {
      auto* e = std::get_if<Index>(&stm.exp);
      if (e && e->array == array && matches(*e)) {
        e->indices.erase(e->indices.begin());
        if (e->indices.empty())
          stm.exp = AtomExp{element};
        else
          e->array = element;
        continue;
      }
      map_bodies(stm.exp, [&](Body& inner) { replace(inner, array, element); });
    }
  }

  const Map& map;
  const Name& position;
  const Context& context;
  NameSet bound, params;
};

}  // namespace

// Before:  map (\i -> f xs[i]) (iota n)      (xs: [n]t)
// After:   map (\x -> f x) xs
// Never:   xss[i, 0]: the map would take a whole row for one element of it; yss[j, i] likewise in a
// map over j
RuleResult index_by_position(Stm& stm, Context& context) {
  auto* map = std::get_if<Map>(&stm.exp);
  if (!map) return std::nullopt;
  for (std::size_t i = 0; i < map->arrays.size(); ++i) {
    if (!context.defined_as<Iota>(map->arrays[i])) continue;
    const Name position = map->fn.params[map->accumulators.size() + i].name;
    const Reads reads(*map, position, context);
    const Name* found = reads.first_array(map->fn.body);
    if (!found) continue;
    const Name array = *found;
    const Param element =
        context.names.fresh_param(array.base, row_type(context.names.type_of(array)));
    reads.replace(map->fn.body, array, element.name);
    map->arrays.push_back(array);
    map->fn.params.push_back(element);
    return replaced(stm, std::move(stm.exp));
  }
  return std::nullopt;
}

}  // namespace boustro::simplify
