// Tables as text.
#pragma once

#include <string>
#include <vector>

namespace boustro::profile {

/// A text for each column.
using Line = std::vector<std::string>;

/// The first column to the left, all others to the right, in as much room as they need.
std::string aligned(const std::vector<Line>& lines);

/// `1.50 ms`, in the unit that fits.
std::string time_text(double seconds);

/// `50.0%`
std::string percent_text(double part);

}  // namespace boustro::profile
