#include "transform/facts/aliases.hpp"

#include <algorithm>

#include "transform/facts/alias_walk.hpp"

namespace boustro::facts {

using namespace ir;

Aliases::Aliases(const std::vector<Stm>& stms, const Callees& callees) {
  Walk(*this, callees).statements(stms);
  mark_consumed();
}

Aliases::Aliases(const Program& program) {
  const Callees callees(program);
  for (const Function& function : program.functions) Walk(*this, callees).function(function);
  mark_consumed();
  mark_handed_on();
}

NameSet Aliases::roots(const Name& array) const {
  const Id* id = find(array);
  if (!id) return {array};
  NameSet names;
  for (const Id root : roots_of(*id)) names.insert(nodes_[root].name);
  return names;
}

bool Aliases::may_alias(const Name& a, const Name& b) const {
  const Id *x = find(a), *y = find(b);
  if (a == b || !x || !y) return a == b;
  const Ids &of_a = roots_of(*x), &of_b = roots_of(*y);
  return std::any_of(of_a.begin(), of_a.end(),
                     [&](Id root) { return std::binary_search(of_b.begin(), of_b.end(), root); });
}

bool Aliases::is_consumed(const Name& array) const {
  const Id* id = find(array);
  if (!id) return false;
  const Ids& roots = roots_of(*id);
  return std::any_of(roots.begin(), roots.end(), [&](Id root) { return nodes_[root].is_consumed; });
}

bool Aliases::settled(const Name& array) const {
  const Id* id = find(array);
  return id && !nodes_[*id].is_handed_on && !is_consumed(array);
}

bool Aliases::would_outlive_step(const Name& later, const Name& array) const {
  const Id *x = find(later), *y = find(array);
  if (!x || !y || !nodes_[*x].outlives_step) return false;
  const Ids all = reachable({*y});
  return std::any_of(all.begin(), all.end(), [&](Id id) { return nodes_[id].is_handed_on; });
}

void Aliases::unite(const Name& array, const Name& other) {
  const Id source = id_of(other);
  nodes_[id_of(array)].sources.push_back(source);
  roots_.clear();
}

Aliases::Id Aliases::id_of(const Name& name) {
  const auto [found, is_new] = ids_.emplace(name, nodes_.size());
  if (is_new) nodes_.push_back({name});
  return found->second;
}

const Aliases::Id* Aliases::find(const Name& name) const {
  const auto found = ids_.find(name);
  return found == ids_.end() ? nullptr : &found->second;
}

Aliases::Ids Aliases::reachable(Ids from, bool into_functions) const {
  std::unordered_set<Id> seen;
  Ids pending = std::move(from);
  while (!pending.empty()) {
    const Id id = pending.back();
    pending.pop_back();
    if (!seen.insert(id).second) continue;
    const auto go_on = [&](const Ids& ids) { pending.insert(pending.end(), ids.begin(), ids.end()); };
    go_on(nodes_[id].sources);
    if (const auto found = returned_.find(id); into_functions && found != returned_.end())
      go_on(found->second);
  }
  return {seen.begin(), seen.end()};
}

const Aliases::Ids& Aliases::roots_of(Id id) const {
  const auto [found, is_new] = roots_.try_emplace(id);
  if (is_new) {
    Ids roots = reachable({id});
    std::erase_if(roots, [&](Id one) { return !nodes_[one].is_root(); });
    std::sort(roots.begin(), roots.end());
    found->second = std::move(roots);
  }
  return found->second;
}

void Aliases::mark_consumed() {
  for (const Id id : reachable(consumed_, true))
    if (nodes_[id].is_root()) nodes_[id].is_consumed = true;
}

/// With all that they may be another name for. A view of them, on the other hand, ends with the body.
void Aliases::mark_handed_on() {
  for (const Id id : reachable(next_values_, true)) nodes_[id].is_handed_on = true;
  for (const Id id : reachable(other_next_values_, true)) nodes_[id].outlives_step = true;
}

}  // namespace boustro::facts
