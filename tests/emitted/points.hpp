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

/// For an entry of a program with this text: the inputs written in its test blocks if it has some, for not
/// every combination of sizes may make sense; else random arguments of small sizes, one size above
/// that of a block, and each size 0 in turn. Then each scalar integer -1, 0, 1 and 10 in turn
/// (without test blocks); equal floats, so that comparisons tie; zeros, a NaN and an infinity in
/// each array in turn; and the inputs that test blocks have made at random.
std::vector<Point> points_for(const ir::Function& entry, std::string_view program);

}  // namespace boustro::tests
