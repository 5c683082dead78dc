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

}  // namespace boustro::simplify
