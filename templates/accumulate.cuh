// Sums whose operands few results differ in, by the threads of a block.
#pragma once

/// Adds up the results of a tile, each in the order of its summands: calls add(r, group, ...) for
/// the thread's rows, so many at once as the tile says, and groups of columns, with what they have
/// of each operand. What comes next is loaded while the block adds what is staged. All threads of
/// the block have to call it.
template <typename Tile, typename Summands, typename Add, typename... Operands>
__device__ __forceinline__ void accumulate(const Summands& summands, const Add& add, Operands... operands) {
  using Index = decltype(summands.end);
  const auto add_staged = [&](Index first) {
    const Index steps = Tile::summands == 1 ? min(Index{Tile::depth}, summands.end - first) : Tile::depth;
    for (int step = 0; step < steps; step += Tile::summands) {
      (operands.read(step), ...);
#pragma unroll
      for (int group = 0; group < Tile::groups; ++group) {
        if (!summands.any(first + step, Tile::first_column(group), Tile::last_column(group))) continue;
#pragma unroll
        for (int r = 0; r < Tile::rows; r += Tile::rows_at_once) add(r, group, operands.own(r, group)...);
      }
    }
  };

  const Index end = summands.begin < summands.end ? summands.end + Tile::depth : summands.begin;
  for (Index first = summands.begin; first < end; first += Tile::depth) {
    (operands.load(first, summands.count), ...);
    if (first > summands.begin) add_staged(first - Tile::depth);
    __syncthreads();  // nobody needs what is staged any more
    (operands.stage(first, summands.count), ...);
    __syncthreads();  // the next summands are staged
  }
}
