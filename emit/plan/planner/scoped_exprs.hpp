// Expressions of which something is known, to the end of the scope in which it was found out.
#pragma once

#include <algorithm>
#include <vector>

#include "emit/plan/build.hpp"

namespace boustro::plan::planner {

class ScopedExprs {
 public:
  void open() { scopes_.push_back(exprs_.size()); }
  void close() {
    exprs_.erase(exprs_.begin() + static_cast<std::ptrdiff_t>(scopes_.back()), exprs_.end());
    scopes_.pop_back();
  }
  /// The expression must not mention what changes within the scope.
  void add(const Expr& expr) { exprs_.push_back(expr); }
  bool contains(const Expr& expr) const {
    return std::find(exprs_.begin(), exprs_.end(), expr) != exprs_.end();
  }
  bool outermost() const { return scopes_.empty(); }

 private:
  std::vector<Expr> exprs_;
  std::vector<std::size_t> scopes_;
};

}  // namespace boustro::plan::planner
