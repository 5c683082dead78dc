// The tests of one program.
#pragma once

#include <filesystem>
#include <functional>

#include "emit/driver/options.hpp"
#include "emit/driver/test_result.hpp"

namespace boustro::driver {

/// Told what happens, as it happens.
struct TestEvents {
  std::function<void(const std::vector<TestResult>&)> found;  // once: all runs, without outcome
  std::function<void()> ready;                                // the program is compiled
  std::function<void(const TestResult&)> done;                // for each run, in order
};

/// Carries out the runs of a program from number `first` on; `found` and `ready` come before all of
/// them. A program without runs is one: it passes if it compiles, or if it does not and its block
/// says so.
void test_program(const std::filesystem::path& path, const TestOptions& options, std::size_t first,
                  const TestEvents& events);

}  // namespace boustro::driver
