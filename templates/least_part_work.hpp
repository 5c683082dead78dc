// What pays for being handed to a worker of a CPU.
#pragma once

#include <cstdint>

/// Workers share a loop in parts of at least so much work, in additions.
constexpr int64_t least_part_work = 1 << 15;
