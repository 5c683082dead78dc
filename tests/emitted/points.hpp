// Arguments on which emitted programs are compared with the evaluator: ordinary ones, and the ones
// that break things.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/values/value.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::tests {

struct Point {
  std::string what;  // "size n is 0"
  std::vector<values::Value> args;
};

/// For an entry: random arguments of small sizes; one size above that of a block; each size 0 in
/// turn; each scalar integer -1, 0 and 1 in turn; equal floats, so that comparisons tie; a NaN and
/// an infinity in each array in turn.
std::vector<Point> points_for(const ir::Function& entry, std::uint64_t seed);

}  // namespace boustro::tests
