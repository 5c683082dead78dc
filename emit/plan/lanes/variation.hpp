// What differs between the points of a loop.
#pragma once

#include <set>
#include <string>

#include "emit/plan/plan.hpp"

namespace boustro::plan::lanes {

/// The names of a loop over points, in which they are unique.
class Variation {
 public:
  /// `temporaries`: arrays of the part that each point uses from anew.
  Variation(const For& points, std::set<std::string> temporaries);

  /// The loop's own: declared inside of it.
  bool is_inside(const std::string& name) const { return inside_.contains(name); }
  /// An array of a point, in or outside of the loop.
  bool is_temporary(const std::string& name) const { return temporaries_.contains(name); }
  /// A variable from outside that points change.
  bool is_running(const std::string& name) const { return running_.contains(name); }
  /// The variable or temporary may have another value, or other elements, at another point.
  bool varies(const std::string& name) const { return varying_.contains(name); }
  bool varies(const Expr& expr) const;
  /// Changes what outlives the point, or reads what other points change.
  bool has_effect(const Stm& stm) const;
  /// Is not the same for all points, or has to be done for each of them.
  bool differs(const Stm& stm) const;
  /// Loops of different lengths at different points.
  bool has_varying_loops() const { return varying_loops_; }

 private:
  void declare(const Stms& stms);
  void visit(const Stms& stms, bool guarded);
  void vary(const std::string& name);

  std::set<std::string> inside_, temporaries_, varying_;
  std::set<std::string> running_;
  bool changed_ = false;
  bool varying_loops_ = false;
};

/// The variable that the element is of, behind pointers that are added to; empty if there is none.
std::string base_of(const Expr& expr);

}  // namespace boustro::plan::lanes
