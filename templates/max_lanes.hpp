// How many points of a loop are computed at a time.
#pragma once

#include <cstdint>

/// Points that are computed at a time: two vectors of f64 where a vector has 512 bits, four where
/// it has 256, enough for additions not to wait for each other.
constexpr int64_t max_lanes = 16;
