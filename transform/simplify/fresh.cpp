// Arrays made of one value, and copies of what nobody else has.
#include <algorithm>

#include "transform/simplify/rules.hpp"

namespace boustro::simplify {

using namespace ir;

// Before:  let ys = map f xs  let zs = copy ys     (the only use of ys)      copy (replicate n x)
// After:   let zs = map f xs                                                 replicate n x
//          Also where neither array is ever updated.
RuleResult copy_of_fresh(Stm& stm, Context& context) {
  const auto* e = std::get_if<Copy>(&stm.exp);
  if (!e) return std::nullopt;
  const Name array = e->array;
  if (context.copy_may_be(stm.pattern[0].name, array)) return replaced(stm, AtomExp{array});
  if (context.last_use_of_fresh(array)) {
    context.give_away(array);
    return replaced(stm, AtomExp{array});
  }
  const auto* replicate = context.defined_as<Replicate>(array);
  if (!replicate || !context.settled(replicate->value)) return std::nullopt;
  return replaced(stm, Replicate(*replicate));
}

// Before:  let xs = replicate m x  let xss = replicate n xs
// After:   let xss = replicate n (replicate m x)
RuleResult nested_replicate(Stm& stm, Context& context) {
  auto* e = std::get_if<Replicate>(&stm.exp);
  if (!e) return std::nullopt;
  if (e->shape.empty() && context.settled(stm.pattern[0].name) && context.settled(e->value)) {
    return replaced(stm, AtomExp{Atom(e->value)});
  }
  const auto* inner = context.defined_as<Replicate>(e->value);
  if (!inner || !context.settled(inner->value)) return std::nullopt;
  Shape shape = e->shape;
  shape.insert(shape.end(), inner->shape.begin(), inner->shape.end());
  return replaced(stm, Replicate{std::move(shape), inner->value});
}

// Before:  concat of xs alone, or of xs and an empty array
// After:   copy xs
RuleResult single_concat(Stm& stm, Context& context) {
  auto* e = std::get_if<Concat>(&stm.exp);
  if (!e) return std::nullopt;
  const auto is_empty = [&](const Name& array) {
    return is_literal(context.names.type_of(array).shape[0], 0);
  };
  const std::size_t before = e->arrays.size();
  const Name first = e->arrays[0];
  std::erase_if(e->arrays, is_empty);
  if (e->arrays.empty()) e->arrays.push_back(first);
  if (e->arrays.size() == before && before != 1) return std::nullopt;
  const Name only = e->arrays[0];
  const bool is_copy = e->arrays.size() == 1 && context.names.type_of(only).shape[0] == e->width;
  if (is_copy) return replaced(stm, Copy{only});
  if (e->arrays.size() == before) return std::nullopt;
  return replaced(stm, std::move(*e));
}

// Before:  [x, x, x]
// After:   replicate 3 x
RuleResult literal_of_equal_elements(Stm& stm, Context&) {
  const auto* e = std::get_if<ArrayLiteral>(&stm.exp);
  if (!e || e->elements.size() < 2) return std::nullopt;
  const Atom first = e->elements[0];
  const bool equal = std::all_of(e->elements.begin(), e->elements.end(),
                                 [&](const Atom& atom) { return atom == first; });
  if (!equal) return std::nullopt;
  return replaced(stm, Replicate{{int_atom(static_cast<std::int64_t>(e->elements.size()))}, first});
}

}  // namespace boustro::simplify
