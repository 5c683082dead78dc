#include "emit/plan/planner/kernel_names.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "emit/plan/formula.hpp"
#include "emit/plan/planner/names.hpp"
#include "emit/plan/polish/renamed.hpp"
#include "transform/ir/unnamed.hpp"

namespace boustro::plan::planner {
namespace {

/// `qs_kernel_2` without the number.
std::string without_number(const std::string& name) {
  const auto end = name.find_last_not_of("0123456789");
  const bool numbered = end != std::string::npos && end + 1 < name.size() && name[end] == '_';
  return numbered ? name.substr(0, end) : name;
}

/// Of an array: without a number, and without the underscore that keeps a name apart, beside which C++ allows no other.
std::string stem_of(const Param& array) {
  const std::string name = without_number(array.name);
  const auto end = name.find_last_not_of('_');
  return end == std::string::npos ? name : name.substr(0, end + 1);
}

/// `tiles_kernel` of `qs_tiles_kernel`: how it computes what it does.
std::string manner_of(const std::string& name) {
  for (const char* manner : {"_tiles_kernel", "_staged_kernel", "_shared_kernel", "_global_kernel", "_kernel"})
    if (name.ends_with(manner)) return manner;
  return "";
}

/// Arrays of which the first one does not tell what a kernel is about; or one less, if no formula tells either.
constexpr int several = 3;

bool is_written(const Param& param) {
  return param.access == Access::written || param.access == Access::added_to || (param.access == Access::updated && param.name != "failure_record");
}

/// As the planner called it, but for a number and the name of the entry, which tell names apart.
std::string planned_name(const Kernel& kernel, const Entry& entry) {
  const std::string name = without_number(kernel.name), prefix = entry.name + "_";
  const std::string rest = name.starts_with(prefix) ? name.substr(prefix.size()) : name;
  return manner_of(rest).empty() ? name : rest;
}

const Param* first_written(const std::vector<Param>& params) {
  const auto found = std::find_if(params.begin(), params.end(), is_written);
  return found == params.end() ? nullptr : &*found;
}

/// After the first array that it writes; a `result` says less than what the planner called it, but for the name of an operation: `quotient`.
std::string base_of(const Kernel& kernel, const Entry& entry) {
  const std::string planned = planned_name(kernel, entry), manner = manner_of(without_number(kernel.name));
  const Param* written = first_written(kernel.params);
  if (!written || manner.empty()) return planned;
  const bool says_more = stem_of(*written) != "result" || ir::names_an_operation(planned.substr(0, planned.rfind(manner)));
  return says_more ? stem_of(*written) + manner : planned;
}

/// What the source spells out before a return sweep belongs to the forward sweep. The kernel is one of the entry's.
std::string_view word_for(const Kernel& kernel, const Entry& entry) {
  const ir::Sweep sweep = kernel.comment.sweep;
  if (sweep == ir::Sweep::reverse) return "_return";
  const auto at = &kernel - entry.kernels.data();  // some of them have their names already
  const bool returns = std::any_of(entry.kernels.begin() + at, entry.kernels.end(), [](const Kernel& later) { return later.comment.sweep == ir::Sweep::reverse; });
  return sweep == ir::Sweep::forward || (sweep == ir::Sweep::none && returns) ? "_forward" : "";
}

/// As part of a name of C++; empty for an operator.
std::string word_of(const std::string& function) {
  const std::string word = identifier(function);
  const auto end = word.find_last_not_of('_');
  return function.empty() || !std::isalpha(static_cast<unsigned char>(function[0])) ? "" : word.substr(0, end + 1);
}

/// Of a kernel that no array tells about; empty for others.
std::string name_of_part(const Kernel& kernel, const Entry& entry) {
  const std::string manner = manner_of(without_number(kernel.name)), function = word_of(kernel.comment.function);
  const auto written = std::count_if(kernel.params.begin(), kernel.params.end(), is_written);
  const bool is_told = std::ranges::none_of(kernel.comment.formula, [](const std::string& line) { return line.ends_with(step_by_step); });
  if (written < (is_told ? several : several - 1) || function.empty() || manner.empty()) return "";
  const bool makes_adjoints = std::ranges::any_of(kernel.params, [](const Param& param) { return is_written(param) && param.name.ends_with("_adj"); });
  if (kernel.comment.sweep == ir::Sweep::reverse && !makes_adjoints) return "";
  return function + std::string(word_for(kernel, entry)) + manner;
}

/// What tells it from another kernel that writes the same array.
std::string name_of_change(const Kernel& kernel, const std::string& base) {
  const Param* written = first_written(kernel.params);
  if (!written || written->access == Access::written) return base;
  return (written->access == Access::added_to ? "add_to_" : "update_") + base;
}

void for_each_launch(Stms& stms, const std::function<void(Launch&)>& visit) {
  for (Stm& stm : stms) {
    if (auto* launch = std::get_if<Launch>(&stm.what)) visit(*launch);
    if (auto* loop = std::get_if<For>(&stm.what)) for_each_launch(loop->body, visit);
    if (auto* loop = std::get_if<While>(&stm.what)) for_each_launch(loop->body, visit);
    if (auto* branch = std::get_if<If>(&stm.what)) {
      for_each_launch(branch->then_body, visit);
      for_each_launch(branch->else_body, visit);
    }
  }
}

/// Names of the file that are no kernels'.
std::set<std::string> other_names(const Program& plan) {
  std::set<std::string> names;
  const auto add_all = [&](const std::vector<Definition>& definitions) {
    for (const Definition& definition : definitions)
      std::visit([&](const auto& x) { names.insert(x.name); }, definition);
  };
  add_all(plan.definitions);
  for (const Entry& entry : plan.entries) {
    names.insert(entry.name);
    add_all(entry.definitions);
    for (const Library& library : entry.libraries) names.insert(library.name);
  }
  return names;
}

/// `add_means_adj`: after what it adds to, and not what the planner made it for.
std::string name_of_addition(const Function& function) {
  const Param* written = first_written(function.params);
  return written && !function.verb.empty() ? function.verb + "_" + stem_of(*written) : function.name;
}

void name_additions(Program& plan, std::set<std::string>& taken) {
  Renamed renamed;
  for (Entry& entry : plan.entries)
    for (Definition& definition : entry.definitions) {
      auto* function = std::get_if<Function>(&definition);
      const std::string wanted = function ? name_of_addition(*function) : "";
      if (!function || wanted == function->name || !taken.insert(wanted).second) continue;
      renamed[function->name] = wanted;
      function->name = wanted;
    }
  const UseOthers use(renamed);
  for (Entry& entry : plan.entries)
    for (Kernel& kernel : entry.kernels) use.in(kernel);
}

}  // namespace

void name_kernels(Program& plan, const std::set<std::string>& variables) {
  std::map<std::string, std::set<std::string>> entries;  // that have a kernel of that name
  for (const Entry& entry : plan.entries)
    for (const Kernel& kernel : entry.kernels) entries[base_of(kernel, entry)].insert(entry.name);
  std::set<std::string> taken = other_names(plan);
  taken.insert(variables.begin(), variables.end());
  name_additions(plan, taken);
  std::map<std::string, int> parts;
  for (const Entry& entry : plan.entries)
    for (const Kernel& kernel : entry.kernels) ++parts[name_of_part(kernel, entry)];
  const auto first_free = [&](const std::array<std::string, 6>& wanted) {
    for (const std::string& name : wanted)
      if (!name.empty() && taken.insert(name).second) return name;
    for (int number = 2;; ++number)
      if (const std::string name = wanted[1] + "_" + std::to_string(number); taken.insert(name).second) return name;
  };
  std::map<std::string, std::string> renamed;  // entries call kernels of those before
  for (Entry& entry : plan.entries) {
    for (Kernel& kernel : entry.kernels) {
      const std::string base = base_of(kernel, entry), planned = planned_name(kernel, entry);
      const std::string of_entry = entry.name + "_" + base, apart = planned.ends_with(base) ? planned : of_entry;
      const std::string part = name_of_part(kernel, entry), own = !part.empty() && parts.at(part) == 1 ? part : "";
      const std::string name = first_free({own, entries.at(base).size() > 1 ? apart : base, name_of_change(kernel, base), planned, of_entry, entry.name + "_" + planned});
      renamed[kernel.name] = name;
      kernel.name = name;
    }
    for_each_launch(entry.body, [&](Launch& launch) { launch.kernel = renamed.at(launch.kernel); });
  }
}

}  // namespace boustro::plan::planner
