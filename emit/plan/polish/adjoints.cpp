#include "emit/plan/polish/adjoints.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "emit/plan/polish/declared.hpp"
#include "emit/plan/polish/renamed.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

constexpr std::string_view ending = "_adj";

/// What a variable is read from.
struct Source {
  std::string variable, array;
  std::vector<Expr> place;
};

std::string name_of(const Expr& array) {
  if (const auto* variable = std::get_if<Var>(&array.head)) return variable->name;
  const auto* piece = std::get_if<Field>(&array.head);
  return piece ? piece->name : "";
}

std::vector<Source> sources_in(const Stms& stms) {
  std::vector<Source> sources;
  for_each_stm(stms, [&](const Stm& stm) {
    const auto* let = std::get_if<Let>(&stm.what);
    if (let && let->value && std::holds_alternative<Element>(let->value->head))
      sources.push_back({let->name, name_of(let->value->args[0]), {let->value->args.begin() + 1, let->value->args.end()}});
  });
  return sources;
}

void rename_all(Stms& stms, const Renamed& names) {
  for_each_stm(std::span(stms), [&](Stm& stm) {
    for_each_expr(stm, [&](Expr& expr) { rename_variables(expr, names); });
    for (std::string* name : declared(stm)) rename(names, *name);
    for (std::string* name : named(stm)) rename(names, *name);
    for (std::string* text : {&stm.above, &stm.beside}) *text = with_words(*text, names);
  });
}

std::map<std::string, int> declarations_in(Stms& stms) {
  std::map<std::string, int> counts;
  for_each_stm(std::span(stms), [&](Stm& stm) {
    for (const std::string* name : declared(stm)) ++counts[*name];
    if (const auto* closure = std::get_if<Closure>(&stm.what))
      for (const Param& param : closure->params) ++counts[param.name];
  });
  return counts;
}

void name_in(Stms& stms, const std::vector<Param>& params) {
  std::vector<Source> sources = sources_in(stms);
  const std::map<std::string, int> declarations = declarations_in(stms);
  std::erase_if(sources, [&](const Source& source) { return declarations.at(source.variable) > 1; });
  std::set<std::string> taken = names_in(stms);
  taken.merge(called_in(stms));
  for (const Param& param : params) taken.insert(param.name);
  for (const auto& [name, count] : declarations) taken.insert(name);
  Renamed names;
  for (const Source& adjoint : sources) {
    const auto belongs = [&](const Source& value) { return value.array + std::string(ending) == adjoint.array && value.place == adjoint.place; };
    const auto value = std::find_if(sources.begin(), sources.end(), belongs);
    if (value == sources.end()) continue;
    const std::string name = value->variable + std::string(ending);
    if (taken.insert(name).second) names.emplace(adjoint.variable, name);
  }
  if (!names.empty()) rename_all(stms, names);
}

}  // namespace

void name_adjoints(Entry& entry) {
  for (Definition& definition : entry.definitions) {
    if (auto* function = std::get_if<Function>(&definition)) name_in(function->body, function->params);
    if (auto* functor = std::get_if<Functor>(&definition)) name_in(functor->body, functor->params);
  }
  for (Kernel& kernel : entry.kernels) name_in(kernel.body, kernel.params);
  name_in(entry.body, entry.params);
}

}  // namespace boustro::plan
