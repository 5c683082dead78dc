// A block computes a tile of results: so many rows, and as many columns.
#pragma once

/// Results along each side of a tile.
constexpr int tile_width = 64;
