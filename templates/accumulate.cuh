// Sums whose operands few results differ in, by the threads of a block.
#pragma once

/// Adds up the results of a tile, each in the order of its summands: calls add(r, group, ...) for
/// the thread's rows, Tile::rows_at_once of them at a time, and groups of columns, with their
/// elements of each operand. The next summands are loaded while the block adds the staged ones.
/// All threads of the block must call it.
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

  for (Index first = summands.begin;; first += Tile::depth) {
    const bool more = first < summands.end;
    if (more) (operands.load(first, summands.count), ...);
    if (first > summands.begin) add_staged(first - Tile::depth);
    if (!more) break;
    __syncthreads();  // all threads have read the staged summands
    (operands.stage(first, summands.count), ...);
    __syncthreads();  // the next summands are staged
  }
}
