// What nvcc says of emitted programs.
#pragma once

#include <filesystem>
#include <vector>

namespace boustro::tests {

/// Adds the suite `nvcc`: each program of the tests, some at a time, and whether samples can be linked.
void add_nvcc(const std::vector<std::filesystem::path>& samples, const std::vector<std::filesystem::path>& programs);

}  // namespace boustro::tests
