// Forward mode: accumulators.
//
// Rule      with_acc xs f    gives    with_acc (xs, xs_tan) f_bundled;   acc[i] += v    gives also    acc_tan[i] += v_tan
// Applies   accumulators that add or overwrite. What others write is collected first, where they are active: collect_writes.hpp
// Cost      that of the operations
// Source    derived here: addition and overwriting are linear
//
// Before:      def f [n] [m] (xs: *[m]f64) (is: [n]i64) (vs: [n]f64): [m]f64 = core.with_add xs (\acc ->
//                let (acc, _) = core.map (\acc (i, v) -> (core.update_1d acc i (v * v), ())) acc (zip is vs)
//                in core.finish acc)
// After jvp:   def f_jvp [n] [m] (_: [m]f64) (is: [n]i64) (vs: [n]f64) (xs_tan: [m]f64) (vs_tan: [n]f64): [m]f64 =
//                let add acc (i, v, v_tan) = (core.update_1d acc i (v_tan * v + v * v_tan), ())
//                in core.with_add (copy xs_tan) (\acc ->
//                     let (acc, _) = core.map add acc (zip3 is vs vs_tan) in core.finish acc)
#include <algorithm>

#include "transform/ad/accumulator.hpp"
#include "transform/ad/collect_writes.hpp"
#include "transform/ad/forward/bundle.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

bool is_linear(const AccumulatorKind& kind) { return adds(kind) || std::holds_alternative<Overwrite>(kind); }

void forward_without_accumulators(Forward& f, Builder& b, const Stm& stm, const WithAcc& e) {
  const auto stms = without_accumulators(f.builder(stm, "forward_with_acc_writes"), stm, e);
  if (!stms) refuse_derivative(f.derivation, stm, "an accumulator that does not add, and is written to differently often", e.inputs[0].destination.base);
  f.activity.analyse(*stms);
  forward_stms(f, b, *stms);
}

}  // namespace

void forward_with_acc(Forward& f, Builder& b, const Stm& stm, const WithAcc& e) {
  const std::size_t inputs = e.inputs.size();
  const std::vector<bool> active = active_results(f, stm.pattern);
  for (std::size_t i = 0; i < inputs; ++i)
    if (active[i] && !is_linear(e.inputs[i].kind)) return forward_without_accumulators(f, b, stm, e);
  Builder before = f.builder(stm, "forward_with_acc");
  WithAcc with_acc{e.inputs, {}};
  std::size_t tangents = 0;
  for (std::size_t i = 0; i < inputs; ++i) {
    if (!active[i]) continue;
    const bool is_sum = adds(e.inputs[i].kind);
    const Name destination = std::get<Name>(f.tangent(before, e.inputs[i].destination));
    with_acc.inputs.push_back({destination, is_sum ? AccumulatorKind(AddUp{}) : AccumulatorKind(Overwrite{})});
    ++tangents;
  }
  const std::vector<bool> input_active(active.begin(), active.begin() + static_cast<std::ptrdiff_t>(inputs));
  with_acc.fn.params = bundled_pattern(f, e.fn.params, input_active);
  with_acc.fn.body = forward_body(f, e.fn.body, active);
  with_acc.fn.result_types = bundled_types(f, e.fn.result_types, active);
  Stm result = stm;
  result.pattern = bundled_pattern(f, stm.pattern, active);
  // Accumulators first: theirs, then those of tangents, then the other results.
  const auto reorder = [&](auto& list) {
    const auto at = [&](std::size_t i) { return list.begin() + static_cast<std::ptrdiff_t>(i); };
    std::rotate(at(inputs), at(active.size()), at(active.size() + tangents));
  };
  reorder(with_acc.fn.body.result);
  reorder(with_acc.fn.result_types);
  reorder(result.pattern);
  result.exp = std::move(with_acc);
  result.origin = before.origin;
  b.add(before.stms);
  b.add(std::move(result));
}

void forward_update_acc(Forward& f, Builder& builder, const Stm& stm, const UpdateAcc& e) {
  builder.add(stm);
  if (!f.has_tangent(e.accumulator)) return;
  Builder b = f.builder(stm, "forward_update_acc");
  const Name accumulator = std::get<Name>(f.tangent(b, e.accumulator));
  const Name& y = stm.pattern.at(0).name;
  f.set(y, b.let(tan_name(y), UpdateAcc{accumulator, e.indices, f.tangent(b, e.value), e.in_bounds}));
  builder.add(b.stms);
}

}  // namespace boustro::ad
