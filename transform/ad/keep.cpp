#include "transform/ad/keep.hpp"

#include <algorithm>

#include "transform/ir/nest.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// Dimensions of an array, outside of all maps, that is kept to save one power of the sizes.
constexpr int max_rank_of_cheap = 2;

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

Kept choose(const Reverse& context, const std::vector<Stm>& forward, const Body& reverse,
            const NameSet& bound, bool only_asked) {
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
    const bool wanted = asked || (!only_asked && is_worth_keeping(context, *stm, results));
    if (wanted && can_be_kept(results, asked ? varying : bound)) {
      context.derivation.trace("keep", *stm);
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

}  // namespace

Kept choose_kept(const Reverse& context, const std::vector<Stm>& forward, const Body& reverse,
                 const NameSet& bound) {
  return choose(context, forward, reverse, bound, false);
}

Kept asked_to_keep(const Reverse& context, const std::vector<Stm>& forward, const Body& reverse,
                   const NameSet& bound) {
  return choose(context, forward, reverse, bound, true);
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
