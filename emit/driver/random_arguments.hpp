// Random arguments for an entry, of sizes that are given or chosen.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "emit/driver/random.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::driver {

/// By the names of parameters: sizes, and integers that are no sizes.
using Sizes = std::map<std::string, std::int64_t>;

/// Refuses sizes that no parameter of the entry has, and values that it cannot have.
void check_sizes(const ir::Function& function, const std::string& entry, const Sizes& sizes);

/// Values for the source-level parameters: floats from [-1, 1), small integers, and sizes that differ
/// from each other where none are given.
std::vector<values::Value> random_arguments(RandomValues& random, const ir::Function& function,
                                            const Sizes& sizes);

}  // namespace boustro::driver
