#include "transform/ir/needed.hpp"

#include <algorithm>

namespace boustro::ir {

std::vector<Stm> statements_for(NameSet& wanted, const std::vector<Stm>& stms, bool checks) {
  std::vector<Stm> kept;
  for (auto stm = stms.rbegin(); stm != stms.rend(); ++stm) {
    const auto is_wanted = [&](const Param& param) { return wanted.contains(param.name); };
    const bool is_check = stm->pattern.empty() && checks;
    if (!is_check && std::none_of(stm->pattern.begin(), stm->pattern.end(), is_wanted)) continue;
    for (const Param& param : stm->pattern) wanted.erase(param.name);
    wanted.merge(free_names(*stm));
    kept.push_back(*stm);
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

NameSet names_among(const std::vector<Atom>& atoms) {
  NameSet names;
  for (const Atom& atom : atoms)
    if (const Name* name = name_in(atom)) names.insert(*name);
  return names;
}

}  // namespace boustro::ir
