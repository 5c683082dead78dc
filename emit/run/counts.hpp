// What an entry did on the emulated device, as the mode `counts` counted it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "templates/cuda_on_cpu/counts.hpp"

namespace boustro::run {

using Counts = cuda_emulation::Counts;

/// All launches of a kernel, all calls of a function of a library, or all transfers of a kind.
struct CountedWork {
  std::string work;  // kernel, library, copy, fill or wait
  std::string name;
  Counts counts;
};

/// Reads the file that RunSettings::counts_file names, once the program has run.
std::vector<CountedWork> read_counts(const std::filesystem::path& path);

Counts total_of(const std::vector<CountedWork>& all);

}  // namespace boustro::run
