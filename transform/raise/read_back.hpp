// Whether text is a program that the frontend reads.
#pragma once

#include <string>

namespace boustro::raise {

/// Parses, checks and lowers it. `reasons`, if given, becomes what is wrong.
bool is_read_back(const std::string& text, std::string* reasons = nullptr);

}  // namespace boustro::raise
