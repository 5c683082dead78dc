// How functions that are derived for several seeds at once learn their number: those that are literals are part of the function, so that its
// rows have a constant length, and the others are parameters.
#pragma once

#include <string>
#include <vector>

#include "transform/ir/builder.hpp"

namespace boustro::ad {

struct SeedParams {
  /// For derivatives whose seeds have this shape outside of the function.
  SeedParams(ir::Names& names, const ir::Shape& outside);

  std::vector<ir::Param> params;  // first among the function's size parameters
  ir::Shape shape;                // of the seeds inside

  /// What callers give for the parameters.
  static std::vector<ir::Atom> arguments(const ir::Shape& outside);
  /// Seeds with equal keys have one function.
  static std::string key(const ir::Shape& outside);
};

}  // namespace boustro::ad
