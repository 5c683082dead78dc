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

/// What the host's accumulators become whose additions many threads share.
void note_varying(const std::vector<Stm>& stms, NameSet& varying) {
  for (const Stm& stm : stms) {
    if (const auto* with = std::get_if<WithAcc>(&stm.exp)) {
      if (adds_floats(*with, stm.pattern) && has_shared_additions(with->fn.body.stms))
        for (const Param& p : stm.pattern) varying.insert(p.name);
    } else if (!std::holds_alternative<Nest>(stm.exp)) {
      for_each_body(stm.exp, [&](const Body& body) { note_varying(body.stms, varying); });
    }
  }
}

/// What all accumulators of the host become to which floats are added.
void note_float_additions(const std::vector<Stm>& stms, NameSet& names) {
  for (const Stm& stm : stms) {
    const auto* with = std::get_if<WithAcc>(&stm.exp);
    if (with && adds_floats(*with, stm.pattern)) names.insert(stm.pattern[0].name);
    if (!with && !std::holds_alternative<Map>(stm.exp)) for_each_body(stm.exp, [&](const Body& body) { note_float_additions(body.stms, names); });
  }
}

using Wanted = std::function<bool(const Stm&)>;

/// The wanted with_accs as histograms. Whether there is any.
bool collect(Names& names, std::vector<Stm>& stms, const Wanted& wanted) {
  bool found = false;
  std::vector<Stm> result;
  for (Stm& stm : stms) {
    const auto* with = std::get_if<WithAcc>(&stm.exp);
    const auto collected = with && wanted(stm) ? ad::without_accumulators(Builder(names, stm.origin), stm, *with) : std::nullopt;
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

bool collect(Names& names, Program& program, const Wanted& wanted) {
  bool found = false;
  for (Function& function : program.functions) found = collect(names, function.body.stms, wanted) || found;
  return found;
}

}  // namespace

Program flatten_in_fixed_order(Program program) {
  Program flat = parallel::flatten(program, parallel::Machine::gpu, parallel::Order::fixed);
  NameSet varying;
  for (const Function& function : parallel::choose(flat).functions) note_varying(function.body.stms, varying);
  if (varying.empty()) return flat;
  Names names(program);
  for (const Function& function : program.functions) names.bind_function(function);
  const Wanted varies = [&](const Stm& stm) {
    return std::any_of(stm.pattern.begin(), stm.pattern.end(), [&](const Param& p) { return varying.contains(p.name); });
  };
  // What was taken apart goes by other names.
  const Wanted may_vary = [](const Stm& stm) { return adds_floats(std::get<WithAcc>(stm.exp), stm.pattern); };
  if (collect(names, program, varies) || collect(names, program, may_vary)) return flatten_in_fixed_order(std::move(program));
  NameSet left;
  for (const Function& function : program.functions) note_float_additions(function.body.stms, left);
  return parallel::flatten(parallel::combine_in_order(std::move(program), parallel::Machine::gpu, left), parallel::Machine::gpu, parallel::Order::fixed);
}

}  // namespace boustro
