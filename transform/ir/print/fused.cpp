// Maps with what follows them, where the text of each part would be read back as a statement of its own.
#include "transform/ir/print/printer.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ir::printing {
namespace {

Out store() {
  Out out;
  out.rank = 1;
  return out;
}

/// An out for each operator, and one for each other result.
std::vector<Out> outs_of(const std::vector<Operator>& operators, OutKind kind, std::size_t results) {
  std::vector<Out> outs;
  for (const Operator& op : operators) {
    outs.emplace_back();
    outs.back().kind = kind;
    outs.back().op = op;
    results -= op.neutral.size();
  }
  outs.resize(outs.size() + results, store());
  return outs;
}

std::vector<Out> outs_of(const std::vector<Histogram>& histograms) {
  std::vector<Out> outs;
  for (const Histogram& histogram : histograms) {
    outs.emplace_back();
    outs.back().kind = OutKind::histogram;
    outs.back().op = Operator{histogram.op, histogram.neutral, false};
    outs.back().bins = histogram.shape;
    outs.back().destinations = histogram.destinations;
  }
  return outs;
}

Out out_of(const Scatter& scatter) {
  Out out;
  out.kind = OutKind::scatter;
  out.bins.resize(scatter.indices.size());
  out.destinations = scatter.destinations;
  return out;
}

}  // namespace

/// \x y -> (x, y) on the elements of these arrays.
Lambda Printer::identity(const std::vector<Name>& arrays) {
  Lambda fn;
  for (const Name& array : arrays) {
    fn.params.push_back({{names_.fresh("x"), 0}, row_type(type_of(array)), false});
    fn.body.result.push_back(fn.params.back().name);
  }
  return fn;
}

std::optional<std::string> Printer::exact_fused(const Stm& stm, int indent) {
  if (!options_.exact) return std::nullopt;
  const std::size_t results = stm.pattern.size();
  const auto call = [&](const auto& e, const std::vector<Name>& accumulators, const std::vector<Out>& outs) {
    return fused_call(e.width, e.fn, e.arrays, accumulators, outs, stm, indent);
  };
  return match(
      stm.exp,  //
      [&](const Map& e) -> std::optional<std::string> {
        const bool is_plain = e.accumulators.empty() && !e.arrays.empty() && e.arrays.size() <= 5 && results <= 5 && results > 0;
        if (is_plain) return std::nullopt;
        return call(e, e.accumulators, outs_of({}, OutKind::store, results - e.accumulators.size()));
      },
      [&](const MapReduce& e) -> std::optional<std::string> {
        return call(e, e.accumulators, outs_of(e.operators, OutKind::reduce, results - e.accumulators.size()));
      },
      [&](const MapScan& e) -> std::optional<std::string> {
        return call(e, {}, outs_of(e.operators, OutKind::scan, results));
      },
      [&](const ReduceByIndex& e) -> std::optional<std::string> {
        return call(e, {}, outs_of(e.histograms));
      },
      [&](const Scatter& e) -> std::optional<std::string> {
        if (e.destinations.size() == 1) return std::nullopt;
        std::vector<Name> arrays = e.indices;
        arrays.insert(arrays.end(), e.values.begin(), e.values.end());
        return fused_call(e.width, identity(arrays), arrays, {}, {out_of(e)}, stm, indent);
      },
      [](const auto&) { return std::optional<std::string>(); });
}

}  // namespace boustro::ir::printing
