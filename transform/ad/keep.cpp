#include "transform/ad/keep.hpp"

#include <algorithm>

#include "transform/facts/sizes.hpp"
#include "transform/ir/nest.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// Dimensions of an array, outside of all maps, that is kept to save one power of the sizes.
constexpr int max_rank_of_cheap = 2;

/// What inner loops yield, over what is kept of a step anyway. Arrays that they update are among both: what is read of these turns out,
/// mostly, to be what was saved, so that in the end less is kept.
constexpr int most_for_loops = 4;

int work_rank(const FunctionTable& functions, const std::vector<Stm>& stms) {
  int rank = 0;
  for (const Stm& stm : stms) rank = std::max(rank, ad::work_rank(functions, stm.exp));
  return rank;
}

bool can_be_kept(const std::vector<Param>& results, const NameSet& bound) {
  return std::all_of(results.begin(), results.end(), [&](const Param& p) {
    return !p.type.accumulator && is_closed_type(p.type, bound);
  });
}

bool is_worth_keeping(const Reverse& context, const Stm& stm, const std::vector<Param>& results) {
  if (has_attribute(stm, "recompute")) return false;
  int rank = 0;
  for (const Param& p : results) rank = std::max(rank, p.type.rank());
  const int saved = work_rank(context.derivation.functions, stm.exp) - rank;
  return saved > 1 || (saved == 1 && context.map_depth + rank <= max_rank_of_cheap);
}

/// Integers that are computed from nothing that the scope binds, such as sizes of inner loops'
/// states.
std::vector<Stm> invariant_sizes(const std::vector<Stm>& stms, NameSet bound) {
  std::vector<Stm> result;
  for (const Stm& stm : stms) {
    const bool is_size = stm.pattern.size() == 1 && stm.pattern[0].type == scalar(PrimType::i64);
    const NameSet used = free_names(stm);
    const bool varies = std::any_of(used.begin(), used.end(),
                                    [&](const Name& name) { return bound.contains(name); });
    if (!is_size || varies || may_fail(stm.exp)) continue;
    bound.erase(stm.pattern[0].name);
    result.push_back(stm);
  }
  return result;
}

/// Of these the ones that types of the names mention, and those on which they depend.
std::vector<Stm> mentioned(const Names& names, const std::vector<Name>& kept,
                           const std::vector<Stm>& sizes) {
  NameSet needed;
  for (const Name& name : kept)
    for (const Atom& size : names.type_of(name).shape)
      if (const Name* n = name_in(size)) needed.insert(*n);
  return needed_part(sizes, needed);
}

/// What is kept without being asked for.
enum class Also { what_is_worth_it, loops, nothing };

bool is_kept_also(Also also, const Reverse& context, const Stm& stm, const std::vector<Param>& results) {
  switch (also) {
    case Also::what_is_worth_it: return is_worth_keeping(context, stm, results);
    case Also::loops: return std::holds_alternative<Loop>(stm.exp) && !has_attribute(stm, "recompute");
    case Also::nothing: return false;
  }
  return false;
}

Kept choose(const Reverse& context, const std::vector<Stm>& forward, const Body& reverse,
            const NameSet& bound, Also also) {
  NameSet needed = free_names(reverse);
  Kept kept;
  const std::vector<Stm> sizes = invariant_sizes(forward, bound);
  NameSet varying = bound;
  for (const Stm& size : sizes) varying.erase(size.pattern[0].name);
  for (auto stm = forward.rbegin(); stm != forward.rend(); ++stm) {
    std::vector<Param> results;
    for (const Param& p : stm->pattern)
      if (needed.contains(p.name)) results.push_back(p);
    if (results.empty()) continue;
    const bool asked = has_attribute(*stm, "keep");
    const bool wanted = asked || is_kept_also(also, context, *stm, results);
    if (wanted && can_be_kept(results, asked || also == Also::loops ? varying : bound)) {
      for (const Param& p : results) kept.names.push_back(p.name);
      kept.asked = kept.asked || asked;
    } else {
      needed.merge(free_names(*stm));
    }
  }
  std::reverse(kept.names.begin(), kept.names.end());
  kept.sizes = mentioned(context.names, kept.names, sizes);
  return kept;
}

Kept traced(const Reverse& context, const std::vector<Stm>& forward, Kept kept) {
  const NameSet names(kept.names.begin(), kept.names.end());
  for (const Stm& stm : forward)
    if (std::any_of(stm.pattern.begin(), stm.pattern.end(), [&](const Param& p) { return names.contains(p.name); }))
      context.derivation.trace("keep", stm);
  return kept;
}

