#include "emit/plan/polish/common_names.hpp"

#include <algorithm>
#include <set>

#include "emit/plan/polish/declared.hpp"
#include "emit/plan/polish/renamed.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

std::set<std::string> locals_of(Stms& body) {
  std::set<std::string> names;
  for_each_stm(std::span(body), [&](Stm& stm) {
    for (const std::string* name : declared(stm)) names.insert(*name);
    if (const auto* closure = std::get_if<Closure>(&stm.what))
      for (const Param& param : closure->params) names.insert(param.name);
  });
  return names;
}

}  // namespace

std::string common_ending(const std::vector<std::string>& names) {
  std::string ending = names.front();
  const auto ends = [&](const std::string& name) { return name == ending || name.ends_with("_" + ending); };
  while (!ending.empty() && !std::all_of(names.begin(), names.end(), ends)) {
    const auto underscore = ending.find('_');
    ending.erase(0, underscore == std::string::npos ? underscore : underscore + 1);
  }
  return ending;
}

void use_common_names(Kernel& kernel, const std::vector<std::vector<std::string>>& others) {
  Renamed names;
  std::set<std::string> taken = locals_of(kernel.body);
  for (std::size_t i = 0; i < kernel.params.size(); ++i) {
    std::vector<std::string> all{kernel.params[i].name};
    for (const auto& other : others) all.push_back(other[i]);
    const std::string ending = common_ending(all);
    if (ending.empty() || !taken.insert(ending).second) return;
    if (ending != all[0]) names.emplace(all[0], ending);
  }
  for (Param& param : kernel.params) {
    rename(names, param.name);
    for (std::string& extent : param.shape) extent = with_words(extent, names);
  }
  for_each_stm(std::span(kernel.body), [&](Stm& stm) {
    for_each_expr(stm, [&](Expr& expr) { rename_variables(expr, names); });
    for (std::string* name : named(stm)) rename(names, *name);
  });
  for (std::string& line : kernel.comment.formula) line = with_words(line, names);
  kernel.comment.grid = with_words(kernel.comment.grid, names);
}

}  // namespace boustro::plan
