// Taking back what statements do to an array in place, without a copy of it.
//
// Rule      ys = xs with [i] = v       old = xs[i] is saved before;  xs = ys with [i] = old
//           scatter, reduce_by_index   the cells at the written indices are saved, and scattered back
//           with_acc                   likewise, of the places that it writes to: collect_writes.hpp
//           if                         a branch yields what it saved, and blanks for what the other
//                                      one would have; taken back under the same condition
//           for loop                   what an iteration saves is stored for each; taken back from
//                                      the last to the first; so are while loops with a bound
// Applies   chains of these from one version of an array to another, sizes spelt differently
//           included. Not where what is saved has sizes that a branch computes: then nullopt
// Cost      that of writing, twice
// Source    Futhark issue "Reverse AD: more nuanced handling of consumed arrays"; scatter: [AD], 5.3
#pragma once

#include "transform/ad/context.hpp"
#include "transform/ad/iteration_log.hpp"

namespace boustro::ad {

/// Turns a later version of an array into the earlier one; consumes it. Names that were saved are
/// replaced first, as the substitution says.
using TakeBack =
    std::function<ir::Atom(ir::Builder&, const ir::Name& later, const ir::Substitution&)>;

/// Statements that save what taking back needs.
struct Undo {
  std::vector<ir::Stm> before;   // sizes of what is saved: mention no name that `forward` binds
  std::vector<ir::Stm> forward;  // the statements, and those that save
  std::vector<ir::Name> saved;   // what `take_back` reads, bound in `forward` or outside of it
  ir::Name later;                // the version that they leave
  TakeBack take_back;
};

/// A loop that stores for each iteration what that saves.
struct LoggedLoop {
  std::vector<ir::Stm> before, forward;  // the last of `forward` is the loop
  std::vector<LogEntry> logs;
  std::vector<ir::Name> saved;  // from outside of the loop
  TakeBack take_back;           // one iteration
};

class UndoMaker {
 public:
  explicit UndoMaker(Reverse& reverse) : r_(reverse) {}

  /// Of all that the statements do to `array`, which they leave as `to`.
  std::optional<Undo> of_stms(const std::vector<ir::Stm>& stms, const ir::NameSet& versions,
                              const ir::Name& array, const ir::Name& to);
  /// Of one statement that consumes `array`, which may go by these names.
  std::optional<Undo> of_stm(const ir::Stm& stm, const ir::NameSet& versions,
                             const ir::Name& array);
  /// Of the iterations of a for loop, or one that stands for a while loop, with respect to its parameter number `param`.
  std::optional<LoggedLoop> of_iterations(const ir::Stm& stm, std::size_t param);

 private:
  std::optional<Undo> of_update(const ir::Stm& stm, const ir::Update& e);
  std::optional<Undo> of_writes(const ir::Stm& stm, const ir::Name& array, const ir::Name& later,
                                const ir::Atom& width, const std::vector<ir::Name>& indices);
  std::optional<Undo> of_reduce_by_index(const ir::Stm& stm, const ir::ReduceByIndex& e,
                                         const ir::Name& array);
  std::optional<Undo> of_with_acc(const ir::Stm& stm, const ir::WithAcc& e, const ir::Name& array);
  std::optional<Undo> of_if(const ir::Stm& stm, const ir::If& e, const ir::NameSet& versions,
                            const ir::Name& array);
  std::vector<ir::Stm> only_if(const ir::Stm& stm, const ir::Atom& condition, bool holds, const std::vector<ir::Stm>& sizes);
  std::optional<Undo> of_loop(const ir::Stm& stm, const ir::Loop& e, const ir::NameSet& versions);
  ir::Atom counted(LoggedLoop& logged, const ir::Name& condition);
  ir::Builder saving(const ir::Stm& stm) const;

  Reverse& r_;
};

}  // namespace boustro::ad
