// How the threads of a block bring the operands of the sums of a tile to shared memory.
#pragma once

#include <cstddef>
#include <type_traits>

#include "templates/order.cuh"
#include "templates/tile_width.cuh"

/// Operand of the sums of a tile: load(index, summand) is shared by a row of results, or by a
/// column if not `of_rows`; the tile begins at index `first` of `size`. Tile::depth summands are in
/// shared memory while the next ones are on their way to registers. Past the ends the last element
/// is repeated, but past the last summand there are zeros if several are added at a time.
template <typename Tile, bool of_rows, Order order, typename Index, typename Load>
class TileOperand {
 public:
  using Element = std::invoke_result_t<Load, Index, int>;

  __device__ TileOperand(Index first, Index size, Load load) : load_(load), first_(first), size_(size), staged_(memory()) {}

  /// Loads the thread's part of the Tile::depth summands from `first` on, of `count`, to registers.
  template <typename Summand>
  __device__ void load(Summand first, Summand count) {
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      next_[i] = load_(min(first_ + place(i), size_ - 1), min(first + summand(i), count - 1));
    }
  }
  /// Stores the loaded part to shared memory.
  template <typename Summand>
  __device__ void stage(Summand first, Summand count) const {
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      const bool is_there = Tile::summands == 1 || first + summand(i) < count;
      staged_[summand(i)][place(i)] = is_there ? next_[i] : Element{};
    }
  }
  /// Reads the elements of the thread's rows, or columns, at staged summand `summand`.
  __device__ void read(int summand) {
#pragma unroll
    for (int i = 0; i < reads; ++i) {
      own_[i] = staged_[summand + Tile::operand_summand(x_)][of_rows ? Tile::row(i, y_) : Tile::operand_column(i, x_, y_)];
    }
  }
  /// Returns the elements of the rows from `row` on that are added at once, or that of `group`.
  __device__ auto own(int row, int group) const {
    if constexpr (of_rows) {
      return Tile::rows_of(own_, row);
    } else {
      return own_[group];
    }
  }

 private:
  static constexpr int loads = Tile::depth * tile_width / Tile::threads;
  static constexpr int reads = of_rows ? Tile::rows : Tile::groups;
  /// Elements between neighbouring summands: 16 bytes more than a row, so that these are in
  /// different banks, and neighbours can be read 16 bytes at a time.
  static constexpr std::size_t pitch = tile_width + 16 / sizeof(Element);

  /// Number of the thread's i-th element: neighbouring threads load neighbours in memory.
  __device__ int cell(int i) const { return y_ * Tile::column_threads + x_ + i * Tile::threads; }
  __device__ int place(int i) const { return order == Order::summands ? cell(i) / Tile::depth : cell(i) % tile_width; }
  __device__ int summand(int i) const { return order == Order::summands ? cell(i) % Tile::depth : cell(i) / tile_width; }

  using Staged = Element[Tile::depth][pitch];
  static __device__ Staged& memory() {
    __shared__ alignas(16) Staged staged;
    return staged;
  }

  const int x_ = static_cast<int>(threadIdx.x), y_ = static_cast<int>(threadIdx.y);
  Load load_;
  Index first_, size_;
  Staged& staged_;
  Element next_[std::size_t{loads}];
  Element own_[std::size_t{reads}];
};
