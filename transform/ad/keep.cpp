#include "transform/ad/keep.hpp"

#include <algorithm>

namespace boustro::ad {

using namespace ir;

namespace {

/// Dimensions of an array, outside of all maps, that is kept to save one power of the sizes.
constexpr int max_rank_of_cheap = 2;

bool has_attribute(const Stm& stm, std::string_view name) {
  return std::any_of(stm.attributes.begin(), stm.attributes.end(),
                     [&](const Attribute& a) { return a.name == name; });
}

int work_rank(const FunctionTable& functions, const std::vector<Stm>& stms) {
  int rank = 0;
  for (const Stm& stm : stms) rank = std::max(rank, ad::work_rank(functions, stm.exp));
  return rank;
}

bool is_worth_keeping(const Reverse& context, const Stm& stm, const std::vector<Param>& results,
                      const NameSet& bound) {
  const bool can_be_kept = std::all_of(results.begin(), results.end(), [&](const Param& p) {
    return !p.type.accumulator && is_closed_type(p.type, bound);
  });
  if (!can_be_kept || has_attribute(stm, "recompute")) return false;
  if (has_attribute(stm, "keep")) return true;
  int rank = 0;
  for (const Param& p : results) rank = std::max(rank, p.type.rank());
  const int saved = work_rank(context.derivation.functions, stm.exp) - rank;
  return saved > 1 || (saved == 1 && context.map_depth + rank <= max_rank_of_cheap);
}

}  // namespace

std::vector<Name> choose_kept(const Reverse& context, const std::vector<Stm>& forward,
                              const std::vector<Stm>& reverse, const NameSet& bound) {
  NameSet needed = free_names(Body{reverse, {}});
  std::vector<Name> kept;
  for (auto stm = forward.rbegin(); stm != forward.rend(); ++stm) {
    std::vector<Param> results;
    for (const Param& p : stm->pattern)
      if (needed.contains(p.name)) results.push_back(p);
    if (results.empty()) continue;
    if (is_worth_keeping(context, *stm, results, bound)) {
      for (const Param& p : results) kept.push_back(p.name);
    } else {
      needed.merge(free_names(*stm));
    }
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

int work_rank(const FunctionTable& functions, const Exp& exp) {
  const auto inside = [&] {
    int rank = 0;
    for_each_body(exp, [&](const Body& body) { rank = std::max(rank, work_rank(functions, body.stms)); });
    return rank;
  };
  return match(
      exp,  //
      [&](const If&) { return inside(); },
      [&](const WithAcc&) { return inside(); },
      [&](const WithVjp&) { return inside(); },
      [&](const Loop&) { return 1 + inside(); },
      [&](const Map&) { return 1 + inside(); },
      [&](const Reduce&) { return 1 + inside(); },
      [&](const Scan&) { return 1 + inside(); },
      [&](const ReduceByIndex&) { return 1 + inside(); },
      [&](const Call& e) { return work_rank(functions, functions.at(e.function).body.stms); },
      [](const auto&) { return 0; });
}

}  // namespace boustro::ad
