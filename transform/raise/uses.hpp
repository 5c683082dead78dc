// Where the variables of a tree are bound and used.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "transform/raise/walk.hpp"

namespace boustro::raise {

/// A place of the program: two places with the same `runs` are computed equally often.
struct Place {
  int runs = 0, function = 0;
};
struct Usage {
  int uses = 0;
  bool in_types = false;
  Place bound, used;
};

/// Counts uses, and tells where they are.
class Uses {
 public:
  void use(std::string& name) {
    Usage& usage = usages_[name];
    ++usage.uses;
    usage.used = place_;
  }
  void mention(std::string& name) {
    use(name);
    usages_[name].in_types = true;
  }
  void bind(std::string& name) { usages_[name].bound = place_; }
  void enter(ScopeKind kind) {
    around_.push_back(place_);
    if (kind == ScopeKind::function || kind == ScopeKind::loop) place_.runs = ++scopes_;
    if (kind == ScopeKind::function || kind == ScopeKind::function_once) place_.function = ++scopes_;
  }
  void leave() {
    place_ = around_.back();
    around_.pop_back();
  }

  const Usage& of(const std::string& name) { return usages_[name]; }

 private:
  std::unordered_map<std::string, Usage> usages_;
  std::vector<Place> around_;
  Place place_;
  int scopes_ = 0;
};

/// The names that occur in the expression, as often as they do.
std::vector<std::string> names_in(ast::Exp& exp);
/// The names that a pattern binds, fields of records aside.
std::vector<std::string> bound_names(const ast::Pattern& pattern);

}  // namespace boustro::raise
