// Which states of a loop its forward sweep keeps, and in which order the return sweep has them again: one interface, so that no rule knows
// which scheme it is. iteration_store.hpp keeps all; loop_checkpoint.hpp as many as asked for.
#pragma once

#include <memory>

#include "transform/ad/context.hpp"

namespace boustro::ad {

class LoopStates {
 public:
  virtual ~LoopStates() = default;

  /// Before the forward loop is emitted: its return sweep reads this value of each iteration, a parameter of the loop or, if
  /// `keeps_values`, what its body binds. Its size does not vary.
  virtual void keep(const ir::Param& value) = 0;
  /// Whether values that the body binds can be kept, and updates in place be logged step by step.
  virtual bool keeps_values() const = 0;
  /// The loop, with what keeps its states; all that was asked for stands in it. It is the for loop, or a while loop that has the index for a
  /// parameter. `count`: of its iterations, which a while loop yields.
  virtual void emit_forward(ir::Builder& forward, ir::Stm loop, const ir::Atom& count) = 0;

  /// What the return loop carries from step to step for this, from the last one to the first.
  virtual std::vector<ir::LoopParam> carried() const { return {}; }
  /// In the return loop: binds what is kept of iteration number `index`, of the loop's index type; copies of what is `consumed`. Yields
  /// what `carried` is afterwards.
  virtual std::vector<ir::Atom> load(ir::Builder& body, const ir::Name& index, const ir::NameSet& consumed) const = 0;
};

}  // namespace boustro::ad
