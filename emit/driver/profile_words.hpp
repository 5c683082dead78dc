// The words of `boustro profile`: what its table means, and what sizes and devices it takes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "emit/driver/options.hpp"

namespace boustro::driver {

/// What stands below its options.
extern const char* const profile_legend;

/// Each is `n=10`, of a name of its own. Throws CLI::ValidationError, as the following do.
std::map<std::string, std::int64_t> parse_sizes(const std::vector<std::string>& texts);

/// Each target has devices of its own. `given`: the command line names one.
void choose_device(ProfileOptions& options, bool given);

/// Each from a size that has smaller ones, to a larger one.
void check_extrapolation(const ProfileOptions& options);

}  // namespace boustro::driver
