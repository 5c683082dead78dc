// Accumulators that nothing is added to, and those that add by an operator.
#include "transform/ir/traversal.hpp"
#include "transform/simplify/rules.hpp"

namespace boustro::simplify {

using namespace ir;

// Before:  let acc = update_acc acc0 [i] 0.0        (the accumulator adds)
// After:   let acc = acc0
// Never:   where the accumulator overwrites: there a zero is a value like others
RuleResult add_zero_to_accumulator(Stm& stm, Context& context) {
  const auto* e = std::get_if<UpdateAcc>(&stm.exp);
  if (!e || context.mode_of(e->accumulator) != AccumulatorMode::add_up) return std::nullopt;
  if (!context.is_zero(e->value)) return std::nullopt;
  const Name accumulator = e->accumulator;
  return replaced(stm, AtomExp{accumulator});
}

// Before:  let ys = with_acc xs by (+), or by map2 (+)
// After:   let ys = with_acc xs, which adds
// Never:   for another operator
RuleResult combine_by_addition(Stm& stm, Context&) {
  auto* e = std::get_if<WithAcc>(&stm.exp);
  if (!e) return std::nullopt;
  bool found = false;
  for (AccumulatorInput& input : e->inputs) {
    const auto* combine = std::get_if<Combine>(&input.kind);
    const auto op = combine ? as_vectorised_binop(combine->op) : std::nullopt;
    if (!op || op->kind != BinOpKind::add) continue;
    input.kind = AddUp{};
    found = true;
  }
  if (!found) return std::nullopt;
  Rewrite result;
  result.push_back(std::move(stm));
  return result;
}

// Before:  let ys = with_acc xs (\acc -> acc)
// After:   let ys = xs
RuleResult with_acc_without_updates(Stm& stm, Context&) {
  auto* e = std::get_if<WithAcc>(&stm.exp);
  if (!e) return std::nullopt;
  std::vector<bool> unused;
  Rewrite result;
  for (std::size_t i = 0; i < e->inputs.size(); ++i) {
    unused.push_back(e->fn.body.result[i] == Atom(e->fn.params[i].name));
    if (unused.back())
      result.push_back(let(stm.pattern[i], AtomExp{e->inputs[i].destination}, stm));
  }
  const bool all = result.size() == e->inputs.size();
  if (result.empty() && !all) return std::nullopt;
  erase_flagged(e->inputs, unused);
  erase_flagged(e->fn.params, unused);
  erase_flagged(e->fn.body.result, unused);
  erase_flagged(e->fn.result_types, unused);
  erase_flagged(stm.pattern, unused);
  if (!all) {
    result.push_back(std::move(stm));
    return result;
  }
  for (Stm& inner : e->fn.body.stms) result.push_back(std::move(inner));
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    result.push_back(let(stm.pattern[i], AtomExp{e->fn.body.result[i]}, stm));
  }
  return result;
}

// Before:  let (ys, z) = with_acc xs (\acc -> .. (acc', z0))     (z0 from outside)
// After:   let z = z0  let ys = with_acc xs (\acc -> .. acc')
RuleResult with_acc_known_results(Stm& stm, Context&) {
  auto* e = std::get_if<WithAcc>(&stm.exp);
  if (!e) return std::nullopt;
  const NameSet bound = bound_names(e->fn.body.stms);
  std::vector<bool> known(stm.pattern.size());
  Rewrite result;
  for (std::size_t i = e->inputs.size(); i < stm.pattern.size(); ++i) {
    const Atom& atom = e->fn.body.result[i];
    const Name* name = name_in(atom);
    known[i] = !name || !bound.contains(*name);
    if (known[i]) result.push_back(let(stm.pattern[i], AtomExp{atom}, stm));
  }
  if (result.empty()) return std::nullopt;
  erase_flagged(e->fn.body.result, known);
  erase_flagged(e->fn.result_types, known);
  erase_flagged(stm.pattern, known);
  result.push_back(std::move(stm));
  return result;
}

}  // namespace boustro::simplify
