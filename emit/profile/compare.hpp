// Two profiles beside each other.
#pragma once

#include <string>

#include "emit/profile/profile.hpp"

namespace boustro::profile {

/// Throws std::invalid_argument if `text`, which was read from the file `name`, is no report in JSON, or one of
/// another format or device. For those that have time to lose before they compare.
void check_report(const std::string& text, const std::string& name, const std::string& device);

/// A table of what `before` and `now` have, and the ratio, for each row, matched by name, and for all. A row
/// that one of them lacks has `-` there. Times are always shown, other numbers where they differ.
///
/// `before` is the text of a report in JSON, from the file `name`. Throws as check_report does.
std::string compare_table(const std::string& before, const std::string& name, const Profile& now);

}  // namespace boustro::profile
