// A loop over points as statements about all points of a tile: see lanes.hpp.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "emit/plan/lanes/vectors.hpp"

namespace boustro::plan::lanes {

std::string rows_of(const std::string& array);

/// `for (s ...) sums[s] += x;`, where x differs between points and the sums are all points' own: nothing else but constants. A
/// sum over the lanes is added to each, and compilers vectorise along s.
bool is_sum_loop(const Stm& stm, const Variation& variation);
/// The array is read there along the loop.
bool reads_along(const For& sum_loop, const std::string& array);

class Spread {
 public:
  /// `taken`: names that new variables must not have.
  Spread(const For& points, const Variation& variation, const Layouts& layouts, std::set<std::string>& taken)
      : points_(points), variation_(variation), layouts_(layouts), vectors_(points, variation, layouts), taken_(taken) {}

  ForLanes run();

 private:
  Stms block(const Stms& stms);
  Stms around_lanes(const Stm& stm);
  std::optional<Stm> as_products(const Stm& stm) const;
  bool stores_rows(const Stm& stm) const;
  Stms loop_over_lanes(Stms group, const std::set<std::string>& later);
  Stms expand(Stms& group, const std::set<std::string>& later);
  void sum_up(Stms& group, Stms& before, Stms& after);
  bool is_sum(const Stm& stm) const;
  void rewrite(Stms& stms);
  void rewrite(Expr& expr);
  Expr element_of(const Expr& array, const Expr& index, bool in_rows) const;

  const For& points_;
  const Variation& variation_;
  const Layouts& layouts_;
  const Vectors vectors_;
  std::set<std::string>& taken_;
  std::set<std::string> expanded_;  // variables in scope that are arrays by now
  std::set<std::string> own_;       // arrays in scope that one lane has
  std::string along_;               // the index of the sum loop around
};

}  // namespace boustro::plan::lanes
