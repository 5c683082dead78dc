// A block computes a tile of results: so many rows, and as many columns.
#pragma once

constexpr int tile_width = 64;
