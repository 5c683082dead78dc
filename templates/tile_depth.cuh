// How many summands of a tile are brought to shared memory at a time: so many, or twice as many.
#pragma once

/// Summands that are in shared memory at a time, at least.
constexpr int tile_depth = 8;
