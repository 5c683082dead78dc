// What the forward loop stores for its return sweep: values of all iterations.
#pragma once

#include "transform/ad/reverse/loop_states.hpp"

namespace boustro::ad {

/// Adds to a for loop one result for each value that is kept, an array whose first index is the
/// number of the iteration.
class IterationStore : public LoopStates {
 public:
  /// `before`: the statements in front of the loop, to which the arrays are added.
  IterationStore(Reverse& reverse, ir::Builder& before, ir::Stm& loop);

  void keep(const ir::Param& value) override;
  bool keeps_values() const override { return true; }
  void emit_forward(ir::Builder& forward, ir::Stm loop, const ir::Atom&) override { forward.add(std::move(loop)); }
  std::vector<ir::Atom> load(ir::Builder& body, const ir::Name& index, const ir::NameSet& consumed) const override;

 private:
  Reverse& reverse_;
  ir::Builder& before_;
  ir::Stm& stm_;
  ir::Atom count_, position_;
  std::vector<std::pair<ir::Param, ir::Name>> kept_;  // value, array of its values
};

}  // namespace boustro::ad
