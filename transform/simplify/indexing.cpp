// Reading elements: straight from where they come from, rather than through an array in between.
#include <algorithm>

#include "transform/simplify/rules.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

Index* as_index(Stm& stm) { return std::get_if<Index>(&stm.exp); }

bool all_atoms(const std::vector<DimIndex>& indices) {
  return std::all_of(indices.begin(), indices.end(),
                     [](const DimIndex& index) { return std::holds_alternative<Atom>(index); });
}

const Atom* atom_at(const Index& e, std::size_t dimension) {
  return dimension < e.indices.size() ? std::get_if<Atom>(&e.indices[dimension]) : nullptr;
}

/// The indices of all dimensions.
std::vector<DimIndex> completed(const Index& e, const Type& type) {
  std::vector<DimIndex> indices = e.indices;
  for (std::size_t i = indices.size(); i < type.shape.size(); ++i)
    indices.push_back(whole(type.shape[i]));
  return indices;
}

}  // namespace

// Before:  xs[i]      xs[1:3]          (checked; i is the index of a loop or map over n, xs: [n]t; or xs: [4]t)
// After:   xs[i]      xs[1:3]          (without a check)
RuleResult index_in_bounds(Stm& stm, Context& context) {
  Index* e = as_index(stm);
  if (!e || !e->checked || !context.in_bounds(e->indices, e->array)) return std::nullopt;
  e->checked = false;
  return replaced(stm, std::move(*e));
}

// Before:  xs with [i] = v             (checked, likewise)
// After:   xs with [i] = v             (without a check)
RuleResult update_in_bounds(Stm& stm, Context& context) {
  auto* e = std::get_if<Update>(&stm.exp);
  if (!e || !e->checked || !context.in_bounds(e->indices, e->array)) return std::nullopt;
  e->checked = false;
  return replaced(stm, std::move(*e));
}

// Before:  let ys = xs[0:n]            (xs: [n]t)
// After:   let ys = xs
RuleResult index_whole(Stm& stm, Context& context) {
  Index* e = as_index(stm);
  if (!e) return std::nullopt;
  const Type& type = context.names.type_of(e->array);
  while (!e->indices.empty() && is_whole(e->indices.back(), type.shape[e->indices.size() - 1])) {
    e->indices.pop_back();
  }
  if (!e->indices.empty()) return std::nullopt;
  const Name array = e->array;
  return replaced(stm, AtomExp{array});
}

// Before:  let xs = replicate n v  let y = xs[i]      let xs = iota n  let y = xs[i]
// After:   let y = v                                  let y = i
//          Likewise [x, y, z][1]. An index out of bounds stays to be found.
RuleResult index_of_constructor(Stm& stm, Context& context) {
  Index* e = as_index(stm);
  if (!e || !all_atoms(e->indices)) return std::nullopt;
  if (const auto* iota = context.defined_as<Iota>(e->array)) {
    const Atom i = *atom_at(*e, 0);
    if (e->checked && !context.in_bounds(i, iota->width)) return std::nullopt;
    return replaced(stm, AtomExp{i});
  }
  if (e->checked && !context.in_bounds(e->indices, e->array)) return std::nullopt;
  if (const auto* replicate = context.defined_as<Replicate>(e->array)) {
    if (!context.settled(replicate->value)) return std::nullopt;
    const std::size_t given = e->indices.size(), outer = replicate->shape.size();
    if (given == outer && context.settled(stm.pattern[0].name)) {
      return replaced(stm, AtomExp{replicate->value});
    }
    if (given < outer) {
      return replaced(stm, Replicate{{replicate->shape.begin() + static_cast<std::ptrdiff_t>(given),
                                      replicate->shape.end()},
                                     replicate->value});
    }
    const Name* array = name_in(replicate->value);
    if (given == outer || !array) return std::nullopt;
    return replaced(
        stm, Index{*array,
                   {e->indices.begin() + static_cast<std::ptrdiff_t>(outer), e->indices.end()},
                   false});
  }
  const auto* literal = context.defined_as<ArrayLiteral>(e->array);
  const PrimValue* position = literal ? literal_in(*atom_at(*e, 0)) : nullptr;
  if (!position || position->as_int() < 0) return std::nullopt;
  const auto at = static_cast<std::size_t>(position->as_int());
  const bool applies = at < literal->elements.size() && context.settled(literal->elements[at]) &&
                       context.settled(stm.pattern[0].name);
  if (!applies) return std::nullopt;
  const Atom element = literal->elements[at];
  if (e->indices.size() == 1) return replaced(stm, AtomExp{element});
  return replaced(stm, Index{std::get<Name>(element), {e->indices.begin() + 1, e->indices.end()}, false});
}

