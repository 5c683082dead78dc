// The programs that the command line names.
#pragma once

#include <filesystem>
#include <vector>

namespace boustro::driver {

/// The programs of a folder and of folders in it, in a fixed order; of a file, itself.
std::vector<std::filesystem::path> programs_in(const std::filesystem::path& path);

}  // namespace boustro::driver
