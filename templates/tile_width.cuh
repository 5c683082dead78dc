// A block computes a tile of tile_width rows and as many columns of results.
#pragma once

/// Results along each side of a tile.
constexpr int tile_width = 64;
