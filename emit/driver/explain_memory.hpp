// What `derive --memory` prints.
#pragma once

#include <string>

#include "emit/driver/load.hpp"

namespace boustro::driver {

/// For each function of the program that has a return sweep: the arrays that its forward sweep keeps for it, with their bytes as a formula in
/// sizes, the largest first, and where they come from. A sentence if there is no return sweep at all.
std::string explained_memory(const Session& session, const ir::Program& program);

}  // namespace boustro::driver
