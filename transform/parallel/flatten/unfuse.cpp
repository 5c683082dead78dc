// Unfused: first the results of the fused map, then what combines them.
#include "transform/parallel/flatten/unfuse.hpp"

#include "transform/ir/ir.hpp"

namespace boustro::parallel {
namespace {

/// `combine(op, operands)` is the expression of one operator on arrays. The accumulators of the
/// map, its first results, are those of the statement.
template <class Combine>
std::vector<ir::Stm> apart(const ir::Stm& stm, const ir::Map& map,
                           const std::vector<ir::Operator>& operators, ir::Names& names,
                           Combine combine) {
  std::size_t next = map.accumulators.size();
  const auto results_until = [&](std::size_t end) {
    const auto begin = stm.pattern.begin();
    return std::vector<ir::Param>(begin + static_cast<std::ptrdiff_t>(next),
                                  begin + static_cast<std::ptrdiff_t>(end));
  };
  std::vector<ir::Param> pattern(stm.pattern.begin(),
                                 stm.pattern.begin() + static_cast<std::ptrdiff_t>(next));
  std::vector<ir::Stm> combinations;
  for (const ir::Operator& op : operators) {
    const std::vector<ir::Param> results = results_until(next + op.neutral.size());
    std::vector<ir::Name> operands;
    for (const ir::Param& result : results) {
      const ir::Type type = ir::array_of(map.width, map.fn.result_types[next++]);
      pattern.push_back(names.fresh_param(result.name.base + "_parts", type));
      operands.push_back(pattern.back().name);
    }
    combinations.push_back({results, combine(op, operands), stm.origin, {}});
  }
  const std::vector<ir::Param> arrays = results_until(stm.pattern.size());
  pattern.insert(pattern.end(), arrays.begin(), arrays.end());
  std::vector<ir::Stm> parts{{pattern, map, stm.origin, {}}};
  parts.insert(parts.end(), combinations.begin(), combinations.end());
  return parts;
}

}  // namespace

std::vector<ir::Stm> unfused(const ir::Stm& stm, const ir::MapReduce& e, ir::Names& names) {
  const ir::Map map{e.width, e.fn, e.arrays, e.accumulators};
  return apart(stm, map, e.operators, names,
               [&](const ir::Operator& op, const std::vector<ir::Name>& operands) {
                 return ir::Reduce{e.width, op.op, op.neutral, operands, op.commutative};
               });
}

std::vector<ir::Stm> unfused(const ir::Stm& stm, const ir::MapScan& e, ir::Names& names) {
  return apart(stm, ir::Map{e.width, e.fn, e.arrays, {}}, e.operators, names,
               [&](const ir::Operator& op, const std::vector<ir::Name>& operands) {
                 return ir::Scan{e.width, op.op, op.neutral, operands};
               });
}

}  // namespace boustro::parallel
