// Precompiled headers for compilers, kept between runs: reading CUB and Thrust takes 4 s, reading them precompiled half a second.
//
// They lie in the folder that $BOUSTRO_CACHE names (none are kept if it is empty), else in boustro/ of $XDG_CACHE_HOME or
// ~/.cache, 10 to 40 MB each. Without such a folder everything works as before, only slower. Compilers themselves refuse a file
// whose headers have changed since.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace boustro::verify {

/// What makes a precompiled header as this file; true if it did.
using MakeHeaders = std::function<bool(const std::filesystem::path& file)>;

/// The precompiled headers for a compiler command, told apart by all its words. Makes them where there are none yet; nothing,
/// if that is not possible. Processes may do so at the same time.
std::optional<std::filesystem::path> cached_headers(const std::vector<std::string>& command,
                                                    const MakeHeaders& make);

/// Forgets headers that turned out to be of no use.
void forget_headers(const std::filesystem::path& file);

}  // namespace boustro::verify
