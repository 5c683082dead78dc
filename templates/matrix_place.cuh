// Where the rows, or columns, of matrices that warps multiply are in a tile: eight of a group, not next to each other, so that four lanes
// store neighbouring columns, and lanes that read at once do so from different banks of shared memory.
#pragma once

/// The row, or column, that is number `number` of its eight in group `group`.
__device__ constexpr int matrix_place(int group, int number) { return group / 2 * 16 + group % 2 * 4 + number % 2 * 8 + number / 2; }
