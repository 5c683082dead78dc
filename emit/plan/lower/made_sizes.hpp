// Sizes of the arrays that points make, where blocks work together: their threads record no failures, as all of them have to come to the
// barriers. So the host checks these sizes before, where there are such points. Those that it does not know are not checked.
#pragma once

#include "emit/plan/planner/code.hpp"

namespace boustro::plan::planner {

class MadeSizes {
 public:
  /// `host` plans what stands around the nest.
  MadeSizes(Code& host, const ir::Nest& nest) : host_(host), nest_(nest) {}

  /// The host knows where arrays are made whose sizes may be negative: not in branches. Or nothing is checked.
  bool can_be_checked() const { return !host_.checks() || can_be_checked(nest_.point.body, true); }

  /// An error of the program, if points make an array of a negative size.
  void check() { check(nest_.point.body, inside(nest_.space, {})); }

 private:
  bool can_be_checked(const ir::Body& body, bool always) const;
  void check(const ir::Body& body, const std::optional<Expr>& reached);
  std::optional<Expr> inside(const ir::Shape& space, std::optional<Expr> reached);
  bool knows(const ir::Shape& sizes) const;

  Code& host_;
  const ir::Nest& nest_;
};

}  // namespace boustro::plan::planner
