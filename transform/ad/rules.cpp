// Which rule differentiates which statement. Special cases stand before general ones.
#include "transform/ad/rules.hpp"

#include <algorithm>

#include "frontend/source/diagnostics.hpp"
#include "transform/ad/fixed_point.hpp"
#include "transform/ir/nest.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

template <typename E>
Sweeps first_of(Reverse& r, const Stm& stm, const E& e,
                std::initializer_list<MaybeSweeps (*)(Reverse&, const Stm&, const E&)> rules,
                const std::string& what) {
  for (const auto rule : rules)
    if (MaybeSweeps sweeps = rule(r, stm, e)) return std::move(*sweeps);
  refuse_derivative(r.derivation, stm, what, "its elements");
}

[[noreturn]] void fused(const char* what) {
  source::internal_error(std::string("ad: ") + what + " before differentiation");
}

/// #[aggregate] is about additions, which what is read of arrays becomes on the way back.
void aggregate_maps(std::vector<Stm>& stms) {
  for (Stm& stm : stms) {
    if (auto* with = std::get_if<WithAcc>(&stm.exp)) aggregate_maps(with->fn.body.stms);
    if (std::holds_alternative<Map>(stm.exp)) stm.attributes.push_back({"aggregate", {}});
  }
}

Sweeps aggregated_likewise(const Stm& stm, Sweeps sweeps) {
  if (has_attribute(stm, "aggregate")) aggregate_maps(sweeps.reverse);
  return sweeps;
}

}  // namespace

Sweeps reverse_stm(Reverse& r, const Stm& stm) {
  const bool has_adjoint = std::any_of(stm.pattern.begin(), stm.pattern.end(),
                                       [&](const Param& p) { return !r.adjoints.is_zero(p.name); });
  if (!has_adjoint) return {{stm}, {}};

  return match(
      stm.exp,  //
      [&](const AtomExp& e) { return reverse_move(r, stm, e.atom); },
      [&](const UnOp&) { return reverse_scalar(r, stm); },
      [&](const BinOp&) { return reverse_scalar(r, stm); },
      [&](const CmpOp&) { return Sweeps{{stm}, {}}; },
      [&](const Convert&) { return reverse_scalar(r, stm); },
      [&](const MathOp&) { return reverse_scalar(r, stm); },
      [&](const If& e) { return reverse_if(r, stm, e); },
      [&](const Loop& e) { return reverse_loop(r, stm, e); },
      [&](const Call& e) { return reverse_call(r, stm, e); },
      [&](const Assert&) { return Sweeps{{stm}, {}}; },
      [&](const ArrayLiteral& e) { return reverse_array_literal(r, stm, e); },
      [&](const Iota& e) { return reverse_iota(r, stm, e); },
      [&](const Replicate& e) { return reverse_replicate(r, stm, e); },
      [&](const Scratch&) { return Sweeps{{stm}, {}}; },
      [&](const Copy& e) { return reverse_move(r, stm, e.array); },
      [&](const Sort&) { return Sweeps{{stm}, {}}; },
      [&](const Concat& e) { return reverse_concat(r, stm, e); },
      [&](const Rearrange& e) { return reverse_rearrange(r, stm, e); },
      [&](const Reshape& e) { return reverse_reshape(r, stm, e); },
      [&](const Coerce& e) { return reverse_move(r, stm, e.array); },
      [&](const Index& e) { return reverse_index(r, stm, e); },
      [&](const Update& e) { return reverse_update(r, stm, e); },
      [&](const Map& e) { return aggregated_likewise(stm, reverse_map(r, stm, e)); },
      [&](const Reduce& e) {
        return first_of(r, stm, e,
                        {reverse_reduce_add, reverse_reduce_min, reverse_reduce_vectorised,
                         reverse_reduce_general},
                        "this operator of reduce");
      },
      [&](const Scan& e) {
        return first_of(r, stm, e,
                        {reverse_scan_add, reverse_scan_vectorised, reverse_scan_linear,
                         reverse_scan_sequential},
                        "this operator of scan");
      },
      [&](const MapReduce&) -> Sweeps { fused("map-reduce"); },
      [&](const MapScan&) -> Sweeps { fused("map-scan"); },
      [&](const ReduceByIndex& e) {
        return first_of(r, stm, e,
                        {reverse_hist_split, reverse_hist_add, reverse_hist_min,
                         reverse_hist_vectorised, reverse_hist_general},
                        "this operator of reduce_by_index");
      },
      [&](const Scatter& e) { return reverse_scatter(r, stm, e); },
      [&](const WithAcc& e) { return reverse_with_acc(r, stm, e); },
      [&](const UpdateAcc& e) { return reverse_update_acc(r, stm, e); },
      [&](const Nest&) -> Sweeps { fused("a nest"); },
      [&](const Jvp&) -> Sweeps { fused("an inner derivative"); },
      [&](const Vjp&) -> Sweeps { fused("an inner derivative"); },
      [&](const WithVjp& e) { return reverse_with_vjp(r, stm, e); });
}

