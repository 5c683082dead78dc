#include "transform/simplify/common_statements.hpp"

#include <algorithm>

#include "transform/ir/traversal.hpp"
#include "transform/simplify/common.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

/// Scalars from scalars alone.
bool is_scalar_work(const Stm& stm) {
  const auto& pattern = stm.pattern;
  const bool scalars = std::all_of(pattern.begin(), pattern.end(), [](const Param& p) { return p.type.is_scalar(); });
  if (!scalars || pattern.empty() || !stm.attributes.empty()) return false;
  if (is_scalar_operation(stm.exp) || std::holds_alternative<Call>(stm.exp)) return true;
  const auto* branch = std::get_if<If>(&stm.exp);
  const auto all = [](const Body& body) { return std::all_of(body.stms.begin(), body.stms.end(), is_scalar_work); };
  return branch && all(branch->then_body) && all(branch->else_body);
}

}  // namespace

CommonStatements common_statements(const std::vector<Stm>& earlier, const std::vector<Stm>& later,
                                   const Substitution& same) {
  std::unordered_multimap<std::size_t, std::pair<Exp, const Stm*>> known;
  for (const Stm& stm : earlier) {
    if (!is_scalar_work(stm)) continue;
    Exp exp = canonical(stm.exp);
    const std::size_t hash = hash_of(exp);
    known.emplace(hash, std::pair(std::move(exp), &stm));
  }
  CommonStatements result;
  Substitution names = same;
  for (std::size_t i = 0; i < later.size(); ++i) {
    if (!is_scalar_work(later[i])) continue;
    Exp exp = later[i].exp;
    substitute(exp, names);
    exp = canonical(exp);
    const auto [begin, end] = known.equal_range(hash_of(exp));
    const auto found = std::find_if(begin, end, [&](const auto& entry) { return entry.second.first == exp; });
    if (found == end) continue;
    result.positions.push_back(i);
    for (std::size_t k = 0; k < later[i].pattern.size(); ++k) {
      const Name& name = found->second.second->pattern[k].name;
      names.emplace(later[i].pattern[k].name, name);
      result.names.emplace(later[i].pattern[k].name, name);
    }
  }
  return result;
}

}  // namespace boustro::simplify
