// What many threads combine with few cells: histograms, or additions to accumulators, that begin with the same neutral element.
//
// Threads that meet in a cell wait for each other. So each block has copies of all cells in shared memory, if they fit and if it
// combines enough with each; its threads take turns at the copies; at last it combines the copies, and what that comes to with the
// result. Otherwise threads go straight to global memory. Both kernels call one function, which says what all threads contribute. Which of them is launched
// is asked when the program runs: templates/rows_per_copy.cuh, copies_pay.cuh, copies_for.cuh.
#pragma once

#include "emit/plan/planner/host.hpp"

namespace boustro::plan::planner {

/// Row-major, so that copies lie as the cells do, of numbers that atomic operations change without touching what is next to them; and there
/// are some, as far as is known: nobody adds to none.
bool can_be_copied(const View& cells);

class BlockCopies {
 public:
  /// `targets`: cells as the host sees them, and what they are combined by; all of one type. Threads along the space do what `fill` says;
  /// they need no memory of their own.
  BlockCopies(Host& host, const Space& space, std::vector<Accumulator> targets, const Host::Fill& fill);

  /// Both kernels, and what launches one of them. False, and none of it, if nobody adds to any of the targets.
  bool plan();

 private:
  bool has_rows() const { return space_.extents.size() == 2; }
  Surroundings surroundings();
  std::vector<Scalar> indices();
  const std::string& name_of(std::size_t dimension) const { return std::get<Var>(indices_[dimension].expr.head).name; }

  // The function.
  Stms over_elements(Stms inside);
  Stms over_rows(Stms inside);
  Stms along_row(Stms inside, For elements) const;
  Stms take_part_of_row(Stms& inside) const;
  void find_targets();
  void let_kernels_say_who_adds_together(Stms& body);
  void add_function(Stms body);
  /// For its comment.
  std::string threads_of_indices() const;
  /// The call, for the cells of each target elsewhere. `together`: lanes of a warp that add to the same cell combine what they have first.
  Stm contribute_to(const std::vector<Expr>& cells, bool together) const;

  // The kernels.
  bool all_add() const;
  std::string order() const;
  Comment comment_of_kernel() const;
  void add_global_kernel();
  void add_copies_kernel();
  Expr thread_of_block() const;
  Stms collect(std::size_t target, const Expr& copy, const Expr& first, const Expr& pitch, const Expr& copies);
  /// How many cells the first so many targets have.
  Expr cells_of(std::size_t targets) const;

  // The launch.
  Expr cells_per_addition() const;
  Expr named(Stms& to, const std::string& base, const Type& type, const Expr& value);
  Stms launches();

  Host& host_;
  Context& context_;
  const Space& space_;
  std::vector<Accumulator> targets_;
  PrimType elem_;
  const Host::Fill& fill_;
  Identifiers identifiers_;  // of the kernels, and of the function
  Capture capture_;
  Code code_;
  std::vector<Scalar> indices_;
  std::vector<Expr> extents_;

  std::vector<Param> params_;  // of the function
  std::vector<Expr> args_;     // of the kernel without copies
  std::vector<std::size_t> places_;  // of the targets among them
  Expr number_;                // of copies, on the host
  std::optional<Param> together_;  // of the function: what kernels say
  Function function_;
  Kernel global_, copies_;
};

}  // namespace boustro::plan::planner