void forward_stm(Forward& f, Builder& b, const Stm& stm) {
  const bool active = std::any_of(stm.pattern.begin(), stm.pattern.end(),
                                  [&](const Param& p) { return f.activity.active(p.name); });
  if (!active) return b.add(stm);

  match(
      stm.exp,  //
      [&](const AtomExp&) { forward_linear(f, b, stm); },
      [&](const UnOp&) { forward_scalar(f, b, stm); },
      [&](const BinOp&) { forward_scalar(f, b, stm); },
      [&](const CmpOp&) { b.add(stm); },
      [&](const Convert&) { forward_scalar(f, b, stm); },
      [&](const MathOp&) { forward_scalar(f, b, stm); },
      [&](const If& e) { forward_if(f, b, stm, e); },
      [&](const Loop& e) { is_fixed_point(stm) ? forward_fixed_point(f, b, stm) : forward_loop(f, b, stm, e); },
      [&](const Call& e) { forward_call(f, b, stm, e); }, [&](const Assert&) { b.add(stm); },
      [&](const ArrayLiteral&) { forward_linear(f, b, stm); },
      [&](const Iota&) { forward_linear(f, b, stm); },
      [&](const Replicate&) { forward_linear(f, b, stm); }, [&](const Scratch&) { b.add(stm); },
      [&](const Copy&) { forward_linear(f, b, stm); },
      [&](const Sort&) { b.add(stm); },
      [&](const Concat&) { forward_linear(f, b, stm); },
      [&](const Rearrange&) { forward_linear(f, b, stm); },
      [&](const Reshape&) { forward_linear(f, b, stm); },
      [&](const Coerce&) { forward_linear(f, b, stm); },
      [&](const Index&) { forward_linear(f, b, stm); },
      [&](const Update&) { forward_linear(f, b, stm); },
      [&](const Map& e) { forward_map(f, b, stm, e); },
      [&](const Reduce& e) { forward_reduce(f, b, stm, e); },
      [&](const Scan& e) { forward_scan(f, b, stm, e); },
      [&](const MapReduce&) { fused("map-reduce"); }, [&](const MapScan&) { fused("map-scan"); },
      [&](const ReduceByIndex& e) { forward_reduce_by_index(f, b, stm, e); },
      [&](const Scatter& e) { forward_scatter(f, b, stm, e); },
      [&](const WithAcc& e) { forward_with_acc(f, b, stm, e); },
      [&](const UpdateAcc& e) { forward_update_acc(f, b, stm, e); },
      [&](const Nest&) { fused("a nest"); },
      [&](const Jvp&) { fused("an inner derivative"); },
      [&](const Vjp&) { fused("an inner derivative"); },
      [&](const WithVjp& e) { forward_with_vjp(f, b, stm, e); });
}

void forward_stms(Forward& f, Builder& b, const std::vector<Stm>& stms) {
  f.logistics.note(stms);
  for (const Stm& stm : stms) forward_stm(f, b, stm);
}

}  // namespace boustro::ad
