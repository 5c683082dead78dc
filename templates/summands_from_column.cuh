// The summands of a tile, if they are zero before the diagonal.
#pragma once

/// As Summands: those from the column on, of a tile that begins at column `begin`.
template <typename Index>
struct SummandsFromColumn {
  Index count, begin, end;

  __device__ bool any(Index summand, int first_column, int /*last_column*/) const { return summand >= begin + first_column; }
};

/// Of `count`, those from the column of each result on; the tile begins at column `first`.
template <typename Index, typename Column>
__device__ SummandsFromColumn<Index> summands_from_column(Index count, Column first) {
  return {count, static_cast<Index>(first), count};
}
