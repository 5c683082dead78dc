// Views of views.
#include <algorithm>
#include <numeric>

#include "transform/simplify/rules.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

bool is_scalar(const Atom& atom, const Context& context) {
  return context.names.type_of(atom).is_scalar();
}

/// What it takes and reads means the same wherever it stands.
bool can_move(const Map& map, const Context& context) {
  const auto is_settled = [&](const Name& name) { return context.settled(name); };
  const NameSet free = free_names(map.fn);
  return std::all_of(map.arrays.begin(), map.arrays.end(), is_settled) && std::all_of(free.begin(), free.end(), is_settled) &&
         std::all_of(map.fn.params.begin(), map.fn.params.end(), [&](const Param& param) { return is_settled(param.name); });
}

/// Maps inside each other, over arrays of these outer dimensions from number `depth` on.
Exp maps_over(const Shape& outer, std::size_t depth, const std::vector<Name>& arrays, const Lambda& fn, Names& names) {
  if (depth + 1 == outer.size()) return Map{outer[depth], rename(fn, names), arrays, {}};
  Lambda of_rows;
  std::vector<Name> rows;
  for (const Name& array : arrays) {
    const Type& type = names.type_of(array);
    of_rows.params.push_back(names.fresh_param(array.base, Type{type.elem, {type.shape.begin() + 1, type.shape.end()}}));
    rows.push_back(of_rows.params.back().name);
  }
  Exp map = maps_over(outer, depth + 1, rows, fn, names);
  const Type type = names.types_of(map)[0];
  const Name row = names.bind_fresh("row", type);
  of_rows.body = {{Stm{{Param{row, type}}, std::move(map), {}, {}}}, {row}};
  of_rows.result_types = {type};
  return Map{outer[depth], std::move(of_rows), arrays, {}};
}

}  // namespace

// Before:  transpose (transpose xss)      transpose (replicate n (replicate m x))
// After:   xss                            replicate m (replicate n x)
RuleResult rearrange_views(Stm& stm, Context& context) {
  auto* e = std::get_if<Rearrange>(&stm.exp);
  if (!e) return std::nullopt;
  std::vector<int> identity(e->permutation.size());
  std::iota(identity.begin(), identity.end(), 0);
  if (e->permutation == identity) return replaced(stm, AtomExp{Name(e->array)});
  if (const auto* inner = context.defined_as<Rearrange>(e->array)) {
    std::vector<int> composed;
    for (const int i : e->permutation) {
      composed.push_back(inner->permutation[static_cast<std::size_t>(i)]);
    }
    return replaced(stm, Rearrange{std::move(composed), inner->array});
  }
  const auto* replicate = context.defined_as<Replicate>(e->array);
  if (!replicate || !is_scalar(replicate->value, context)) return std::nullopt;
  Shape shape;
  for (const int i : e->permutation) shape.push_back(replicate->shape[static_cast<std::size_t>(i)]);
  return replaced(stm, Replicate{std::move(shape), replicate->value});
}

// Before:  unflatten n m (flatten xss)   (xss: [n][m]t)      flatten (replicate n (replicate m x))
// After:   xss                                               replicate nm x
RuleResult reshape_views(Stm& stm, Context& context) {
  auto* e = std::get_if<Reshape>(&stm.exp);
  if (!e) return std::nullopt;
  if (context.names.type_of(e->array).shape == e->shape)
    return replaced(stm, AtomExp{Name(e->array)});
  if (const auto* inner = context.defined_as<Reshape>(e->array)) {
    return replaced(stm, Reshape{e->shape, inner->array});
  }
  const auto* replicate = context.defined_as<Replicate>(e->array);
  if (!replicate || !is_scalar(replicate->value, context)) return std::nullopt;
  return replaced(stm, Replicate{e->shape, replicate->value});
}

