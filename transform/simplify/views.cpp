// Views of views.
#include <numeric>

#include "transform/simplify/rules.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

bool is_scalar(const Atom& atom, const Context& context) {
  return context.names.type_of(atom).is_scalar();
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
