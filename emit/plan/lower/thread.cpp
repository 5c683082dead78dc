// A nest that one thread runs, or, at the outermost level of the cpu target, all workers.
#include "emit/plan/lower/work.hpp"
#include "emit/plan/lower/workers.hpp"

namespace boustro::plan::planner {

void Code::nest(const ir::Stm& stm, const ir::Nest& nest) {
  check_space(stm, nest.space);
  std::size_t next = 0;
  for (; next < nest.accumulators.size(); ++next)
    bind(stm.pattern[next].name, accumulator(nest.accumulators[next]));
  std::vector<OutPlace> places(nest.outs.size());
  for (std::size_t out = 0; out < nest.outs.size(); ++out) {
    const ir::Out& what = nest.outs[out];
    const bool in_registers = what.kind == ir::OutKind::reduce && what.rank == 0;
    for (std::size_t k = 0; k < what.results(); ++k, ++next) {
      if (in_registers) continue;
      places[out].arrays.push_back(what.destinations.empty() ? place(stm.pattern[next])
                                                             : consumed(what.destinations[k]));
      bind(stm.pattern[next].name, places[out].arrays.back());
    }
  }
  if (nest.over == ir::Level::workers) {
    const Scalar work = work_of_point(*this, nest);
    if (is_shareable(work)) return Workers(*this, stm, nest, places, work).run();
  }
  Loops(*this, stm, nest, places).run();
}

}  // namespace boustro::plan::planner
