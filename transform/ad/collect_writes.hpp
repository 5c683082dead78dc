// Accumulators as arrays of all that is written into them.
//
// Rule      (ys, zs) = with_acc xs (\accs -> body)    gives    (is, vs, zs) = body, which yields places and values instead of
//                                                              writing them; ys = scatter xs is vs, or reduce_by_index
//                                                              xs op neutral is vs
//           map         yields what each of its elements writes, as one more dimension
//           for loop    stores what each iteration writes
//           if          the branch that writes less writes the rest out of bounds
// Applies   any kind of accumulator. Not where the number of writes differs from element to element or is found out on the way:
//           while loops, nests with inner widths that vary, accumulators handed through another with_acc
// Cost      all that is written is stored
// Source    derived here: the order of the writes stays, so of two writes to one cell the same wins
#pragma once

#include <optional>

#include "transform/ir/builder.hpp"

namespace boustro::ad {

/// What is written into an accumulator: values[i] at indices[0][i], indices[1][i], ..., in this order.
struct Written {
  ir::Atom width;
  std::vector<ir::Name> indices;
  ir::Name values;
  std::size_t dimensions;  // of the maps and loops that write
};

struct CollectedWrites {
  std::vector<ir::Stm> stms;  // under names of their own, and with no accumulator of the with_acc
  std::vector<std::optional<Written>>
      written;                   // for each accumulator; nothing if there are no writes
  std::vector<ir::Atom> others;  // the with_acc's other results
};

/// Nothing where the rule does not apply. `builder` gives names and the origin, and is not written to.
std::optional<CollectedWrites> collect_writes(const ir::Builder& builder,
                                              const ir::WithAcc& with_acc);

/// Statements that bind what the statement does, by scatter and reduce_by_index, which have derivatives.
std::optional<std::vector<ir::Stm>> without_accumulators(const ir::Builder& builder,
                                                         const ir::Stm& stm,
                                                         const ir::WithAcc& with_acc);

}  // namespace boustro::ad
