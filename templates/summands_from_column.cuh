// The summands of a tile if those before the diagonal are zero.
#pragma once

/// The summands of a tile from `begin`, its first column, up to `end`, of `count`, if those before
/// the column of a result are zero. any() says whether a summand may be nonzero in these columns.
template <typename Index>
struct SummandsFromColumn {
  Index count, begin, end;

  __device__ bool any(Index summand, int first_column, int /*last_column*/) const { return summand >= begin + first_column; }
};

/// Returns the summands, of `count`, from the column of a result on; the tile begins at `first`.
template <typename Index, typename Column>
__device__ SummandsFromColumn<Index> summands_from_column(Index count, Column first) {
  return {count, static_cast<Index>(first), count};
}
