// Map, reduce, scan and their combinations, said in one way, so that any two can be merged.
#pragma once

#include <optional>
#include <vector>

#include "transform/ir/builder.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::fuse {

/// One traversal of arrays of one width. `fn` takes accumulators, then elements, and yields
/// accumulators, operands of the operators, then elements of the mapped results; so do the
/// statement's results.
struct TraversalForm {
  ir::Atom width;
  std::vector<ir::Operator> operators;
  bool scans = false;  // what the operators do; else they reduce
  ir::Lambda fn;
  std::vector<ir::Name> arrays;
  std::vector<ir::Name> accumulators;

  std::size_t operand_count() const;
  /// Where the mapped results begin.
  std::size_t first_mapped() const { return accumulators.size() + operand_count(); }
};

bool is_traversal(const ir::Exp& exp);
/// Of Map, Reduce, Scan, MapReduce, MapScan.
std::optional<TraversalForm> as_traversal(const ir::Exp& exp, ir::Names& names);
/// The simplest expression of that meaning.
ir::Exp to_exp(TraversalForm form);

/// The two in one statement: `later` may take mapped results of `earlier` as inputs, and otherwise
/// does not depend on it. Binds all names that the two bind.
ir::Stm merge(const ir::Stm& earlier, const ir::Stm& later, ir::Names& names);

}  // namespace boustro::fuse
