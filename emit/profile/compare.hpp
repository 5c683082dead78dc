// Two profiles beside each other.
#pragma once

#include <string>

#include "emit/profile/profile.hpp"

namespace boustro::profile {

/// A table of what `before` and `now` have, and the ratio, for each row, matched by name, and for all. A row
/// that one of them lacks has `-` there. Times are always shown, other numbers where they differ.
///
/// `before` is the text of a report in JSON, `name` the file that it was read from. Throws
/// std::invalid_argument if it is none, or one of another format or device.
std::string compare_table(const std::string& before, const std::string& name, const Profile& now);

}  // namespace boustro::profile
