// Points that go through rows of their own, transform/facts/own_rows.hpp, by blocks that bring these to shared memory first.
//
// Neighbouring threads copy neighbouring elements, of rows that lie one behind the other; then each goes through its own row there.
// Otherwise it would read from memory what lies a row away from what its neighbours read. Rows have to fit, as many as a block has
// threads; which kernel is launched, and with how many threads, is asked when the program runs: templates/staged_rows_for.cuh.
#pragma once

#include "emit/plan/planner/host.hpp"
#include "transform/facts/own_rows.hpp"

namespace boustro::plan::planner {

class StagedRows {
 public:
  /// The nest is one of one dimension for the threads. `outside`: where its outs go, which is what it writes.
  StagedRows(Host& host, const Space& space, const ir::Nest& nest, const std::vector<OutPlace>& outside);

  /// There are such rows, of arrays in memory, which fit as far as is known.
  bool any() const { return !staged_.empty(); }
  /// The kernel, which stands before that of threads by themselves, the last one so far; and what launches one of the two. `fill_for`:
  /// what a thread does, given the nest as it reads staged rows. Not asked for rows unless it `pays`.
  void plan(const std::function<Host::Fill(const ir::Nest&)>& fill_for, Stms by_themselves, const std::optional<Expr>& pays = std::nullopt);

 private:
  struct Staged {
    facts::OwnRow own;
    ir::Name row;
    View array;               // as the host sees it
    Expr pitch = {};          // on the host, and in the kernel
    Expr pitch_inside = {};
    Expr rows = {};           // in shared memory
  };

  bool can_be_staged(const facts::OwnRow& own, const std::vector<OutPlace>& outside) const;
  PrimType elem() const { return staged_[0].array.elem; }
  Surroundings surroundings();
  Expr width_of(const View& array) const;
  void name_pitches(Stms& to);
  void add_kernel(const std::function<Host::Fill(const ir::Nest&)>& fill_for);
  Stms copy_rows(const Expr& n, const Expr& first);
  Expr named(Stms& to, const std::string& base, const Type& type, const Expr& value);

  Host& host_;
  Context& context_;
  const Space& space_;
  std::vector<Staged> staged_;
  ir::Nest nest_;  // reading them
  Identifiers identifiers_;  // of the kernel
  Capture capture_;
  Code code_;
  Kernel kernel_;
};

}  // namespace boustro::plan::planner
