// Room for the results of the parts of a divided loop.
#pragma once

#include <cstdint>

/// Maximum number of parts into which a loop that workers share is divided.
constexpr int64_t max_parts = 64;
