// Memory of one kernel's threads: registers for small arrays, else a part of scratch memory.
#pragma once

#include "emit/plan/planner/host.hpp"

namespace boustro::plan::planner {

/// Threads that have scratch memory are so many as there is memory for, and stride over the space.
class ThreadMemory {
 public:
  ThreadMemory(Context& context, Identifiers& host, Identifiers& inside, Capture& capture,
               const Space& space)
      : context_(context), host_(host), inside_(inside), capture_(capture), space_(space) {}

  /// What the host does before the launch: it allocates what is no scratch memory.
  Stms take_preparations() { return std::move(preparations_); }

  View allocate(Code& code, const std::string& base, PrimType elem,
                const std::vector<Scalar>& extents);

  /// Whether there is scratch memory. Then the launch has this grid of these blocks.
  bool used() const { return grid_.has_value(); }
  const Extents& grid() const { return *grid_; }
  const Extents& block() const { return block_; }

 private:
  View scratch(const std::string& base, PrimType elem, const std::vector<Scalar>& extents);
  void decide_grid();
  void decide_grid_of_pairs(const Expr& n, const Expr& m);
  Expr size(const std::string& suffix, Expr value);
  Expr in_entry(const Expr& size) const;
  Expr memory_for(const std::string& base, PrimType elem, const std::vector<Expr>& extents,
                  const std::vector<std::string>& shape);

  Context& context_;
  Identifiers& host_;
  Identifiers& inside_;
  Capture& capture_;
  const Space& space_;
  Expr threads_;          // as the layout of scratch memory computes them
  Expr threads_in_entry_;
  bool late_ = false;     // their number is known only while the entry runs
  Stms preparations_;
  std::optional<Extents> grid_;
  Extents block_ = {lit(1)};
};

}  // namespace boustro::plan::planner
