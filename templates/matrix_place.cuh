// The place in a tile of each row, or column, of the matrices that warps multiply. The eight of a group are not contiguous, so that four
// lanes store neighbouring columns, and lanes that read at once do so from different banks of shared memory.
#pragma once

/// Returns which row, or column, of a tile is number `number` of the eight in group `group`.
__device__ constexpr int matrix_place(int group, int number) { return group / 2 * 16 + group % 2 * 4 + number % 2 * 8 + number / 2; }
