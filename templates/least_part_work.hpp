// The least work that pays for being handed to a worker of a CPU.
#pragma once

#include <cstdint>

/// Least work, in additions, of each part of a loop that workers share.
constexpr int64_t least_part_work = 1 << 15;
