// Scans at the host's level: library calls, whose results a map may take before they are stored.
#include <algorithm>

#include "emit/plan/planner/library.hpp"
#include "emit/plan/planner/unfuse.hpp"

namespace boustro::plan::planner {

ir::MapScan Host::as_map_scan(const ir::Scan& e) {
  const ir::Lambda fn = identity_of(context_.names, e.op, e.arrays.size());
  context_.uses.add(fn);
  return {e.width, {{e.op, e.neutral, false}}, fn, e.arrays};
}

void Host::scan(const ir::Stm& stm, const ir::Scan& e) {
  if (!library_scan(stm, as_map_scan(e))) sequential(stm);
}

/// At the place of the map, which nothing in between depends on.
void Host::scan_into_map(const ScanConsumer& consumer) {
  const auto* fused = std::get_if<ir::MapScan>(&consumer.scan->exp);
  const ir::MapScan scan = fused ? *fused : as_map_scan(std::get<ir::Scan>(consumer.scan->exp));
  if (library_scan(*consumer.scan, scan, &consumer)) return;
  stm(*consumer.scan);
  for (const ir::Stm* slice : consumer.slices) stm(*slice);
  stm(*consumer.map);
}

void Host::map_scan(const ir::Stm& stm, const ir::MapScan& e) {
  if (library_scan(stm, e)) return;
  const std::vector<ir::Stm> parts = unfused(stm, e, context_.names);
  for (const ir::Stm& part : parts) this->stm(part);
  flush();
}

bool Host::library_scan(const ir::Stm& stm, const ir::MapScan& e, const ScanConsumer* consumer) {
  std::size_t components = 0;
  for (const ir::Operator& op : e.operators) {
    if (!all_scalar(op.op.result_types)) return false;
    components += op.neutral.size();
  }
  if (stm.pattern.size() != components || components == 0) return false;
  return LibraryPlanner(*this, stm, e.operators, e.fn, e.arrays, e.width, consumer)
      .plan(LibraryKind::inclusive_scan);
}

}  // namespace boustro::plan::planner
