#include "transform/parallel/flatten/dear_values.hpp"

#include <algorithm>
#include <map>

#include "transform/facts/work.hpp"
#include "transform/ir/needed.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

/// One operation on floats, which yields one.
bool is_float_operation(const Stm& stm) {
  return stm.pattern.size() == 1 && stm.pattern[0].type.is_scalar() && values::is_float(stm.pattern[0].type.elem) && is_scalar_operation(stm.exp);
}

bool takes_long(const Stm& stm) {
  const facts::Callees none([](const Name&) { return nullptr; });
  return is_float_operation(stm) && !facts::takes_at_most(facts::Works(none).of(stm), facts::function_work - 1);
}

/// The statements that use a name, in their order; one more if the body yields it.
std::vector<const Stm*> users_of(const Name& name, const Body& body) {
  std::vector<const Stm*> users;
  for (const Stm& stm : body.stms)
    if (free_names(stm).contains(name)) users.push_back(&stm);
  if (std::find(body.result.begin(), body.result.end(), Atom(name)) != body.result.end()) users.push_back(nullptr);
  return users;
}

/// What is made of it alone, as long as that is one number.
const Stm* last_made_of(const Stm* stm, const Body& body) {
  for (;;) {
    const std::vector<const Stm*> users = users_of(stm->pattern[0].name, body);
    if (users.size() != 1 || !users[0] || !is_float_operation(*users[0])) return stm;
    stm = users[0];
  }
}

/// Of scalars and elements alone.
bool can_be_apart(const std::vector<Stm>& stms) {
  return std::all_of(stms.begin(), stms.end(), [](const Stm& stm) {
    const auto* index = std::get_if<Index>(&stm.exp);
    return (is_scalar_operation(stm.exp) && !may_fail(stm.exp)) || (index && !index->checked);
  });
}

std::vector<const Stm*> dear_values(const Body& body) {
  std::vector<const Stm*> found;
  for (const Stm& stm : body.stms) {
    if (!takes_long(stm)) continue;
    const Stm* value = last_made_of(&stm, body);
    NameSet wanted{value->pattern[0].name};
    if (std::find(found.begin(), found.end(), value) == found.end() && can_be_apart(statements_for(wanted, body.stms))) found.push_back(value);
  }
  return found;
}

/// Dimensions of the nest that the value depends on.
std::vector<std::size_t> dimensions_of(const Stm& value, const Nest& nest) {
  NameSet wanted{value.pattern[0].name};
  statements_for(wanted, nest.point.body.stms);  // what they take from outside remains
  std::vector<std::size_t> dimensions;
  for (std::size_t d = 0; d < nest.space.size(); ++d)
    if (wanted.contains(nest.point.params[nest.accumulators.size() + d].name)) dimensions.push_back(d);
  return dimensions;
}

/// A nest over some dimensions of the original one, which stores these values.
Stm nest_of(const std::vector<const Stm*>& values, const std::vector<std::size_t>& dimensions, const Stm& stm, Names& names) {
  const Nest& original = std::get<Nest>(stm.exp);
  Nest nest;
  nest.over = original.over, nest.each = original.each;
  for (const std::size_t d : dimensions) {
    nest.space.push_back(original.space[d]);
    nest.point.params.push_back(original.point.params[original.accumulators.size() + d]);
  }
  Stm result{{}, {}, stm.origin, {}};
  for (const Stm* value : values) {
    const Param& param = value->pattern[0];
    nest.point.body.result.emplace_back(param.name);
    nest.point.result_types.push_back(param.type);
    Out out;
    out.rank = static_cast<int>(nest.space.size());
    nest.outs.push_back(out);
    result.pattern.push_back(names.fresh_param(param.name.base, array(param.type.elem, nest.space)));
  }
  NameSet wanted = names_among(nest.point.body.result);
  nest.point.body.stms = statements_for(wanted, original.point.body.stms);
  nest.point = rename(nest.point, names);
  result.exp = std::move(nest);
  return result;
}

}  // namespace

std::optional<StoredValues> with_stored_values(const Stm& stm, Names& names) {
  const Nest& nest = std::get<Nest>(stm.exp);
  std::map<std::vector<std::size_t>, std::vector<const Stm*>> values;  // by the dimensions that they depend on
  for (const Stm* value : dear_values(nest.point.body))
    if (const auto dimensions = dimensions_of(*value, nest); !dimensions.empty()) values[dimensions].push_back(value);
  if (values.empty()) return std::nullopt;
  StoredValues result{{}, stm};
  Nest& rest = std::get<Nest>(result.nest.exp);
  for (const auto& [dimensions, some] : values) {
    result.values.push_back(nest_of(some, dimensions, stm, names));
    std::vector<DimIndex> indices;
    for (const std::size_t d : dimensions) indices.emplace_back(nest.point.params[nest.accumulators.size() + d].name);
    for (std::size_t i = 0; i < some.size(); ++i) {
      const auto at = static_cast<std::size_t>(some[i] - nest.point.body.stms.data());
      rest.point.body.stms[at].exp = Index{result.values.back().pattern[i].name, indices, false};
    }
  }
  NameSet wanted = names_among(rest.point.body.result);
  rest.point.body.stms = statements_for(wanted, rest.point.body.stms, true);
  return result;
}

}  // namespace boustro::parallel
