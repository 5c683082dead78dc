// Threads of a block that computes a tile, 8 x 8 results each.
#pragma once

/// Threads of a block that computes a tile.
constexpr int tile_threads = 64;
