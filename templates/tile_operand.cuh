// How the threads of a block bring what the sums of a tile are made of to shared memory.
#pragma once

#include <cstddef>
#include <type_traits>

#include "templates/tile_width.cuh"

/// Which elements of an operand are neighbours in memory: those of neighbouring results, or
/// summands.
enum class Order { results, summands };

/// An operand of the sums of a tile: load(index, summand) is shared by a row of results, or, if not
/// `of_rows`, by a column; the tile begins at index `first` of `size`. Tile::depth summands are in
/// shared memory, and the next ones, meanwhile, on their way in registers. Behind the ends is what
/// comes last, or zero where several summands are added at a time.
template <typename Tile, bool of_rows, Order order, typename Index, typename Load>
class TileOperand {
 public:
  using Element = std::invoke_result_t<Load, Index, int>;

  __device__ TileOperand(Index first, Index size, Load load) : load_(load), first_(first), size_(size), staged_(memory()) {}

  /// The thread's part of Tile::depth summands from `first` on, of `count`.
  template <typename Summand>
  __device__ void load(Summand first, Summand count) {
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      next_[i] = load_(min(first_ + place(i), size_ - 1), min(first + summand(i), count - 1));
    }
  }
  /// Puts it into shared memory.
  template <typename Summand>
  __device__ void stage(Summand first, Summand count) const {
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      const bool is_there = Tile::summands == 1 || first + summand(i) < count;
      staged_[summand(i)][place(i)] = is_there ? next_[i] : Element{};
    }
  }
  /// What the thread's rows, or columns, have for a summand there.
  __device__ void read(int summand) {
#pragma unroll
    for (int i = 0; i < reads; ++i) {
      own_[i] = staged_[summand + Tile::operand_summand(x_)][of_rows ? Tile::row(i, y_) : Tile::operand_column(i, x_, y_)];
    }
  }
  /// ... those of them that are added at once, or a column.
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
  /// 16 bytes more than a row: neighbouring summands are in different banks, and four can be read
  /// at once.
  static constexpr std::size_t pitch = tile_width + 16 / sizeof(Element);

  /// Neighbouring threads load neighbours in memory.
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
