// Each thread of a tile computes so many rows of it, and as many columns.
#pragma once

#include "templates/tile_threads.cuh"
#include "templates/tile_width.cuh"

constexpr int tile_results = tile_width / tile_threads;
