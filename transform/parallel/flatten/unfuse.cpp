// Unfused: first the results of the fused map, then what combines them. What the map yields several times is stored once.
#include "transform/parallel/flatten/unfuse.hpp"

#include <algorithm>

#include "transform/ir/ir.hpp"

namespace boustro::parallel {
namespace {

/// The results of a map, as statements behind it see them.
class Stored {
 public:
  /// `pattern`: of the fused statement, whose last results are arrays of the map.
  Stored(ir::Map map, const std::vector<ir::Param>& pattern, std::size_t operands, ir::Names& names) : map_(std::move(map)), names_(names), values_(map_.fn.body.result), types_(map_.fn.result_types) {
    const std::size_t accumulators = map_.accumulators.size();
    map_.fn.body.result.clear();
    map_.fn.result_types.clear();
    for (std::size_t i = 0; i < accumulators; ++i) add(i, pattern[i]);
    for (std::size_t i = accumulators + operands; i < values_.size(); ++i) add(i, pattern[i]);
  }

  /// An array with result number `i` of the map, called like what is made of it unless it is stored already.
  ir::Name operand(std::size_t i, const std::string& base) {
    for (std::size_t k = map_.accumulators.size(); k < pattern_.size(); ++k)
      if (map_.fn.body.result[k] == values_[i] && map_.fn.result_types[k] == types_[i]) return pattern_[k].name;
    add(i, names_.fresh_param(base + "_parts", ir::array_of(map_.width, types_[i])));
    return pattern_.back().name;
  }

  ir::Stm stm(const ir::Provenance& origin) const { return {pattern_, map_, origin, {}}; }

 private:
  void add(std::size_t i, const ir::Param& result) {
    map_.fn.body.result.push_back(values_[i]);
    map_.fn.result_types.push_back(types_[i]);
    pattern_.push_back(result);
  }

  ir::Map map_;
  ir::Names& names_;
  std::vector<ir::Atom> values_;
  std::vector<ir::Type> types_;
  std::vector<ir::Param> pattern_;
};

/// `combine(op, operands)` is the expression of one operator on arrays. The accumulators of the
/// map, its first results, are those of the statement.
template <class Combine>
std::vector<ir::Stm> apart(const ir::Stm& stm, const ir::Map& map,
                           const std::vector<ir::Operator>& operators, ir::Names& names,
                           Combine combine) {
  std::size_t count = 0;
  for (const ir::Operator& op : operators) count += op.neutral.size();
  Stored stored(map, stm.pattern, count, names);
  std::vector<ir::Stm> combinations;
  std::size_t next = map.accumulators.size();
  for (const ir::Operator& op : operators) {
    std::vector<ir::Param> results;
    std::vector<ir::Name> operands;
    for (std::size_t k = 0; k < op.neutral.size(); ++k, ++next) {
      results.push_back(stm.pattern[next]);
      operands.push_back(stored.operand(next, stm.pattern[next].name.base));
    }
    combinations.push_back({results, combine(op, operands), stm.origin, {}});
  }
  std::vector<ir::Stm> parts{stored.stm(stm.origin)};
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
