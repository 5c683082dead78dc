// The file in which a harness says what time calls take; see templates/harness/calls.hpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace boustro::bench {

struct Times {
  std::vector<double> seconds;  // those that count
  std::uint64_t scratch_bytes = 0;
  bool again = false;  // earlier ones have been forgotten
};

/// What is in the file so far, up to the last whole line; nothing if there is no file yet.
Times read_times(const std::filesystem::path& path);

}  // namespace boustro::bench
