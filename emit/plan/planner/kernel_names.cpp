#include "emit/plan/planner/kernel_names.hpp"

#include <functional>
#include <map>
#include <set>

namespace boustro::plan::planner {
namespace {

/// `qs_kernel_2` without the number.
std::string without_number(const std::string& name) {
  const auto end = name.find_last_not_of("0123456789");
  const bool numbered = end != std::string::npos && end + 1 < name.size() && name[end] == '_';
  return numbered ? name.substr(0, end) : name;
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

}  // namespace

void name_kernels(Program& plan, const std::set<std::string>& variables) {
  std::map<std::string, std::set<std::string>> entries;  // that have a kernel of that name
  for (const Entry& entry : plan.entries) {
    for (const Kernel& kernel : entry.kernels)
      entries[without_number(kernel.name)].insert(entry.name);
  }
  std::set<std::string> taken = other_names(plan);
  taken.insert(variables.begin(), variables.end());
  std::map<std::string, std::string> renamed;  // entries call kernels of those before
  for (Entry& entry : plan.entries) {
    for (Kernel& kernel : entry.kernels) {
      const std::string base = without_number(kernel.name);
      const std::string wanted = entries.at(base).size() > 1 ? entry.name + "_" + base : base;
      std::string name = wanted;
      for (int number = 2; !taken.insert(name).second; ++number)
        name = wanted + "_" + std::to_string(number);
      renamed[kernel.name] = name;
      kernel.name = name;
    }
    for_each_launch(entry.body, [&](Launch& launch) { launch.kernel = renamed.at(launch.kernel); });
  }
}

}  // namespace boustro::plan::planner
