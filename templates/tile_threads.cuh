// A block that computes a tile has so many threads along its rows, and as many along its columns.
#pragma once

constexpr int tile_threads = 16;
