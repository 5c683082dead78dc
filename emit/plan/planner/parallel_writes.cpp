// Writes by index inside a thread: histograms, scatter and what adds to accumulators.
#include "emit/plan/planner/code.hpp"

namespace boustro::plan::planner {

void Code::reduce_by_index(const ir::Stm& stm, const ir::ReduceByIndex& e) {
  std::vector<View> inputs, bins;
  for (const ir::Name& name : e.arrays) inputs.push_back(view(name));
  for (const ir::Histogram& histogram : e.histograms) {
    for (const ir::Name& name : histogram.destinations) {
      const ir::Param& param = stm.pattern[bins.size()];
      const View bin = consumed(name);
      bins.push_back(bin);
      bind(param.name, bin);
    }
  }
  loop(extents({e.width})[0], index_base(e.fn.params, 0, inputs), [&](const Scalar& i) {
    bind_counted(e.fn.params, 0, inputs, i);
    const Results results = body(e.fn.body);
    std::size_t result = 0, bin = 0;
    for (const ir::Histogram& histogram : e.histograms) {
      std::vector<Expr> at;
      std::vector<Scalar> scalars;
      for (std::size_t dim = 0; dim < histogram.shape.size(); ++dim) {
        Scalar index = std::get<Scalar>(results[result++]);
        index.expr = named("bin", index.expr);
        scalars.push_back(index);
        at.push_back(index.expr);
      }
      const std::size_t count = histogram.destinations.size();
      guarded(bounds(at, bins[bin].extents, nullptr, scalars), [&] {
        Results operands(results.begin() + static_cast<std::ptrdiff_t>(result),
                         results.begin() + static_cast<std::ptrdiff_t>(result + count));
        Results cells;
        for (std::size_t j = 0; j < count; ++j) {
          View cell = bins[bin + j];
          for (const Expr& index : at) cell = row(cell, index);
          cells.push_back(cell);
        }
        step_in_place({histogram.op, histogram.neutral, true}, cells, operands);
      });
      result += count;
      bin += count;
    }
  });
}

void Code::step_in_place(const ir::Operator& op, const Results& cells, const Results& operands) {
  Results running;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const View& cell = std::get<View>(cells[i]);
    if (cell.rank() > 0) {
      running.push_back(cell);
    } else {
      running.push_back(Scalar{variable("old", type(cell.elem), load(cell).expr)});
    }
  }
  step(op, running, operands);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const View& cell = std::get<View>(cells[i]);
    if (cell.rank() == 0) store(cell, std::get<Scalar>(running[i]).expr);
  }
}

void Code::scatter(const ir::Stm& stm, const ir::Scatter& e) {
  std::vector<View> destinations;
  for (std::size_t i = 0; i < e.destinations.size(); ++i) {
    const View to = consumed(e.destinations[i]);
    destinations.push_back(to);
    bind(stm.pattern[i].name, to);
  }
  loop(extents({e.width})[0], "i", [&](const Scalar& i) {
    for (std::size_t j = 0; j < destinations.size(); ++j) bind(e.destinations[j], destinations[j]);
    scatter_one(e, i);
  });
}

void Code::scatter_one(const ir::Scatter& e, const Scalar& i) {
  std::vector<Expr> at;
  std::vector<Scalar> scalars;
  for (const ir::Name& name : e.indices) {
    Scalar here = load(row(view(name), i.expr));
    here.expr = named("index", here.expr);
    at.push_back(here.expr);
    scalars.push_back(here);
  }
  guarded(bounds(at, view(e.destinations[0]).extents, nullptr, scalars), [&] {
    for (std::size_t j = 0; j < e.destinations.size(); ++j) {
      View cell = view(e.destinations[j]);
      for (const Expr& index : at) cell = row(cell, index);
      copy(cell, row(view(e.values[j]), i.expr));
    }
  });
}

ir::AccumulatorKind lambda_kind(const ir::Histogram& histogram) {
  return ir::Combine{histogram.op, histogram.neutral[0]};
}

void Code::add_by_index(const ir::ReduceByIndex& e, const std::vector<Accumulator>& bins,
                        const Scalar& i) {
  std::vector<View> inputs;
  for (const ir::Name& name : e.arrays) inputs.push_back(view(name));
  bind_counted(e.fn.params, 0, inputs, i);
  const Results results = body(e.fn.body);
  std::size_t result = 0;
  for (std::size_t j = 0; j < bins.size(); ++j) {
    std::vector<Expr> at;
    std::vector<Scalar> scalars;
    for (std::size_t dim = 0; dim < e.histograms[j].shape.size(); ++dim) {
      Scalar index = std::get<Scalar>(results[result++]);
      index.expr = named("bin", index.expr);
      scalars.push_back(index);
      at.push_back(index.expr);
    }
    const Value& added = results[result++];
    guarded(bounds(at, bins[j].destination.extents, nullptr, scalars), [&] {
      View cell = bins[j].destination;
      for (const Expr& index : at) cell = row(cell, index);
      add_to(bins[j], cell, added);
    });
  }
}

}  // namespace boustro::plan::planner