/// Where it is empty, it does not matter what is kept.
void declare_not_empty(const Type& type, facts::Sizes& sizes) {
  for (const Atom& size : type.shape)
    if (const Name* name = name_in(size)) sizes.declare_size(*name, 1);
}

/// How often a loop runs is not negative.
void define_size(const Stm& stm, facts::Sizes& sizes) {
  const auto* op = std::get_if<BinOp>(&stm.exp);
  if (op && op->kind == BinOpKind::max) declare_not_empty({PrimType::i64, {op->lhs, op->rhs}}, sizes);
  sizes.define(stm);
}

facts::Polynomial elements(const std::vector<Type>& types, const facts::Sizes& sizes) {
  facts::Polynomial total(0);
  for (const Type& type : types) {
    facts::Polynomial product(1);
    for (const Atom& size : type.shape) product = product * sizes.value(size);
    total = total + product;
  }
  return total;
}

}  // namespace

Kept choose_kept(const Reverse& context, const std::vector<Stm>& forward, const Body& reverse,
                 const NameSet& bound) {
  return traced(context, forward, choose(context, forward, reverse, bound, Also::what_is_worth_it));
}

Kept kept_of_step(const Reverse& context, const std::vector<Stm>& forward, const Body& reverse,
                  const NameSet& bound, bool loops) {
  return traced(context, forward, choose(context, forward, reverse, bound, loops ? Also::loops : Also::nothing));
}

bool loops_pay(const Reverse& context, const std::vector<Stm>& forward, const Body& reverse,
               const NameSet& bound, const std::vector<Type>& states,
               const std::vector<Stm>& statements) {
  const Kept kept = choose(context, forward, reverse, bound, Also::loops);
  if (kept.names.empty()) return false;
  std::vector<Type> types;
  for (const Name& name : kept.names) types.push_back(context.names.type_of(name));
  facts::Sizes sizes;
  for (const Type& type : types) declare_not_empty(type, sizes);
  for (const Type& type : states) declare_not_empty(type, sizes);
  for (const Stm& stm : statements) define_size(stm, sizes);
  return sizes.at_most(elements(types, sizes), facts::Polynomial(most_for_loops) * elements(states, sizes));
}

namespace {

/// Removes the assertions about these names, which are not bound any more, and about what follows from them.
void erase_assertions_about(NameSet gone, std::vector<Stm>& stms) {
  std::erase_if(stms, [&](Stm& stm) {
    const NameSet used = free_names(stm);
    if (std::none_of(used.begin(), used.end(),
                     [&](const Name& name) { return gone.contains(name); }))
      return false;
    for (const Param& p : stm.pattern) gone.insert(p.name);
    map_bodies(stm.exp, [&](Body& body) { erase_assertions_about(gone, body.stms); });
    return std::holds_alternative<Assert>(stm.exp);
  });
}

}  // namespace

void erase_kept(std::vector<Stm>& stms, const std::vector<Name>& kept) {
  const NameSet names(kept.begin(), kept.end());
  const auto is_kept = [&](const Param& p) { return names.contains(p.name); };
  NameSet gone;
  std::erase_if(stms, [&](const Stm& stm) {
    if (std::none_of(stm.pattern.begin(), stm.pattern.end(), is_kept)) return false;
    for (const Param& p : stm.pattern)
      if (!is_kept(p)) gone.insert(p.name);
    return true;
  });
  erase_assertions_about(std::move(gone), stms);
}

void erase_definition(std::vector<Stm>& stms, const Name& name) {
  std::erase_if(stms, [&](const Stm& stm) {
    return std::any_of(stm.pattern.begin(), stm.pattern.end(),
                       [&](const Param& p) { return p.name == name; });
  });
}

int work_rank(const FunctionTable& functions, const Exp& exp) {
  const auto inside = [&] {
    int rank = 0;
    for_each_body(
        exp, [&](const Body& body) { rank = std::max(rank, work_rank(functions, body.stms)); });
    return rank;
  };
  return match(
      exp,  //
      [&](const If&) { return inside(); }, [&](const WithAcc&) { return inside(); },
      [&](const WithVjp&) { return inside(); }, [&](const Loop&) { return 1 + inside(); },
      [&](const Map&) { return 1 + inside(); }, [&](const Reduce&) { return 1 + inside(); },
      [&](const Scan&) { return 1 + inside(); }, [&](const ReduceByIndex&) { return 1 + inside(); },
      [&](const Call& e) { return work_rank(functions, functions.at(e.function).body.stms); },
      [](const auto&) { return 0; });
}

}  // namespace boustro::ad
