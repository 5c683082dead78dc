#include "emit/plan/verify/scope.hpp"

namespace boustro::plan {

bool Scope::define(const std::string& name, Variable variable) {
  if (find(name)) return false;
  levels_.back().emplace(name, std::move(variable));
  return true;
}

const Variable* Scope::find(const std::string& name) const {
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    const auto found = level->find(name);
    if (found != level->end()) return &found->second;
  }
  return nullptr;
}

bool Scope::is_member(const std::string& name) const {
  const Variable* of = name.find("::") == std::string::npos ? nullptr : find(name.substr(0, name.find("::")));
  return of && of->alias;
}

bool Scope::is_matrix(const Expr& array) const {
  const auto* name = std::get_if<Var>(&array.head);
  const Variable* variable = name ? find(name->name) : nullptr;
  return variable && variable->matrix;
}

bool Scope::is_shared(const std::string& name) const {
  for (std::size_t level = levels_.size(); level-- > 0;)
    if (levels_[level].contains(name)) return level < shared_levels_;
  return false;
}

Variable* Scope::find(const std::string& name) {
  return const_cast<Variable*>(static_cast<const Scope*>(this)->find(name));
}

}  // namespace boustro::plan