// Before:  let xs = replicate n v  let ys = xs[a:b]      (in bounds)
// After:   let ys = replicate m v
RuleResult slice_of_replicate(Stm& stm, Context& context) {
  const Index* e = as_index(stm);
  if (!e || e->checked || all_atoms(e->indices)) return std::nullopt;
  const auto* replicate = context.defined_as<Replicate>(e->array);
  if (!replicate || !context.names.type_of(replicate->value).is_scalar()) return std::nullopt;
  return replaced(stm, Replicate{stm.pattern[0].type.shape, replicate->value});
}

// Before:  let yss = transpose xss  let y = yss[i, j]      let ys = xs :> [m]t  let y = ys[i]
// After:   let y = xss[j, i]                               let y = xs[i]
// Never:   where the dimensions that remain would have to change places; xs :> [m]t where the index is in range because of it: the coercion
//          is what checks that xs has m elements, and would go with its last use
RuleResult index_of_view(Stm& stm, Context& context) {
  Index* e = as_index(stm);
  if (!e) return std::nullopt;
  if (const auto* coerce = context.defined_as<Coerce>(e->array)) {
    if (!stm.pattern[0].type.is_scalar() || !e->checked) return std::nullopt;
    return replaced(stm, Index{coerce->array, e->indices, e->checked});
  }
  const auto* rearrange = context.defined_as<Rearrange>(e->array);
  if (!rearrange) return std::nullopt;
  const std::vector<DimIndex> indices = completed(*e, context.names.type_of(e->array));
  std::vector<DimIndex> permuted(indices.size());
  int last = -1;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const int to = rearrange->permutation[i];
    permuted[static_cast<std::size_t>(to)] = indices[i];
    if (std::holds_alternative<Atom>(indices[i])) continue;
    if (to < last) return std::nullopt;
    last = to;
  }
  return replaced(stm, Index{rearrange->array, std::move(permuted), e->checked});
}

// Before:  let xs = xss[i]  let y = xs[j]      let ys = xs[a:b]  let y = ys[j]   (unchecked)
// After:   let y = xss[i, j]                   let y = xs[a + j]
// Never:   checked indices into a slice, whose bounds are narrower than those of the array
RuleResult index_of_slice(Stm& stm, Context& context) {
  Index* e = as_index(stm);
  const auto* outer = e ? context.defined_as<Index>(e->array) : nullptr;
  if (!outer) return std::nullopt;
  const bool outer_slices = !all_atoms(outer->indices);
  if (outer_slices && (!all_atoms(e->indices) || (e->checked && !context.in_bounds(e->indices, e->array)))) {
    return std::nullopt;
  }
  Builder builder(context.names, stm.origin);
  std::vector<DimIndex> indices;
  std::size_t used = 0;
  for (const DimIndex& index : outer->indices) {
    const auto* slice = std::get_if<Slice>(&index);
    const Atom* at = slice ? atom_at(*e, used) : nullptr;
    if (slice) ++used;
    if (!slice || !at) {
      indices.push_back(index);
      continue;
    }
    const Atom step = builder.binop("offset", BinOpKind::mul, *at, slice->stride);
    indices.push_back(builder.binop("position", BinOpKind::add, slice->start, step));
  }
  for (; used < e->indices.size(); ++used) indices.push_back(e->indices[used]);
  return replaced(stm, Index{outer->array, std::move(indices), e->checked || outer->checked},
                  builder);
}

