// What the iterations of a loop save, stored for each of them: one entry of a log.
//
// Where the size of what is saved differs from iteration to iteration, as in a triangular nest of loops, an entry has room for the
// largest. That is found before the loop: from the numbers of the iterations, or else by running the loop.
#pragma once

#include <optional>

#include "transform/ir/builder.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ad {

struct LogEntry {
  ir::Name name;  // what is saved in an iteration
  ir::Name log;   // the array of all of that
  ir::Type type;  // of what is saved; may mention sizes that the iteration computes, and saves, too
  bool padded = false;
};

/// Writes the statements that store what iterations save.
class LogMaker {
 public:
  /// Statements for before the loop, of which `sizes` depend on nothing that `start` binds; for the end of its body. `stms`: of
  /// that. `bound`: all names that these and the loop bind. `stops`: what the loop's form says is how often it runs, so that
  /// sizes can be found for all of these iterations.
  LogMaker(ir::Builder& sizes, ir::Builder& start, ir::Builder& store, const ir::Loop& loop,
           const std::vector<ir::Stm>& stms, const ir::NameSet& bound,
           bool stops)
      : sizes_(sizes), start_(start), store_(store), loop_(loop), stms_(stms), bound_(bound), stops_(stops) {}

  /// The parameter of the loop that is the log of these, the array that it starts as, and its value after the iteration. Nothing
  /// if the loop cannot be run another time to find the size.
  struct Stored {
    ir::LoopParam param;
    ir::Atom result;
    LogEntry entry;
  };
  std::optional<Stored> store(const ir::Name& name);

  /// Sizes in the type of a name that differ from iteration to iteration; they are to be saved before it.
  std::vector<ir::Name> varying_sizes(const ir::Name& name) const;

 private:
  const ir::ForLoop& form() const { return std::get<ir::ForLoop>(loop_.form); }
  std::optional<ir::Atom> largest(const ir::Atom& size);
  ir::Atom largest_by_number(const std::vector<ir::Stm>& slice, const ir::Atom& size);
  std::optional<ir::Atom> largest_by_running(const ir::Atom& size);
  bool is_found_by_number(const std::vector<ir::Stm>& slice, const ir::NameSet& free) const;
  ir::Atom count();

  ir::Builder &sizes_, &start_, &store_;
  const ir::Loop& loop_;
  const std::vector<ir::Stm>& stms_;
  const ir::NameSet& bound_;
  std::optional<ir::Atom> count_, position_;
  bool stops_;
  ir::Substitution largest_;
};

/// Adds to the substitution what was saved in the iteration at this position of the logs.
void load_entries(ir::Builder& builder, const std::vector<LogEntry>& entries,
                  const ir::Atom& position, ir::Substitution& substitution);

/// i64 of an index or bound of a loop, which may be of another integer type.
ir::Atom as_i64(ir::Builder& builder, const ir::Atom& x);

}  // namespace boustro::ad
