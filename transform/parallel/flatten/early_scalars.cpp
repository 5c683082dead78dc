#include "transform/parallel/flatten/early_scalars.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "transform/ir/traversal.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

bool is_movable(const Stm& stm) {
  const auto* literal = std::get_if<ArrayLiteral>(&stm.exp);
  if (literal) return literal->row.is_scalar();
  return is_scalar_operation(stm.exp) && !may_fail(stm.exp);
}

}  // namespace

void compute_scalars_early(Body& body) {
  // What stands behind each statement. What needs none of them stays where it is: the host may know it.
  std::vector<std::vector<Stm>> behind(body.stms.size());
  std::unordered_map<Name, std::size_t> places;
  for (std::size_t i = 0; i < body.stms.size(); ++i) {
    Stm& stm = body.stms[i];
    std::optional<std::size_t> place;
    if (is_movable(stm)) {
      for (const Name& name : free_names(stm)) {
        const auto found = places.find(name);
        if (found != places.end()) place = std::max(place.value_or(0), found->second);
      }
    }
    for (const Param& param : stm.pattern) places.emplace(param.name, place.value_or(i));
    behind[place.value_or(i)].push_back(std::move(stm));
  }
  body.stms.clear();
  for (std::vector<Stm>& group : behind)
    for (Stm& stm : group) body.stms.push_back(std::move(stm));
}

}  // namespace boustro::parallel
