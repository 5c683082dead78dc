// Two-dimensional grids put the inner extent on blockIdx.y.
#pragma once

/// Largest gridDim.y that CUDA accepts.
constexpr unsigned max_grid_height = 65535;
