// The schedule of a loop with checkpoints as data: what its forward and return sweep do, one after the other. It is what
// loop_checkpoint.cpp and loop_checkpoint_online.cpp make loops of, for people to read: `boustro derive --explain-checkpoints`.
#pragma once

#include <cstdint>
#include <vector>

namespace boustro::ad::schedule {

/// How many states #[checkpoint_online] keeps.
constexpr std::int64_t default_online_states = 24;

enum class MoveKind {
  keep,     // the state before step `first`
  advance,  // run the steps from `first` to `last` - 1
  restore,  // the kept state before step `first`
  reverse,  // step `first`: its adjoint, at the state before it
  drop      // the state before step `first`
};

struct Move {
  MoveKind kind = MoveKind::keep;
  std::int64_t first = 0, last = 0;
  bool operator==(const Move&) const = default;
};

/// What a loop of so many steps does that keeps so many states at a time, at least one and no more than there are steps.
/// The moves up to the first `reverse` or `restore` are the forward sweep.
std::vector<Move> moves(std::int64_t steps, std::int64_t states);
/// Likewise with online checkpoints: at least two states, thinned on the way.
std::vector<Move> moves_online(std::int64_t steps, std::int64_t states);

/// How many states are kept at the most, and how many times steps are run, the forward sweep's among them.
struct Cost {
  std::int64_t states = 0, runs = 0;
};
Cost cost_of(const std::vector<Move>& moves);

}  // namespace boustro::ad::schedule
