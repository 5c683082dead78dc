// Script input of test blocks: an expression whose value is the arguments of a run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "frontend/values/value.hpp"

namespace boustro::driver {

/// Evaluates the expression with the program's definitions in scope, and `$loaddata "file"`, the
/// values of a file beside the program, and `$loadbytes "file"`, its bytes. A tuple is one value
/// for each of its components. Throws RunError, also if the expression is refused.
std::vector<values::Value> run_script(const std::string& script,
                                      const std::filesystem::path& program,
                                      const std::vector<std::string>& folders);

}  // namespace boustro::driver
