// What is left open in flattened programs: in which order threads do together what they do together.
#pragma once

#include "transform/ir/nest.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ir::testing {

/// Scans, histograms and additions to accumulators that all threads do together: by a library, or by atomic operations.
inline int together(const Body& body) {
  int found = 0;
  for (const Stm& stm : body.stms) {
    if (const auto* nest = std::get_if<Nest>(&stm.exp); nest && nest->over == Level::grid) {
      found += !nest->accumulators.empty() && !adds_apart(*nest);
      for (const Out& out : nest->outs) found += out.kind == OutKind::scan || out.kind == OutKind::histogram;
    }
    for_each_body(stm.exp, [&](const Body& inner) { found += together(inner); });
  }
  return found;
}
inline int together(const Program& program) {
  int found = 0;
  for (const Function& function : program.functions) found += together(function.body);
  return found;
}

}  // namespace boustro::ir::testing
