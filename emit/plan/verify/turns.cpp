// What iterations of a parallel loop do in their order: one turn for each, and what changes then is theirs alone.
#include <set>
#include <utility>

#include <fmt/format.h>

#include "emit/plan/verify/verifier.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

/// Takes what is done in order out of the statements.
void take_turns(Stms& stms, std::vector<Ordered>& turns) {
  std::erase_if(stms, [&](const Stm& stm) {
    const auto* ordered = std::get_if<Ordered>(&stm.what);
    if (ordered) turns.push_back(*ordered);
    return ordered != nullptr;
  });
  for (Stm& stm : stms)
    for_each_body(stm, [&](Stms& body) { take_turns(body, turns); });
}

}  // namespace

void Verifier::check(const Ordered& ordered, Scope& scope) {
  require(scope.parallel && !scope.ordered, "an order of what is not in a parallel loop");
  require(!scope.repeated, "an iteration of a parallel loop has its turn more than once");
  scope.ordered = true;
  check(ordered.body, scope);
  scope.ordered = false;
}

/// Variables of the outside that change in the turns are not used at other times.
void Verifier::check_turns(const For& loop, const Scope& outside) {
  Stms others = loop.body;
  std::vector<Ordered> turns;
  take_turns(others, turns);
  if (turns.empty()) return;
  require(turns.size() == 1, "an iteration of a parallel loop has its turn more than once");
  const std::set<std::string> used = names_in(others);
  for_each_stm(turns[0].body, [&](const Stm& stm) {
    const auto* assign = std::get_if<Assign>(&stm.what);
    const auto* target = assign ? std::get_if<Var>(&assign->target.head) : nullptr;
    require(!target || !outside.find(target->name) || !used.contains(target->name),
            fmt::format("`{}` changes in order, and is used at other times", target ? target->name : ""));
  });
}

void Verifier::check_repeated(const Stms& body, Scope& scope) {
  const bool repeated = std::exchange(scope.repeated, scope.parallel);
  check(body, scope);
  scope.repeated = repeated;
}

void Verifier::check_staying(const Scope& scope) {
  require(!scope.ordered || scope.repeated, "a jump out of what is done in order");
}

}  // namespace boustro::plan
