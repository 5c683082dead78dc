// The words of `boustro profile`: what its table means, and what sizes and devices it takes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "emit/driver/options.hpp"

namespace boustro::driver {

/// What stands below its options.
extern const char* const profile_legend;

/// `n=10`. Throws CLI::ValidationError, as the following do.
std::pair<std::string, std::int64_t> parse_size(const std::string& text);

/// Each target has devices of its own. `given`: the command line names one.
void choose_device(ProfileOptions& options, bool given);

/// Each from a size that has smaller ones, to a larger one.
void check_extrapolation(const ProfileOptions& options);

}  // namespace boustro::driver
