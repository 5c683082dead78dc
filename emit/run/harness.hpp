// The main program around an emitted file: reads arguments, calls an entry, writes results.
#pragma once

#include <string>

#include "emit/plan/plan.hpp"

namespace boustro::run {

/// C++ text of a program `harness ENTRY ARGUMENTS RESULTS`, to be linked with the emitted file. It
/// includes `header_name` and files of templates/harness, which say how values are exchanged.
/// Nothing else of ours is needed: with nvcc it runs on a GPU.
std::string write_harness(const plan::Program& program, const std::string& header_name);

/// Parts of it, for other programs around the file: a function `run_ENTRY(harness::Input&, harness::Output&)` for each entry, and
/// statements that call the one whose name, as C string, is the value of `name`.
std::string write_calls(const plan::Program& program);
std::string write_choice(const plan::Program& program, const std::string& name, const std::string& arguments);

}  // namespace boustro::run
