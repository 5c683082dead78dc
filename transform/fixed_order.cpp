#include "transform/fixed_order.hpp"

#include <algorithm>

#include "transform/ad/collect_writes.hpp"
#include "transform/facts/rounding.hpp"
#include "transform/ir/nest.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/parallel/parallel.hpp"

namespace boustro {

using namespace ir;

namespace {

bool has_shared_additions(const std::vector<Stm>& stms) {
  return std::any_of(stms.begin(), stms.end(), [](const Stm& stm) {
    const auto* nest = std::get_if<Nest>(&stm.exp);
    bool found = nest && nest->over == Level::grid && !nest->accumulators.empty() && !adds_apart(*nest);
    for_each_body(stm.exp, [&](const Body& body) { found = found || has_shared_additions(body.stms); });
    return found;
  });
}

bool adds_floats(const WithAcc& with, const std::vector<Param>& pattern) {
  for (std::size_t k = 0; k < with.inputs.size(); ++k)
    if (facts::rounds(with.inputs[k].kind, pattern[k].type.elem)) return true;
  return false;
}

/// What the host's accumulators become to which floats are added; if `only_shared`, in flattened statements, by many threads.
void note_float_additions(const std::vector<Stm>& stms, bool only_shared, NameSet& results) {
  for (const Stm& stm : stms) {
    if (const auto* with = std::get_if<WithAcc>(&stm.exp)) {
      if (adds_floats(*with, stm.pattern) && (!only_shared || has_shared_additions(with->fn.body.stms)))
        for (const Param& p : stm.pattern) results.insert(p.name);
    }
    if (std::holds_alternative<Nest>(stm.exp)) continue;
    for_each_body(stm.exp, [&](const Body& body) { note_float_additions(body.stms, only_shared, results); });
  }
}

NameSet float_additions(const Program& program, bool only_shared) {
  NameSet results;
  for (const Function& function : program.functions) note_float_additions(function.body.stms, only_shared, results);
  return results;
}

/// The with_accs that yield these as histograms. Whether there is any.
bool collect(Names& names, std::vector<Stm>& stms, const NameSet& wanted) {
  bool found = false;
  std::vector<Stm> result;
  for (Stm& stm : stms) {
    const auto* with = std::get_if<WithAcc>(&stm.exp);
    const bool is_wanted = with && std::any_of(stm.pattern.begin(), stm.pattern.end(), [&](const Param& p) { return wanted.contains(p.name); });
    const auto collected = is_wanted ? ad::without_accumulators(Builder(names, stm.origin), stm, *with) : std::nullopt;
    if (collected) {
      result.insert(result.end(), collected->begin(), collected->end());
      found = true;
      continue;
    }
    map_bodies(stm.exp, [&](Body& body) { found = collect(names, body.stms, wanted) || found; });
    result.push_back(std::move(stm));
  }
  stms = std::move(result);
  return found;
}

bool collect(Names& names, Program& program, const NameSet& wanted) {
  bool found = false;
  for (Function& function : program.functions) found = collect(names, function.body.stms, wanted) || found;
  return found;
}

}  // namespace

Program flatten_in_fixed_order(Program program) {
  Program flat = parallel::flatten(program, parallel::Machine::gpu, parallel::Order::fixed);
  const NameSet varying = float_additions(parallel::choose(flat), true);
  if (varying.empty()) return flat;
  Names names(program);
  for (const Function& function : program.functions) names.bind_function(function);
  // What flattening took apart goes by other names: then it may be any.
  const NameSet all = float_additions(program, false);
  if (collect(names, program, varying) || collect(names, program, all)) return flatten_in_fixed_order(std::move(program));
  return parallel::flatten(parallel::combine_in_order(std::move(program), parallel::Machine::gpu, all), parallel::Machine::gpu, parallel::Order::fixed);
}

}  // namespace boustro
