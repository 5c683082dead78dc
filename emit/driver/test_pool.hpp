// Tests several programs at the same time, each in a process of its own, so that a crash or an
// endless run costs one run and no more.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "emit/driver/options.hpp"
#include "emit/driver/test_result.hpp"

namespace boustro::driver {

/// Tests the programs, options.jobs at a time; `report` gets them in the order given.
void test_programs(const std::vector<std::filesystem::path>& paths, const TestOptions& options,
                   const std::function<void(const ProgramReport&)>& report);

}  // namespace boustro::driver
