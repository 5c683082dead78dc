// Which summands the results of a tile have.
#pragma once

/// Those from `begin` to `end`, of `count`; all others are zero.
template <typename Index>
struct Summands {
  Index count, begin, end;

  /// Whether a summand may be other than zero in one of these columns of the tile.
  __device__ bool any(Index /*summand*/, int /*first_column*/, int /*last_column*/) const { return true; }
};
