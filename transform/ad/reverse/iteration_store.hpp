// What the forward loop stores for its return sweep: values of all iterations.
#pragma once

#include "transform/ad/context.hpp"

namespace boustro::ad {

/// Adds to a for loop one result for each value that is kept, an array whose first index is the
/// number of the iteration.
class IterationStore {
 public:
  /// `before`: the statements in front of the loop, to which the arrays are added.
  IterationStore(Reverse& reverse, ir::Builder& before, ir::Stm& loop);

  /// Keeps a parameter of the loop or a value that its body binds, whose size does not vary.
  void keep(const ir::Param& value);
  /// Binds the kept values of iteration number `index`, which is of the loop's index type; copies of what is `consumed`.
  void load(ir::Builder& body, const ir::Name& index, const ir::NameSet& consumed) const;

 private:
  Reverse& reverse_;
  ir::Builder& before_;
  ir::Stm& stm_;
  ir::Atom count_, position_;
  std::vector<std::pair<ir::Param, ir::Name>> kept_;  // value, array of its values
};

}  // namespace boustro::ad