// Before:  unflatten n m (map2 f (flatten xss) (flatten yss))       (xss, yss: [n][m]t)
// After:   map2 (map2 f) xss yss
// Applies  in derivatives; in programs, somebody wants it flat
// Never:   where the map has other uses
RuleResult map_between_views(Stm& stm, Context& context) {
  const auto* e = stm.origin.sweep == Sweep::none ? nullptr : std::get_if<Reshape>(&stm.exp);
  const Map* map = e ? context.defined_as<Map>(e->array) : nullptr;
  if (!map || !context.last_use_of_fresh(e->array) || !can_move(*map, context)) return std::nullopt;
  const Shape& element_of_result = map->fn.result_types[0].shape;
  if (e->shape.size() < element_of_result.size() + 2) return std::nullopt;
  const auto end_of_outer = e->shape.end() - static_cast<std::ptrdiff_t>(element_of_result.size());
  if (!std::equal(end_of_outer, e->shape.end(), element_of_result.begin())) return std::nullopt;
  const Shape outer(e->shape.begin(), end_of_outer);
  std::vector<Name> arrays;
  for (std::size_t i = 0; i < map->arrays.size(); ++i) {
    const auto* flat = context.defined_as<Reshape>(map->arrays[i]);
    Shape shape = outer;
    const Type& element = map->fn.params[i].type;
    shape.insert(shape.end(), element.shape.begin(), element.shape.end());
    if (!flat || context.names.type_of(flat->array).shape != shape) return std::nullopt;
    arrays.push_back(flat->array);
  }
  return replaced(stm, maps_over(outer, 0, arrays, map->fn, context.names));
}

// Before:  xs :> [n]t          (xs: [n]t)      (xs :> [m]t) :> [k]t
// After:   xs                                  xs :> [k]t
RuleResult coerce_views(Stm& stm, Context& context) {
  auto* e = std::get_if<Coerce>(&stm.exp);
  if (!e) return std::nullopt;
  if (context.names.type_of(e->array).shape == e->shape)
    return replaced(stm, AtomExp{Name(e->array)});
  const auto* inner = context.defined_as<Coerce>(e->array);
  if (!inner) return std::nullopt;
  return replaced(stm, Coerce{e->shape, inner->array});
}

// Before:  map (\xs -> flatten xs) xsss      map transpose xsss
// After:   flatten the inner dimensions      xsss with its inner dimensions transposed; copies of that, if anyone updates either
RuleResult map_of_views(Stm& stm, Context& context) {
  const auto* map = std::get_if<Map>(&stm.exp);
  if (!map || map->arrays.size() != 1 || !map->accumulators.empty() || map->fn.body.stms.size() != 1) return std::nullopt;
  const Stm& only = map->fn.body.stms[0];
  const Name& element = map->fn.params[0].name;
  if (map->fn.body.result != std::vector<Atom>{only.pattern[0].name}) return std::nullopt;
  std::optional<Exp> view;
  if (const auto* reshape = std::get_if<Reshape>(&only.exp); reshape && reshape->array == element) {
    Shape shape{map->width};
    shape.insert(shape.end(), reshape->shape.begin(), reshape->shape.end());
    view = Reshape{std::move(shape), map->arrays[0]};
  } else if (const auto* rearrange = std::get_if<Rearrange>(&only.exp); rearrange && rearrange->array == element) {
    std::vector<int> permutation{0};
    for (const int dimension : rearrange->permutation) permutation.push_back(dimension + 1);
    view = Rearrange{std::move(permutation), map->arrays[0]};
  }
  if (!view) return std::nullopt;
  if (context.settled(map->arrays[0]) && context.settled(stm.pattern[0].name)) return replaced(stm, std::move(*view));
  const Name viewed = context.names.bind_fresh(map->arrays[0].base, context.names.types_of(*view)[0]);
  Stm first = let({viewed, context.names.type_of(viewed)}, std::move(*view), stm);
  Rewrite result{std::move(first)};
  result.push_back(let(stm.pattern[0], Copy{viewed}, stm));
  return result;
}

}  // namespace boustro::simplify
