#include "emit/plan/polish/sweeps.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

using ir::Sweep;

constexpr std::size_t most_turns = 4;

/// Of kernels and library calls, by name.
using Sweeps = std::map<std::string, Sweep>;

Sweeps sweeps_of(const Program& plan) {
  Sweeps sweeps;
  for (const Entry& entry : plan.entries) {
    for (const Kernel& kernel : entry.kernels) sweeps.emplace(kernel.name, kernel.comment.sweep);
    for (const Library& library : entry.libraries) sweeps.emplace(library.name, library.comment.sweep);
  }
  return sweeps;
}

std::set<Sweep> sweeps_in(const Stm& stm, const Sweeps& sweeps) {
  std::set<Sweep> result;
  for_each_stm({stm}, [&](const Stm& inner) {
    const auto* launch = std::get_if<Launch>(&inner.what);
    const auto* run = std::get_if<Run>(&inner.what);
    if (launch || run) result.insert(sweeps.at(launch ? launch->kernel : run->library));
  });
  return result;
}

bool is_of_both(const std::set<Sweep>& sweeps) { return sweeps.contains(Sweep::forward) && sweeps.contains(Sweep::reverse); }

/// A statement where a sweep begins.
struct Turn {
  std::size_t at;
  Sweep sweep;
};

/// A sweep begins behind the last step of the one before, with what prepares its own first step.
std::vector<Turn> turns_of(const Stms& stms, const Sweeps& sweeps) {
  std::vector<Turn> turns;
  std::size_t begin = 0;  // of what may belong to the next step
  for (std::size_t i = 0; i < stms.size(); ++i) {
    const std::set<Sweep> here = sweeps_in(stms[i], sweeps);
    if (here.empty()) continue;  // nothing for the device
    const Sweep sweep = here.contains(Sweep::reverse) ? Sweep::reverse : Sweep::forward;
    const bool says = here.contains(sweep) || turns.empty();  // a step of no sweep goes on with the one before
    if (says && (turns.empty() || turns.back().sweep != sweep)) turns.push_back({turns.empty() ? i : begin, sweep});
    begin = i + 1;
  }
  return turns;
}

void say(Stms& stms, const Sweeps& sweeps) {
  for (Stm& stm : stms) {
    if (!is_of_both(sweeps_in(stm, sweeps))) continue;
    for_each_body(stm, [&](Stms& inside) { say(inside, sweeps); });
    return;  // the statements around it belong to it
  }
  const std::vector<Turn> turns = turns_of(stms, sweeps);
  if (turns.size() < 2 || turns.size() > most_turns) return;
  for (const Turn& turn : turns) {
    Stm& stm = stms[turn.at];
    const std::string what = turn.sweep == Sweep::reverse ? "Return sweep." : "Forward sweep.";
    stm.above = stm.above.empty() ? what : what + " " + stm.above;
    stm.gap = stm.gap || turn.at > 0;
  }
}

}  // namespace

void say_sweeps(Program& plan) {
  const Sweeps sweeps = sweeps_of(plan);
  for (Entry& entry : plan.entries) say(entry.body, sweeps);
}

}  // namespace boustro::plan
