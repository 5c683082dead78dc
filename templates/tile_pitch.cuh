// Rows of a tile in shared memory are so far apart that the elements of a column are in different banks.
#pragma once

#include "templates/tile_width.cuh"

constexpr int tile_pitch = tile_width + 1;
