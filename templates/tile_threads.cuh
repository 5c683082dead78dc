// Threads of a block that computes a tile, 32 results each.
#pragma once

/// Threads of a block that computes a tile.
constexpr int tile_threads = 128;
