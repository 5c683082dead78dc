// A profile as a table for people and as JSON for programs.
#pragma once

#include <string>

#include "emit/profile/profile.hpp"

namespace boustro::profile {

/// Of the JSON. One more whenever a reader of the last one would misunderstand it.
constexpr int report_format = 1;

/// One row a kernel, library call or kind of transfer, and one for all. Columns are left out in which there is
/// nothing. What is extrapolated says so in a line above.
std::string profile_table(const Profile& profile);

/// The same rows with all numbers, also those that are zero:
/// {"format": 1, "failure": null, "program": .., "entry": .., "device": ..,
///  "rows": [{"work": "kernel", "name": .., COUNTS, "active_lanes": .., "seconds": .., "bound": ..,
///            "terms": {"launch": ..}, "measured_seconds": .., "occupancy": .., "registers": .., ..}, ..],
///  "total": {COUNTS, "active_lanes": .., "seconds": .., "measured_seconds": ..},
///  "extrapolated": [{"size": "n", "from": [.., ..], "to": ..}, ..], "guesses": [{"row": .., "counter": .., "of": "n"}, ..]}
/// where what is not known is left out.
std::string profile_json(const Profile& profile);

}  // namespace boustro::profile
