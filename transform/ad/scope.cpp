#include "transform/ad/scope.hpp"

#include <algorithm>

#include "transform/ad/assertions.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

using Dropped = std::function<bool(const Param&)>;

/// Removes what binds these, out of branches, loops and maps too.
void drop(std::vector<Stm>& stms, const Dropped& dropped);

/// Removes the elements of `list` at which `drop` holds.
template <typename T>
void erase_where(std::vector<T>& list, const std::vector<bool>& drop) {
  std::size_t i = 0;
  std::erase_if(list, [&](const T&) { return i < drop.size() && drop[i++]; });
}

void drop_from_loop(Stm& stm, Loop& loop, const Dropped& dropped) {
  std::vector<bool> here;
  for (std::size_t i = 0; i < loop.params.size(); ++i)  // the parameters of a loop that was replaced have other names
    here.push_back(dropped(loop.params[i].param) || dropped(stm.pattern[i]));
  erase_where(loop.params, here);
  erase_where(loop.body.result, here);
  erase_where(stm.pattern, here);
  drop(loop.body.stms, dropped);
}

void drop_from_if(Stm& stm, If& e, const Dropped& dropped) {
  std::vector<bool> here;
  for (const Param& p : stm.pattern) here.push_back(dropped(p));
  for (Body* body : {&e.then_body, &e.else_body}) {
    erase_where(body->result, here);
    drop(body->stms, dropped);
  }
  erase_where(stm.pattern, here);
}

void drop_from_map(Stm& stm, Map& map, const Dropped& dropped) {
  const auto count = static_cast<std::ptrdiff_t>(map.accumulators.size());
  map.accumulators.clear();
  const auto drop_first = [count](auto& list) { list.erase(list.begin(), list.begin() + count); };
  drop_first(map.fn.params);
  drop_first(map.fn.body.result);
  drop_first(map.fn.result_types);
  drop_first(stm.pattern);
  drop(map.fn.body.stms, dropped);
}

void drop(std::vector<Stm>& stms, const Dropped& dropped) {
  const auto yields_some = [&](const Stm& stm) { return std::any_of(stm.pattern.begin(), stm.pattern.end(), dropped); };
  for (Stm& stm : stms) {
    if (!yields_some(stm)) continue;
    if (auto* loop = std::get_if<Loop>(&stm.exp))
      drop_from_loop(stm, *loop, dropped);
    else if (auto* e = std::get_if<If>(&stm.exp))
      drop_from_if(stm, *e, dropped);
    else if (auto* map = std::get_if<Map>(&stm.exp))
      drop_from_map(stm, *map, dropped);
  }
  std::erase_if(stms, yields_some);
}

/// Removes accumulators that come from outside: their updates belong to the first execution.
void drop_accumulators(std::vector<Stm>& stms) {
  drop(stms, [](const Param& p) { return p.type.accumulator; });
}

/// Removes what makes versions of arrays that are read in their last one instead.
void read_finals(const Substitution& finals, std::vector<Stm>& stms, NameSet& needed) {
  drop(stms, [&](const Param& p) { return finals.contains(p.name); });
  for (Stm& stm : stms) substitute(stm, finals);
  for (const auto& [version, last] : finals)
    if (needed.erase(version) > 0) needed.insert(std::get<Name>(last));
}

void mark_reexecuted(std::vector<Stm>& stms) {
  for (Stm& stm : stms) {
    if (stm.origin.sweep == Sweep::none) stm.origin.sweep = Sweep::forward;
    map_bodies(stm.exp, [](Body& body) { mark_reexecuted(body.stms); });
  }
}

}  // namespace

namespace {

std::vector<Stm> part_for(const std::vector<Stm>& stms, NameSet& needed, bool with_assertions) {
  std::vector<Stm> part;
  for (auto stm = stms.rbegin(); stm != stms.rend(); ++stm) {
    const bool is_needed = std::any_of(stm->pattern.begin(), stm->pattern.end(),
                                       [&](const Param& p) { return needed.contains(p.name); });
    if (!is_needed && !(with_assertions && std::holds_alternative<Assert>(stm->exp))) continue;
    for (const Param& p : stm->pattern) needed.erase(p.name);
    needed.merge(free_names(*stm));
    part.push_back(*stm);
  }
  std::reverse(part.begin(), part.end());
  return part;
}

}  // namespace

std::vector<Stm> needed_part(const std::vector<Stm>& stms, NameSet& needed) {
  return part_for(stms, needed, false);
}

std::vector<Stm> reexecution(Reverse& context, const std::vector<Stm>& forward,
                             const std::vector<Stm>& reverse, NameSet& needed) {
  needed.merge(free_names(Body{reverse, {}}));
  std::vector<Stm> stms = forward;
  drop_accumulators(stms);
  read_finals(context.finals, stms, needed);
  drop_assertions(stms, needed);
  stms = part_for(stms, needed, true);
  mark_reexecuted(stms);
  return stms;
}

std::vector<Name> consumed_from_outside(const Reverse& context, const std::vector<Stm>& stms) {
  return facts::consumed_by(stms, context.derivation.callees);
}

Body closed(Reverse& context, Body body, const NameSet& owned) {
  Builder copies(context.names, body.stms.empty() ? Provenance{} : body.stms.front().origin);
  Substitution substitution;
  for (const Name& name : consumed_from_outside(context, body.stms)) {
    if (owned.contains(name) || substitution.contains(name)) continue;
    substitution.emplace(name, fresh_copy(copies, name.base, name));
  }
  substitute(body, substitution);
  copies.stms.insert(copies.stms.end(), body.stms.begin(), body.stms.end());
  body.stms = std::move(copies.stms);
  return rename(body, context.names);
}

Lambda closed(Reverse& context, Lambda lambda, const NameSet& owned) {
  lambda.body = closed(context, std::move(lambda.body), owned);
  return rename(lambda, context.names);
}

std::vector<Name> active_free_names(const Reverse& context, const Body& body,
                                    const NameSet& bound) {
  std::vector<Name> result;
  for (const Name& name : free_names_in_order(body)) {
    if (bound.contains(name) || !context.activity.active(name)) continue;
    if (context.names.type_of(name).accumulator) continue;
    result.push_back(name);
  }
  return result;
}

bool is_closed_type(const Type& type, const NameSet& bound) {
  return std::none_of(type.shape.begin(), type.shape.end(), [&](const Atom& size) {
    const Name* name = name_in(size);
    return name && bound.contains(*name);
  });
}

void bind_as(Builder& builder, const Param& param, const Atom& atom) {
  const Name* name = name_in(atom);
  const bool same = !name || builder.names.type_of(*name).shape == param.type.shape;
  if (same)
    builder.let({param}, AtomExp{atom});
  else
    builder.let({param}, Coerce{param.type.shape, *name});
}

}  // namespace boustro::ad