// Before:  let zs = xs ++ ys  let us = zs[0:n]      (xs: [n]t)
// After:   let us = xs
RuleResult index_of_concat(Stm& stm, Context& context) {
  Index* e = as_index(stm);
  const auto* concat = e ? context.defined_as<Concat>(e->array) : nullptr;
  if (!concat || e->indices.size() != 1 || !context.settled(stm.pattern[0].name))
    return std::nullopt;
  const auto* slice = std::get_if<Slice>(&e->indices[0]);
  if (!slice || !is_literal(slice->stride, 1)) return std::nullopt;
  const auto width = [&](std::size_t i) {
    return context.names.type_of(concat->arrays[i]).shape[0];
  };
  const auto is = [&](std::size_t i, const Atom& start) {
    return slice->start == start && slice->count == width(i) && context.settled(concat->arrays[i]);
  };
  if (is(0, int_atom(0))) {
    const Name first = concat->arrays[0];
    return replaced(stm, AtomExp{first});
  }
  if (concat->arrays.size() >= 2 && is(1, width(0))) {
    const Name second = concat->arrays[1];
    return replaced(stm, AtomExp{second});
  }
  return std::nullopt;
}

// Before:  let ys = xs with [i] = v  let y = ys[i]
// After:   let y = v
RuleResult index_of_update(Stm& stm, Context& context) {
  Index* e = as_index(stm);
  const auto* update = e ? context.defined_as<Update>(e->array) : nullptr;
  if (!update || update->indices != e->indices) return std::nullopt;
  if (!context.settled(update->value) || !context.settled(stm.pattern[0].name)) return std::nullopt;
  const Atom value = update->value;
  return replaced(stm, AtomExp{value});
}

namespace {

/// The update that made an array which only the statement at hand uses.
const Update* update_for_this(const Name& array, const Context& context) {
  return context.last_use_of_fresh(array) ? context.defined_as<Update>(array) : nullptr;
}

}  // namespace

// Before:  let as = xs with [i] = u  let bs = as with [j] = v  let ys = bs with [i] = w
// After:   let bs = xs with [j] = v  let ys = bs with [i] = w
// Never:   where as or bs is used otherwise, or the first update finds out that i is out of bounds, which others rely on
RuleResult update_overwritten(Stm& stm, Context& context) {
  const auto* e = std::get_if<Update>(&stm.exp);
  if (!e) return std::nullopt;
  std::vector<Update> between;  // the last one first
  const Update* before = update_for_this(e->array, context);
  while (before && before->indices != e->indices && context.settled(before->value)) {
    between.push_back(*before);
    before = update_for_this(before->array, context);
  }
  if (!before || before->indices != e->indices || before->checked) return std::nullopt;
  Rewrite updates;
  Name array = before->array;
  for (; !between.empty(); between.pop_back()) {
    between.back().array = array;
    const Param result = context.names.fresh_param(array.base, context.names.type_of(array));
    updates.push_back(let(result, std::move(between.back()), stm));
    array = result.name;
    context.give_away(array);
  }
  Update last = *e;
  last.array = array;
  for (Stm& statement : replaced(stm, std::move(last))) updates.push_back(std::move(statement));
  return updates;
}

// Before:  let ys = xs with [0:n] = vs     (xs: [n]t)
// After:   let ys = copy vs
RuleResult update_whole(Stm& stm, Context& context) {
  const auto* e = std::get_if<Update>(&stm.exp);
  if (!e) return std::nullopt;
  const Type& type = context.names.type_of(e->array);
  for (std::size_t i = 0; i < e->indices.size(); ++i) {
    if (!is_whole(e->indices[i], type.shape[i])) return std::nullopt;
  }
  const Name* value = name_in(e->value);
  if (!value || context.names.type_of(*value) != type) return std::nullopt;
  return replaced(stm, Copy{*value});
}

}  // namespace boustro::simplify
