// What all schemes of checkpoints have in common: arrays with a slot for each state kept, and a return sweep that goes on from the last one.
// A scheme says how many slots there are, what the forward loop keeps, and which step's state a slot holds: loop_checkpoint.cpp,
// loop_checkpoint_online.cpp.
#pragma once

#include "transform/ad/reverse/loop_checkpoint.hpp"

namespace boustro::ad {

class CheckpointStates : public LoopStates {
 public:
  /// The statement outlives this.
  CheckpointStates(Reverse& reverse, const ir::Stm& stm);

  void keep(const ir::Param& value) override { needed_.insert(value.name); }
  bool keeps_values() const override { return false; }
  void emit_forward(ir::Builder& forward, ir::Stm loop, const ir::Atom& count) override;
  std::vector<ir::LoopParam> carried() const override;
  std::vector<ir::Atom> load(ir::Builder& body, const ir::Name& index, const ir::NameSet& consumed) const override;

 protected:
  /// A parameter of the loop that steps need: all its states are in one array, one for each slot.
  struct Kept {
    std::size_t loop_param;
    ir::Param param;  // of the return loop
    ir::Atom states;  // after the forward loop
  };

  /// What the forward loop leaves: an array for each that is kept, how many slots are in use, and the step that the last one stands for.
  struct Filled {
    std::vector<ir::Atom> states;
    ir::Atom top, place;
  };

  /// A builder for the forward sweep, whose statements say which rule it is.
  virtual ir::Builder builder() const = 0;
  /// Says how many slots there are, in `slots_`, and emits the loop with what fills them.
  virtual Filled forward_loop(ir::Builder& b, ir::Stm loop, const ir::Atom& count) = 0;
  /// Which step the state in slot number `slot` stands for, once all steps behind `step` are reversed.
  virtual ir::Atom place(ir::Builder& b, const ir::Atom& step, const ir::Atom& slot) const = 0;

  /// More would overflow what schedules multiply, and nobody has memory for them.
  static constexpr std::int64_t most_slots = 1 << 20;
  static inline const ir::Type number = ir::scalar(ir::PrimType::i64), flag = ir::scalar(ir::PrimType::boolean);

  const ir::Param& param(const Kept& kept) const { return loop_.params[kept.loop_param].param; }
  ir::Type states_type(const Kept& kept) const { return ir::array_of(slots_, param(kept).type); }
  /// Parameters of the forward loop, and the memory that they start with: an array for each that is kept.
  std::vector<ir::LoopParam> empty_states(ir::Builder& b) const;
  /// The states, with this one in a slot on a condition.
  ir::Name keep_if(ir::Builder& b, const ir::Atom& condition, const ir::Name& states, const ir::Atom& slot, const ir::Atom& state) const;
  /// Iterations `first`, `first` + 1, ... of the loop, `count` of them: these parameters, from these on.
  std::vector<ir::Atom> steps(ir::Builder& b, const ir::Body& body, const std::vector<std::size_t>& params, const std::vector<ir::Atom>& from,
                              const ir::Atom& first, const ir::Atom& count) const;

  Reverse& r_;
  const ir::Stm& stm_;
  const ir::Loop& loop_;
  const ir::ForLoop& form_;
  ir::Atom slots_;  // at least one
  std::vector<Kept> kept_;

 private:
  void find_state();
  std::vector<ir::Name> advance(ir::Builder& b, const ir::Atom& step, const ir::Atom& slot) const;
  std::vector<ir::Name> keep_here(ir::Builder& b, const std::vector<ir::Name>& states, const std::vector<ir::Atom>& state, const ir::Name& slot,
                                  const ir::Name& place, const ir::Atom& here, const ir::Atom& more) const;
  ir::Body slice() const;

  ir::NameSet needed_;
  Filled filled_;
  ir::Param top_, place_;  // of the return loop
};

/// With states by the binomial schedule, for a number of steps that is known: loop_checkpoint.cpp.
std::unique_ptr<LoopStates> binomial_checkpoints(Reverse& reverse, const ir::Stm& loop);
/// With states that are thinned as the loop runs: loop_checkpoint_online.cpp.
std::unique_ptr<LoopStates> online_checkpoints(Reverse& reverse, const ir::Stm& loop);

}  // namespace boustro::ad
