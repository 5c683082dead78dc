// Which statements of points are arithmetic on vectors, written without loops over lanes: `total += y * load_lanes<lanes>(..)`.
//
// Compilers keep vectors in registers, where GCC reads and writes arrays of lanes in memory.
#pragma once

#include <map>
#include <set>
#include <string>

#include "emit/plan/lanes/variation.hpp"

namespace boustro::plan::lanes {

/// How a temporary array of a point becomes one of the tile: as [size][lanes], which the loops over lanes read, or as
/// [lanes][size], which sums over the lanes for neighbouring elements read; or as both, the latter by the name rows_of.
struct Layout {
  Expr size;  // elements that one point has
  bool lanes = false, rows = false;
};

/// Of all temporaries that differ between points, by name.
using Layouts = std::map<std::string, Layout>;

class Vectors {
 public:
  Vectors(const For& points, const Variation& variation, const Layouts& layouts);

  /// The variable is a vector, in and outside of loops over lanes.
  bool contains(const std::string& name) const { return vectors_.contains(name); }
  /// It is one operation on vectors.
  bool is_operation(const Stm& stm) const;
  Stm operation(const Stm& stm) const;

 private:
  bool is_vector(const Expr& expr) const;
  bool is_value(const Expr& expr) const;
  bool is_place(const Expr& target) const;
  bool goes_along_points(const Expr& element) const;
  Expr vector_of(const Expr& expr) const;
  void collect(const Stms& stms, bool guarded);
  bool drop(const Stms& stms, bool guarded);
  bool drop_unread(const Stms& stms);
  bool drop_all(const std::set<std::string>& names);

  const std::string points_;  // the index of the loop over them
  const Variation& variation_;
  const Layouts& layouts_;
  std::set<std::string> vectors_;
};

/// f32 or f64, of which compilers have vectors.
bool is_number(const Type& type);

/// The type of a number for each lane.
Type lanes_of(const Type& number);

/// Where the lanes' numbers begin: xs + index * lanes.
Expr lanes_at(const Expr& array, const Expr& index);

}  // namespace boustro::plan::lanes
