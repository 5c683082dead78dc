#include "transform/ir/operands.hpp"

#include "frontend/source/diagnostics.hpp"

namespace boustro::ir {
namespace {

/// The arrays and other operands that stand for parameters marked unique.
template <typename Operand>
void add_unique(std::vector<Name>& to, std::span<const Param> params,
                const std::vector<Operand>& operands, std::size_t first_param = 0) {
  for (std::size_t i = 0; i < operands.size() && first_param + i < params.size(); ++i) {
    if (!params[first_param + i].unique) continue;
    const Atom operand = operands[i];
    if (const Name* name = name_in(operand)) to.push_back(*name);
  }
}

std::vector<Name> consumed_by_call(const Call& call, std::span<const Param> callee) {
  source::internal_check(callee.size() == call.args.size(),
                         "what a call consumes depends on the parameters of its function");
  std::vector<Name> consumed;
  add_unique(consumed, callee, call.args);
  return consumed;
}

std::vector<Name> consumed_by_loop(const Loop& loop) {
  std::vector<Name> consumed;
  for (const LoopParam& p : loop.params) {
    const Name* init = name_in(p.init);
    if (p.param.unique && init) consumed.push_back(*init);
  }
  return consumed;
}

template <typename Operand>
std::vector<Name> consumed_by_lambda(const Lambda& fn, const std::vector<Operand>& operands,
                                     std::size_t first_param = 0) {
  std::vector<Name> consumed;
  add_unique(consumed, fn.params, operands, first_param);
  return consumed;
}

std::vector<Name> consumed_by_histograms(const ReduceByIndex& e) {
  std::vector<Name> consumed = consumed_by_lambda(e.fn, e.arrays);
  for (const Histogram& histogram : e.histograms)
    consumed.insert(consumed.end(), histogram.destinations.begin(), histogram.destinations.end());
  return consumed;
}

std::vector<Name> destinations_of(const Nest& e) {
  std::vector<Name> destinations;
  for (const Out& out : e.outs)
    destinations.insert(destinations.end(), out.destinations.begin(), out.destinations.end());
  return destinations;
}

std::vector<Name> destinations_of(const WithAcc& e) {
  std::vector<Name> destinations;
  for (const AccumulatorInput& input : e.inputs) destinations.push_back(input.destination);
  return destinations;
}

}  // namespace

std::vector<Name> consumed_operands(const Exp& exp, std::span<const Param> callee) {
  using Names = std::vector<Name>;
  return match(
      exp,  //
      [](const Update& e) { return Names{e.array}; },
      [](const Scatter& e) { return e.destinations; },
      [](const ReduceByIndex& e) { return consumed_by_histograms(e); },
      [](const WithAcc& e) { return destinations_of(e); },
      [&](const Call& e) { return consumed_by_call(e, callee); },
      [](const Loop& e) { return consumed_by_loop(e); },
      [](const Map& e) { return consumed_by_lambda(e.fn, e.arrays, e.accumulators.size()); },
      [](const MapReduce& e) { return consumed_by_lambda(e.fn, e.arrays, e.accumulators.size()); },
      [](const MapScan& e) { return consumed_by_lambda(e.fn, e.arrays); },
      [](const Nest& e) { return destinations_of(e); },
      [](const Jvp& e) { return consumed_by_lambda(e.fn, e.args); },
      [](const Vjp& e) { return consumed_by_lambda(e.fn, e.args); },
      [](const WithVjp& e) { return consumed_by_lambda(e.fn, e.args); },
      [](const auto&) { return Names{}; });
}

const Name* viewed_operand(const Exp& exp) {
  return match(
      exp,  //
      [](const AtomExp& e) { return name_in(e.atom); },
      [](const Rearrange& e) { return &e.array; }, [](const Reshape& e) { return &e.array; },
      [](const Coerce& e) { return &e.array; }, [](const Index& e) { return &e.array; },
      [](const auto&) -> const Name* { return nullptr; });
}

}  // namespace boustro::ir
