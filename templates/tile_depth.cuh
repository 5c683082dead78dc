// So many steps of the sums of a tile are read into shared memory at a time, or twice as many.
#pragma once

/// Summands that are in shared memory at a time, at least.
constexpr int tile_depth = 8;
