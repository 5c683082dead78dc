// Which summands the results of a tile have.
#pragma once

/// The summands of a tile: those from `begin` up to `end`, of `count`; all others are zero.
template <typename Index>
struct Summands {
  Index count, begin, end;

  /// Returns whether a summand may be nonzero in one of these columns of the tile.
  __device__ bool any(Index /*summand*/, int /*first_column*/, int /*last_column*/) const { return true; }
};
