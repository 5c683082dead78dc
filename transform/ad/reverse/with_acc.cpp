// Reverse mode: a scope with accumulators.
//
// Rule      (ys, zs) = with_acc xs (\accs -> body)    gives    the return sweep of body in this scope, with ys_adj as the
//           adjoint of the accumulators; then xs_adj += ys_adj
// Applies   accumulators that add. Where others are active, what they write is collected first: collect_writes.hpp
// Cost      the forward sweep of the body again, as far as needed, without its accumulators
// Source    [AD], 5.4; see update_acc.cpp
//
// Before:      def f [n] [m] (xs: *[m]f64) (is: [n]i64) (vs: [n]f64): [m]f64 = core.with_add xs (\acc ->
//                let (acc, _) = core.map (\acc (i, v) -> (core.update_1d acc i (v * v), ())) acc (zip is vs)
//                in core.finish acc)
// After vjp:   def f_vjp [n] [m] (_: [m]f64) (is: [n]i64) (vs: [n]f64) (ys_adj: [m]f64): ([m]f64, [n]f64) =
//                (ys_adj, map2 (\i v -> if i < 0 || i >= m then 0 else ys_adj[i] * v + ys_adj[i] * v) is vs)
#include "transform/ad/accumulator.hpp"
#include "transform/ad/collect_writes.hpp"
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

Sweeps reverse_without_accumulators(Reverse& r, const Stm& stm, const WithAcc& e) {
  if (const auto stms = without_accumulators(r.forward_builder(stm, "reverse_with_acc_writes"), stm, e))
    return reverse_replacement(r, *stms);
  refuse_derivative(r.derivation, stm, "an accumulator that does not add, and is written to differently often", e.inputs[0].destination.base);
}

}  // namespace

Sweeps reverse_with_acc(Reverse& r, const Stm& stm, const WithAcc& e) {
  for (std::size_t i = 0; i < e.inputs.size(); ++i)
    if (!adds(e.inputs[i].kind) && r.activity.active(stm.pattern[i].name)) return reverse_without_accumulators(r, stm, e);
  Builder b = r.builder(stm, "reverse_with_acc");
  std::vector<std::optional<DenseAdjoint>> array_adjoints;
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    const Name& y = stm.pattern[i].name;
    auto& adjoint = array_adjoints.emplace_back();
    const Atom& result = e.fn.body.result.at(i);
    const bool is_input = i < e.inputs.size();
    if (r.adjoints.is_zero(y)) continue;
    adjoint = r.adjoints.take_dense(b, y);
    if (is_input) r.adjoints.set(std::get<Name>(result), DenseAdjoint{adjoint->value});
    else r.adjoints.add(b, result, adjoint->value, adjoint->owned);
  }
  Sweeps sweeps = sweep(r, e.fn.body.stms);
  // Sparse adjoints may mention names of the body, which ends here.
  Builder last(r.names, b.origin);
  for (const Name& name : active_free_names(r, e.fn.body, {}))
    if (std::holds_alternative<SparseAdjoint>(r.adjoints.of(name))) r.adjoints.dense(last, name);
  sweeps.reverse.insert(sweeps.reverse.end(), last.stms.begin(), last.stms.end());

  // The body's return sweep stands in this scope, under fresh names for what the with_acc binds.
  NameSet needed;
  Body body{{}, {}};
  body.stms = reexecution(r, sweeps.forward, sweeps.reverse, needed);
  Substitution renamed;
  const std::vector<Stm> rerun = rename(body.stms, r.names, renamed);
  b.add(rerun);
  for (Stm& reverse_stm : sweeps.reverse) substitute(reverse_stm, renamed);
  b.add(sweeps.reverse);

  for (std::size_t i = 0; i < e.inputs.size(); ++i)
    if (array_adjoints[i])
      r.adjoints.add(b, e.inputs[i].destination, array_adjoints[i]->value, array_adjoints[i]->owned);
  return {{stm}, std::move(b.stms)};
}

}  // namespace boustro::ad
