// Which integers are known not to be zero where code stands, so that a division by them needs no
// check: by their form (2, max 1 n), their bounds (i + 1), or what stands around the code: a loop
// over n runs only if n is not 0, and so does what follows a check of n.
#pragma once

#include "emit/plan/planner/scoped_exprs.hpp"
#include "emit/plan/planner/values.hpp"

namespace boustro::plan::planner {

class Nonzero {
 public:
  void open() { known_.open(); }
  void close() { known_.close(); }

  /// The expression is not zero, nor are the factors of a product. It must not mention what changes within the scope.
  void add(const Expr& expr);
  /// The condition holds, or does not: q > 0, q != 0 && ...
  void assume(const Expr& condition, bool holds = true);

  bool proves(const Scalar& number) const;
  bool proves(const Expr& expr) const;

 private:
  bool proves_choice(const Expr& choice) const;

  ScopedExprs known_;
};

}  // namespace boustro::plan::planner
