// So many steps of the sums of a tile are read into shared memory at a time.
#pragma once

/// Summands that are in shared memory at a time.
constexpr int tile_depth = 8;
