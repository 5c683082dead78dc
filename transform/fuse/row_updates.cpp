#include "transform/fuse/row_updates.hpp"

#include <algorithm>

#include "transform/ir/traversal.hpp"

namespace boustro::fuse {

using namespace ir;

bool nothing_consumed(const std::vector<Stm>& stms, Position first, Position last,
                      const facts::Callees& callees) {
  return std::all_of(stms.begin() + static_cast<std::ptrdiff_t>(first),
                     stms.begin() + static_cast<std::ptrdiff_t>(last), [&](const Stm& stm) {
                       return std::holds_alternative<UpdateAcc>(stm.exp) ||
                              facts::consumed_by(stm.exp, callees).empty();
                     });
}

std::size_t uses(const Body& body, const Name& name) {
  auto result = static_cast<std::size_t>(std::count(body.result.begin(), body.result.end(), Atom(name)));
  for (const Stm& stm : body.stms) result += free_names(stm).count(name);
  return result;
}

bool adds_up(const WithAcc& with) {
  return std::all_of(with.inputs.begin(), with.inputs.end(), [](const AccumulatorInput& input) { return std::holds_alternative<AddUp>(input.kind); });
}

bool takes_accumulators(const Function& function) {
  return std::any_of(function.params.begin(), function.params.end(), [](const Param& param) { return param.type.accumulator; });
}

bool uses_any(const Stm& stm, const std::vector<Param>& params) {
  const NameSet used = free_names(stm);
  return std::any_of(params.begin(), params.end(),
                     [&](const Param& param) { return used.contains(param.name); });
}

Name add_positions(Builder& builder, Map& map) {
  map.arrays.push_back(builder.let("positions", Iota{map.width}));
  map.fn.params.push_back(builder.names.fresh_param("j", scalar(PrimType::i64)));
  return map.fn.params.back().name;
}

void add_element(Map& map, const UpdateAcc& update, const Atom& value, const Name& j,
                 Names& names) {
  const auto place = static_cast<std::ptrdiff_t>(map.accumulators.size());
  const Param acc =
      names.fresh_param(update.accumulator.base, names.type_of(update.accumulator), true);
  map.accumulators.push_back(update.accumulator);
  map.fn.params.insert(map.fn.params.begin() + place, acc);
  UpdateAcc element{acc.name, update.indices, value, update.in_bounds};
  element.indices.push_back(j);
  Builder inner(names);
  const Name added = inner.let(acc.name.base, std::move(element));
  map.fn.body.stms.push_back(std::move(inner.stms.back()));
  map.fn.body.result.push_back(added);
  map.fn.result_types.push_back(acc.type);
}

}  // namespace boustro::fuse
