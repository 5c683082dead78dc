// Updates of an array that a loop carries, of elements that nobody reads any more.
//
// Rule      an update is a copy of the array before it if no read in the loop comes behind it at the same elements, neither in its own
//           iteration nor in a later one, and nobody wants the array behind the loop
// Applies   a loop that counts, and only reads and updates parts of the array: how many iterations lie between an update and a read of
//           the same element, facts/dependences says. Inner loops that update the array are looked into
// Cost      none
//
// Before:  loop (as, s) = (as0, 0) for i < n do let j = n - 1 - i  let a = as[j]  in (as with [j] = 0, s + f a)      the last as is dead
// After:   loop (as, s) = (as0, 0) for i < n do let j = n - 1 - i  let a = as[j]  in (as, s + f a)
//          Not with as[i - 1] = 0, which the next iteration reads.
//
// Reverse mode makes such updates: of an array that a loop fills in place, the return sweep takes the adjoint of an element, and puts zero
// there. What is left of the loop's parameter is invariant.
#include <map>

#include "transform/facts/dependences.hpp"
#include "transform/simplify/rules.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

class UnreadUpdates {
 public:
  UnreadUpdates(const Loop& loop, std::size_t param) {
    auto versions = facts::versions_of(loop, param);
    if (!versions) return;
    versions_ = std::move(*versions);
    enter(loop);
    for (const CarryingLoop& carrying : loops_) note_reads(carrying);
  }

  /// What they yield.
  NameSet names() const {
    NameSet names;
    for (const Stm* update : updates_)
      if (!is_read_.contains(update)) names.insert(update->pattern[0].name);
    return names;
  }

 private:
  using Path = std::vector<const Loop*>;

  /// Where a read or an update stands: in which loops that carry the array, the outermost first, and as which.
  struct Place {
    Path loops;
    std::size_t number;
  };
  struct CarryingLoop {
    const Loop* loop;
    std::size_t param, depth;
  };

  void enter(const Loop& loop) {
    for (std::size_t i = 0; i < loop.params.size(); ++i) {
      if (!versions_.contains(loop.params[i].param.name)) continue;
      loops_.push_back({&loop, i, around_.size()});
      around_.push_back(&loop);
      body(loop.body);
      around_.pop_back();
      return;
    }
    body(loop.body);
  }

  void body(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (const auto* read = std::get_if<Index>(&stm.exp); read && versions_.contains(read->array)) place(stm);
      if (const auto* update = std::get_if<Update>(&stm.exp); update && versions_.contains(update->array)) {
        place(stm);
        updates_.push_back(&stm);
      }
      if (const auto* loop = std::get_if<Loop>(&stm.exp)) enter(*loop);
      else for_each_body(stm.exp, [&](const Body& inner) { this->body(inner); });
    }
  }

  void place(const Stm& stm) { places_.emplace(&stm, Place{around_, places_.size()}); }

  /// In one iteration of the loops around this one.
  void note_reads(const CarryingLoop& carrying) {
    const auto found = facts::dependences_of(*carrying.loop, carrying.param);
    if (found) {
      for (const facts::Dependence& dependence : *found)
        if (is_read_later(dependence, carrying.depth)) is_read_.insert(dependence.write);
      return;
    }
    for (const Stm* update : updates_)
      if (loop_at(places_.at(update), carrying.depth) == carrying.loop) is_read_.insert(update);
  }

  bool is_read_later(const facts::Dependence& dependence, std::size_t depth) const {
    if (dependence.distance != 0) return !dependence.distance || *dependence.distance > 0;
    const Place &write = places_.at(dependence.write), &read = places_.at(dependence.read);
    const Loop* inner = loop_at(write, depth + 1);
    const bool inner_tells = inner && inner == loop_at(read, depth + 1);
    return !inner_tells && read.number > write.number;
  }

  static const Loop* loop_at(const Place& place, std::size_t depth) {
    return depth < place.loops.size() ? place.loops[depth] : nullptr;
  }

  NameSet versions_;
  Path around_;
  std::vector<CarryingLoop> loops_;
  std::vector<const Stm*> updates_;
  std::map<const Stm*, Place> places_;
  std::set<const Stm*> is_read_;
};

void remove(Body& body, const NameSet& unread, Substitution& before) {
  std::erase_if(body.stms, [&](Stm& stm) {
    map_bodies(stm.exp, [&](Body& inner) { remove(inner, unread, before); });
    const auto* update = std::get_if<Update>(&stm.exp);
    if (!update || !unread.contains(stm.pattern[0].name)) return false;
    const auto earlier = before.find(update->array);
    before.emplace(stm.pattern[0].name, earlier == before.end() ? Atom(update->array) : earlier->second);
    return true;
  });
}

}  // namespace

RuleResult unread_updates(Stm& stm, Context& context) {
  auto* loop = std::get_if<Loop>(&stm.exp);
  if (!loop) return std::nullopt;
  bool any = false;
  for (std::size_t i = 0; i < loop->params.size(); ++i) {
    if (context.uses(stm.pattern[i].name) > 0 || loop->body.result[i] == Atom(loop->params[i].param.name)) continue;
    const NameSet unread = UnreadUpdates(*loop, i).names();
    if (unread.empty()) continue;
    Substitution before;
    remove(loop->body, unread, before);
    substitute(loop->body, before);
    any = true;
  }
  if (!any) return std::nullopt;
  Rewrite result;
  result.push_back(std::move(stm));
  return result;
}

}  // namespace boustro::simplify
