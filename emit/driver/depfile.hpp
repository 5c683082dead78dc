// Which files a translation has read, in the language of Make, for build systems.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace boustro::driver {

/// `outputs: inputs`, a line each, as Ninja, Make and CMake's DEPFILE read it. Spaces, `#` and `$` in names are escaped.
std::string depfile_text(const std::vector<std::filesystem::path>& outputs, const std::vector<std::filesystem::path>& inputs);

}  // namespace boustro::driver
