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

bool Scope::is_shared(const std::string& name) const {
  for (std::size_t level = levels_.size(); level-- > 0;)
    if (levels_[level].contains(name)) return level < shared_levels_;
  return false;
}

Variable* Scope::find(const std::string& name) {
  return const_cast<Variable*>(static_cast<const Scope*>(this)->find(name));
}

}  // namespace boustro::plan
