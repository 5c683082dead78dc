#include "transform/ad/reverse/checkpoint_moves.hpp"

#include <algorithm>

namespace boustro::ad::schedule {
namespace {

/// checkpoint_schedule.hpp, in numbers.
std::int64_t split(std::int64_t steps, std::int64_t slots) {
  if (slots <= 1) return steps - 1;
  std::int64_t repeats = 0, reach = 1;
  while (reach < steps) {
    ++repeats;
    reach = reach * (slots + repeats) / repeats;
  }
  const std::int64_t before = reach * repeats / (slots + repeats), behind = before * slots / (slots + repeats - 1);
  return std::min(before, steps - behind);
}

/// A kept state, and the stretch behind it that it is for.
struct Kept {
  std::int64_t place = 0, length = 0;
};

class Scheduler {
 public:
  Scheduler(std::int64_t steps, std::int64_t slots) : steps_(steps), slots_(slots) {}

  /// Each sweep once, the forward sweep before the return sweep.
  void forward() {
    keep({0, steps_ + 1});  // the end of the loop is a state like those before it
    go_to(steps_);
  }

  void online_forward() {
    const std::int64_t least_room = std::max<std::int64_t>(slots_ / 3, 1);
    std::int64_t stride = 1, room = slots_, at = 0;
    const auto run_to = [&](std::int64_t step) {
      if (at < step) add(MoveKind::advance, at, step);
      at = step;
    };
    for (std::int64_t step = 0; step < steps_; ++step) {
      while (step == room * stride) {
        run_to(step);
        thin();
        stride *= 2;
        room = std::max(room - 1, least_room);
      }
      if (step == static_cast<std::int64_t>(kept_.size()) * stride) {
        run_to(step);
        keep({step, 0});
      }
    }
    run_to(steps_);
  }

  std::vector<Move> reversed() {
    for (std::int64_t step = steps_ - 1; step >= 0; --step) {
      while (kept_.back().place > step) {
        add(MoveKind::drop, kept_.back().place);
        kept_.pop_back();
      }
      kept_.back().length = step + 1 - kept_.back().place;
      add(MoveKind::restore, kept_.back().place);
      go_to(step);
      add(MoveKind::reverse, step);
    }
    return std::move(moves_);
  }

 private:
  void add(MoveKind kind, std::int64_t first, std::int64_t last = 0) { moves_.push_back({kind, first, last}); }

  void keep(const Kept& kept) {
    add(MoveKind::keep, kept.place);
    kept_.push_back(kept);
  }

  /// Drops every other state.
  void thin() {
    std::vector<Kept> stay;
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      if (k % 2 == 0) stay.push_back(kept_[k]);
      else add(MoveKind::drop, kept_[k].place);
    }
    kept_ = std::move(stay);
  }

  /// From the last state kept to the state before step `target`, the last one of its stretch.
  void go_to(std::int64_t target) {
    while (kept_.back().length > 1) {
      const auto [place, length] = kept_.back();
      const std::int64_t free = slots_ - static_cast<std::int64_t>(kept_.size()) + 1;
      const std::int64_t part = split(length, free);
      add(MoveKind::advance, place, place + part);
      if (free <= 1 || place + part >= target) return;
      keep({place + part, length - part});
    }
  }

  std::int64_t steps_, slots_;
  std::vector<Kept> kept_;
  std::vector<Move> moves_;
};

}  // namespace

std::vector<Move> moves(std::int64_t steps, std::int64_t states) {
  steps = std::max<std::int64_t>(steps, 0);
  Scheduler scheduler(steps, std::clamp<std::int64_t>(states, 1, std::max<std::int64_t>(steps, 1)));
  scheduler.forward();
  return scheduler.reversed();
}

std::vector<Move> moves_online(std::int64_t steps, std::int64_t states) {
  Scheduler scheduler(std::max<std::int64_t>(steps, 0), std::max<std::int64_t>(states, 2));
  scheduler.online_forward();
  return scheduler.reversed();
}

Cost cost_of(const std::vector<Move>& moves) {
  Cost cost;
  std::int64_t kept = 0;
  for (const Move& move : moves) {
    if (move.kind == MoveKind::keep) cost.states = std::max(cost.states, ++kept);
    if (move.kind == MoveKind::drop) --kept;
    if (move.kind == MoveKind::advance) cost.runs += move.last - move.first;
  }
  return cost;
}

}  // namespace boustro::ad::schedule
