// kmeans.cu: CUDA C++ for the entry points of kmeans.fut, declared in kmeans.hpp.
// Written by `boustro translate kmeans.fut`; yours to edit. C++17, CUDA 12.8 or later.
//
//   cost_gradient [n] [k] [d] (points: [n][d]f32) (centres: [k][d]f32) : [k][d]f32
//     = vjp (cost points) centres 1                                               kmeans.fut:11
//
//   The derivative, rule by rule (`boustro derive kmeans.fut` prints it as a program):
//
//   forward  winner_kept[i] = argmin_{j < k} sum_{t < d} (points[i, t] - centres[j, t])^2; the
//              first, or -1 if none is below infinity                        reverse_reduce_min
//   return   centres_adj[winner_kept[i], t] += -2 * (points[i, t] - centres[winner_kept[i], t]), if
//              winner_kept[i] >= 0
//                    reverse_map, reverse_reduce_min, reverse_if, reverse_index, reverse_scalar

#include "kmeans.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace kmeans {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

/// Largest gridDim.y that CUDA accepts.
constexpr unsigned max_grid_height = 65535;

constexpr int block_size = 256;

/// Bytes of shared memory that a block may use without opting in to more.
constexpr std::size_t max_shared_bytes = 48 * 1024;

/// Maximum size of arrays that are indexed by `int`: one stride past the end does not overflow.
constexpr int64_t max_int_size = int64_t{1} << 30;

/// Hands out the caller's scratch memory in units of 256 bytes; without memory it counts bytes.
class Scratch {
 public:
  explicit Scratch(void* memory) : memory_(static_cast<std::byte*>(memory)) {}

  template <typename T>
  T* take(int64_t size) {
    std::byte* const piece = memory_ == nullptr ? nullptr : memory_ + bytes_;
    if (size > 0) bytes_ += (static_cast<std::size_t>(size) * sizeof(T) + 255) / 256 * 256;
    return reinterpret_cast<T*>(piece);
  }
  std::size_t bytes() const { return bytes_; }
  /// Whether the caller's `bytes` are enough; where none are needed, there may be no memory.
  bool fits(std::size_t bytes) const { return bytes_ <= bytes && (memory_ || bytes_ == 0); }

 private:
  std::byte* memory_;
  std::size_t bytes_ = 0;
};

/// Queues a memset of `count` elements to zero.
template <typename T>
cudaError_t fill_zeros(T* elements, int64_t count, cudaStream_t stream) {
  return cudaMemsetAsync(elements, 0, static_cast<std::size_t>(count) * sizeof(T), stream);
}

/// Blocks that cover `size` items. An array large enough to overflow the result fits on no device.
unsigned blocks_for(int64_t size, int64_t per_block) {
  return static_cast<unsigned>((size + per_block - 1) / per_block);
}

/// Blocks along y or z that cover `size` items, `per_block` each, but no more than CUDA accepts
/// there: kernels stride over the rest.
unsigned grid_height_for(int64_t size, int64_t per_block = 1) {
  return std::min(blocks_for(size, per_block), max_grid_height);
}

/// Threads of a block along each of `rows` rows of `width` elements: the least power of two that
/// covers a row, at most 32, or more if the block still covers all rows.
unsigned row_threads_for(int64_t width, int64_t rows) {
  unsigned threads = 1;
  while (threads < 32 && threads < width) threads *= 2;
  while (2 * threads <= block_size && threads < width && block_size / (2 * threads) >= rows)
    threads *= 2;
  return threads;
}

/// Rows of `row_bytes` bytes that a block stages in shared memory, one per thread. 0 if threads had
/// better read them in place: less than a warp of rows fits, or rows are shorter than a 32-byte
/// sector, so that neighbours share what they read.
unsigned staged_rows_for(std::size_t row_bytes) {
  const std::size_t warp = 32, least_bytes = 32;
  std::size_t rows = block_size;
  while (rows >= warp && rows * row_bytes > max_shared_bytes) rows /= 2;
  return row_bytes < least_bytes || rows < warp ? 0 : static_cast<unsigned>(rows);
}

/// Distance between staged rows, in elements: `width` rounded up to an odd number of elements, or
/// of words of narrower ones, so that the rows of neighbouring threads are in different banks.
int64_t row_pitch(int64_t width, std::size_t elem_bytes) {
  const int64_t in_word = elem_bytes < 4 ? 4 / static_cast<int64_t>(elem_bytes) : 1;
  return ((width + in_word - 1) / in_word | 1) * in_word;
}

/// Copies `rows` contiguous rows of `width` elements to shared memory, `pitch` elements apart. All
/// threads of the block must call it, and synchronise before they read: neighbouring threads load
/// neighbouring elements, and each has several loads in flight.
template <typename T>
__device__ void stage_rows(T* staged, const T* elements, int rows, int width, int pitch) {
  if (width == 0) return;
  constexpr int at_a_time = 8;
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const int end = rows * width;
  int row = thread / width, column = thread % width;
  for (int first = thread; first < end; first += at_a_time * threads) {
    T loaded[at_a_time];
#pragma unroll
    for (int k = 0; k < at_a_time; ++k) loaded[k] = elements[min(first + k * threads, end - 1)];
#pragma unroll
    for (int k = 0; k < at_a_time; ++k) {
      if (first + k * threads < end) staged[row * pitch + column] = loaded[k];
      row += threads / width;
      column += threads % width;
      if (column >= width) {
        column -= width;
        ++row;
      }
    }
  }
}

/// Rows that a block adds to its private copies: 16 per cell, at least block_size, and so many that
/// there are about 1024 blocks at most. Each row, or each of its elements, goes to one of `cells`
/// cells.
int64_t rows_per_copy(int64_t rows, int64_t cells) {
  const int64_t often = 16, most_blocks = 1024;
  return std::max({int64_t{block_size}, often * cells, rows / most_blocks});
}

/// Private copies of the cells per block, a power of two: at most one per lane of a warp, and one
/// per row that the block takes at a time. Several must leave each 2 rows per cell, and fit in half
/// of the shared memory, so that a multiprocessor holds all the threads that it can.
int copies_for(std::size_t copy_bytes, int64_t cells, int64_t rows_per_block,
               unsigned rows_at_a_time) {
  unsigned copies = 1;
  while (copies < 32 && copies < rows_at_a_time && 4 * copies * copy_bytes <= max_shared_bytes &&
         4 * copies * cells <= rows_per_block) {
    copies *= 2;
  }
  return static_cast<int>(copies);
}

/// Whether private copies pay: one fits in shared memory, and there are at least 256 blocks, unless
/// blocks are as small as they get.
bool copies_pay(int64_t rows, int64_t rows_per_block, std::size_t copy_bytes) {
  const int64_t enough = 256;
  return copy_bytes <= max_shared_bytes &&
         (rows_per_block <= block_size || rows >= enough * rows_per_block);
}

/// Which neighbours lie side by side in memory: elements of neighbouring results, or the summands
/// of one result.
enum class Order { results, summands };

/// Combines the values of the threads of a row, which have the same threadIdx.y: a power of two
/// of them, always in the same order. Returns the result to each. All threads of the block must
/// call it.
template <typename T, typename Op>
__device__ T combine_row(T value, Op op) {
  if (blockDim.x == 1) return value;
  __shared__ T values[block_size];
  T* const row = values + threadIdx.y * blockDim.x;
  row[threadIdx.x] = value;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) row[threadIdx.x] = op(row[threadIdx.x], row[threadIdx.x + half]);
  }
  __syncthreads();
  const T result = row[0];
  __syncthreads();  // all threads have read it
  return result;
}

/// Sets all elements of an array in registers to `value`.
template <typename T, std::size_t size, typename Value>
__device__ void set_all(T (&values)[size], Value value) {
#pragma unroll
  for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<T>(value);
}

// ---------------------------------------------------------------------------------------
// Tiles of results
// ---------------------------------------------------------------------------------------

/// Summands that are in shared memory at a time, at least.
constexpr int tile_depth = 8;

/// Results along each side of a tile.
constexpr int tile_width = 64;

/// Threads of a block that computes a tile.
constexpr int tile_threads = 128;

/// Whether a row of tiles per block pays for `matrices` matrices of `rows` x `columns` sums: half a
/// tile or more along each side, tile_depth or more `summands`, and at least 32 blocks.
bool rows_of_tiles_pay(int64_t rows, int64_t columns, int64_t summands, int64_t matrices) {
  const int64_t blocks = (rows + tile_width - 1) / tile_width * matrices;
  return 2 * rows >= tile_width && 2 * columns >= tile_width && summands >= tile_depth &&
         blocks >= 32;
}

/// Divides a tile of results among the threads of a block, which keep `rows_of_thread` x 4 each in
/// registers: row r and column c of a thread are row(r) and column(c) of the tile. x counts threads
/// across columns, y across rows.
template <int rows_of_thread, int depth_of_tile = 2 * tile_depth>
struct ThreadTile {
  static constexpr int rows = rows_of_thread, columns = 4, depth = depth_of_tile;
  static constexpr int column_threads = tile_width / columns, row_threads = tile_width / rows;
  static constexpr int threads = column_threads * row_threads;

  /// Four neighbouring rows at a time, so that their elements are read from shared memory at once.
  static __device__ int row(int r, int y = static_cast<int>(threadIdx.y)) {
    return (r / 4 * row_threads + y) * 4 + r % 4;
  }
  /// Neighbouring threads have neighbouring columns, and store them together.
  static __device__ int column(int c, int x = static_cast<int>(threadIdx.x)) {
    return x + c * column_threads;
  }

  // Each column is a group of its own, to which one summand is added at a time, row by row.
  static constexpr int groups = columns, summands = 1, rows_at_once = 1;
  template <typename Element>
  static __device__ Element rows_of(const Element* own, int row) {
    return own[row];
  }
  static __device__ int operand_column(int group, int x, int /*y*/) { return column(group, x); }
  static __device__ int operand_summand(int /*x*/) { return 0; }
  /// First and last column of the tile that any thread has in a group.
  static __device__ int first_column(int group) { return group * column_threads; }
  static __device__ int last_column(int group) { return first_column(group) + column_threads - 1; }
};

/// The summands of a tile: those from `begin` up to `end`, of `count`; all others are zero.
template <typename Index>
struct Summands {
  Index count, begin, end;

  /// Returns whether a summand may be nonzero in one of these columns of the tile.
  __device__ bool any(Index /*summand*/, int /*first_column*/, int /*last_column*/) const {
    return true;
  }
};

/// Returns the range of all `count` summands, none of which is known to be zero.
template <typename Index>
__device__ Summands<Index> all_summands(Index count) {
  return {count, 0, count};
}

/// Operand of the sums of a tile: load(index, summand) is shared by a row of results, or by a
/// column if not `of_rows`; the tile begins at index `first` of `size`. Tile::depth summands are in
/// shared memory while the next ones are on their way to registers. Past the ends the last element
/// is repeated, but past the last summand there are zeros if several are added at a time.
template <typename Tile, bool of_rows, Order order, typename Index, typename Load>
class TileOperand {
 public:
  using Element = std::invoke_result_t<Load, Index, int>;

  __device__ TileOperand(Index first, Index size, Load load)
      : load_(load), first_(first), size_(size), staged_(memory()) {}

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
      own_[i] = staged_[summand + Tile::operand_summand(x_)]
                       [of_rows ? Tile::row(i, y_) : Tile::operand_column(i, x_, y_)];
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
  __device__ int place(int i) const {
    return order == Order::summands ? cell(i) / Tile::depth : cell(i) % tile_width;
  }
  __device__ int summand(int i) const {
    return order == Order::summands ? cell(i) % Tile::depth : cell(i) / tile_width;
  }

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

/// Returns the operand load(row, summand) of a tile that begins at row `first` of `size`.
template <typename Tile, Order order, typename Index, typename Size, typename Load>
__device__ auto row_operand(Index first, Size size, Load load) {
  return TileOperand<Tile, true, order, Index, Load>(first, static_cast<Index>(size), load);
}

/// Returns the operand load(column, summand) of a tile that begins at column `first` of `size`.
template <typename Tile, Order order, typename Index, typename Size, typename Load>
__device__ auto column_operand(Index first, Size size, Load load) {
  return TileOperand<Tile, false, order, Index, Load>(first, static_cast<Index>(size), load);
}

/// Adds up the results of a tile, each in the order of its summands: calls add(r, group, ...) for
/// the thread's rows, Tile::rows_at_once of them at a time, and groups of columns, with their
/// elements of each operand. The next summands are loaded while the block adds the staged ones.
/// All threads of the block must call it.
template <typename Tile, typename Summands, typename Add, typename... Operands>
__device__ __forceinline__ void accumulate(const Summands& summands, const Add& add,
                                           Operands... operands) {
  using Index = decltype(summands.end);
  const auto add_staged = [&](Index first) {
    const Index steps =
        Tile::summands == 1 ? min(Index{Tile::depth}, summands.end - first) : Tile::depth;
    for (int step = 0; step < steps; step += Tile::summands) {
      (operands.read(step), ...);
#pragma unroll
      for (int group = 0; group < Tile::groups; ++group) {
        if (!summands.any(first + step, Tile::first_column(group), Tile::last_column(group)))
          continue;
#pragma unroll
        for (int r = 0; r < Tile::rows; r += Tile::rows_at_once)
          add(r, group, operands.own(r, group)...);
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

// ---------------------------------------------------------------------------------------
// Device functions
// ---------------------------------------------------------------------------------------

struct MinimumValues {
  float x;
  int64_t i;
};

/// The one with the smaller x; of equal ones, that with the smaller i; a number rather than a NaN.
struct CombineMinimum {
  __device__ MinimumValues operator()(const MinimumValues& x, const MinimumValues& y) const {
    const bool wins = y.x < x.x || (x.x == y.x && y.i < x.i);
    const bool chosen = wins || x.x != x.x;
    return {chosen ? y.x : x.x, chosen ? y.i : x.i};
  }
};

// ---------------------------------------------------------------------------------------
// Device functions of cost_gradient
// ---------------------------------------------------------------------------------------

/// Adds this thread's share to centres_adj.
///   centres_adj[winner_kept[i], t] += -2 * (points[i, t] - centres[winner_kept[i], t]), if
///     winner_kept[i] >= 0
/// Threads stride over `i` (blockIdx.x, threadIdx.y) and `t` (blockIdx.y, threadIdx.x).
__device__ void add_centres_adj(float* centres_adj, const float* points, const float* centres,
                                const int64_t* winner_kept, int64_t n, int d) {
  const int64_t first_i = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
  const int64_t stride_i = int64_t(gridDim.x) * blockDim.y;
  const int first_t = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  const int stride_t = static_cast<int>(gridDim.y * blockDim.x);

  for (int64_t i = first_i; i < n; i += stride_i) {
    const int64_t winner = winner_kept[i];
    if (winner >= 0) {
      for (int t = first_t; t < d; t += stride_t) {
        const float difference = points[i * d + t] - centres[winner * d + t];
        atomicAdd(&centres_adj[winner * d + t], -2.0f * difference);
      }
    }
  }
}

/// argmin_{j < k} sum_{t < d} (p[t] - centres[j, t])^2; the first, or -1 if none is below infinity
///                                                                                 kmeans.fut:9
__device__ int64_t winner_of(const float* p, const float* centres, int k, int d) {
  float minimum = INFINITY;
  int64_t winner = -1;
  for (int j = 0; j < k; ++j) {
    const float* const c = centres + j * d;
    float total = 0.0f;
    for (int t = 0; t < d; ++t) {
      const float difference = p[t] - c[t];
      total += difference * difference;
    }
    if (total < minimum) {
      minimum = total;
      winner = j;
    }
  }
  return winner;
}

// ---------------------------------------------------------------------------------------
// Kernels of cost_gradient
// ---------------------------------------------------------------------------------------

// winner_kept[i] = argmin_{j < k} sum_{t < d} (points[i, t] - centres[j, t])^2; the first, or -1 if
//     none is below infinity
//   source  kmeans.fut:9, `points |> map (\p -> f32.minimum (map (dist p) centres))`
//   rule    reverse_reduce_min
//   grid    one block per tile_width points `i` (blockIdx.x, threadIdx.y), tile after tile of `j`
//           (threadIdx.x)
__global__ void __launch_bounds__(tile_threads)
winner_kept_tiles_kernel(int64_t* __restrict__ winner_kept,  // [n], written
                         const float* __restrict__ points,   // [n][d]
                         const float* __restrict__ centres,  // [k][d]
                         int64_t n, int k, int d) {
  using Tile = ThreadTile<8>;
  const int64_t first_i = int64_t(blockIdx.x) * tile_width;
  const auto x_at = [&](int64_t i, int t) { return points[i * d + t]; };
  const auto y_at = [&](int j, int t) { return centres[j * d + t]; };
  float own_minimum[Tile::rows];
  set_all(own_minimum, INFINITY);
  int64_t own_winner[Tile::rows];
  set_all(own_winner, -1);

  for (int first_j = 0; first_j < k; first_j += tile_width) {
    float total[Tile::rows][Tile::columns] = {};
    const auto add = [&](int r, int c, float x, float y) {
      const float difference = x - y;
      total[r][c] += difference * difference;
    };
    accumulate<Tile>(all_summands(d), add, row_operand<Tile, Order::summands>(first_i, n, x_at),
                     column_operand<Tile, Order::summands>(first_j, k, y_at));

#pragma unroll
    for (int r = 0; r < Tile::rows; ++r) {
#pragma unroll
      for (int c = 0; c < Tile::columns; ++c) {
        const int64_t i = first_i + Tile::row(r);
        const int j = first_j + Tile::column(c);
        if (i < n && j < k) {
          const float y = total[r][c];
          if (y < own_minimum[r]) {
            own_minimum[r] = y;
            own_winner[r] = j;
          }
        }
      }
    }
  }

#pragma unroll
  for (int r = 0; r < Tile::rows; ++r) {
    const MinimumValues minimum_values =
        combine_row(MinimumValues{own_minimum[r], own_winner[r]}, CombineMinimum{});
    const int64_t i = first_i + Tile::row(r);
    if (threadIdx.x == 0 && i < n) winner_kept[i] = minimum_values.i;
  }
}

// The same as winner_kept_tiles_kernel.
//   grid    one thread per `i`
//
// The rows of a block are brought to shared memory first, where each thread then reads its own.
__global__ void __launch_bounds__(block_size)
winner_kept_staged_kernel(int64_t* __restrict__ winner_kept,  // [n], written
                          const float* __restrict__ points,   // [n][d]
                          const float* __restrict__ centres,  // [k][d]
                          int64_t n, int k, int d, int pitch) {
  extern __shared__ float block_points[];
  const int64_t first_i = int64_t(blockIdx.x) * blockDim.x;
  const int rows = static_cast<int>(min(int64_t(blockDim.x), n - first_i));
  stage_rows(block_points, points + first_i * d, rows, d, pitch);
  __syncthreads();  // block_points is complete

  const int64_t i = first_i + threadIdx.x;
  if (i >= n) return;

  const float* const p = block_points + static_cast<int>(threadIdx.x) * pitch;
  winner_kept[i] = winner_of(p, centres, k, d);
}

// The same as winner_kept_tiles_kernel.
//   grid    one thread per `i`
__global__ void __launch_bounds__(block_size)
winner_kept_kernel(int64_t* __restrict__ winner_kept,  // [n], written
                   const float* __restrict__ points,   // [n][d]
                   const float* __restrict__ centres,  // [k][d]
                   int64_t n, int k, int d) {
  const int64_t i = int64_t(blockIdx.x) * block_size + threadIdx.x;
  if (i >= n) return;

  const float* const p = points + i * d;
  winner_kept[i] = winner_of(p, centres, k, d);
}

// centres_adj[winner_kept[i], t] += -2 * (points[i, t] - centres[winner_kept[i], t]), if
//     winner_kept[i] >= 0
//   source  kmeans.fut:9, return sweep of `points |> map (\p -> f32.minimum (map (dist p) ...`
//   rule    reverse_map; reverse_reduce_min; reverse_if; reverse_index; reverse_scalar
//   grid    blocks stride over `i`; see add_centres_adj
//
// Every block adds into copies in shared memory first, then once to the result. Threads that do so
// at a time share several, where there is room. The order of additions varies.
__global__ void __launch_bounds__(block_size)
centres_adj_shared_kernel(float* __restrict__ centres_adj,          // [k][d], added to
                          const float* __restrict__ points,         // [n][d]
                          const float* __restrict__ centres,        // [k][d]
                          const int64_t* __restrict__ winner_kept,  // [n]
                          int64_t n, int d, int cells, int copies) {
  extern __shared__ float block_centres_adj[];
  const int thread = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
  // Odd: the copies of a cell are in different banks.
  const int pitch = cells | 1;

  for (int cell = thread; cell < copies * pitch; cell += block_size) {
    block_centres_adj[cell] = 0.0f;
  }
  __syncthreads();  // block_centres_adj is empty

  add_centres_adj(block_centres_adj + static_cast<int>(threadIdx.y) % copies * pitch, points,
                  centres, winner_kept, n, d);
  __syncthreads();  // block_centres_adj is complete

  for (int cell = thread; cell < cells; cell += block_size) {
    for (int other = 1; other < copies; ++other) {
      block_centres_adj[cell] += block_centres_adj[other * pitch + cell];
    }
    atomicAdd(&centres_adj[cell], block_centres_adj[cell]);
  }
}

// The same as centres_adj_shared_kernel.
//   grid    one thread per `i` and `t`; see add_centres_adj
//
// Straight to global memory, for when copies do not fit or pay. The order of additions varies.
__global__ void __launch_bounds__(block_size)
centres_adj_global_kernel(float* __restrict__ centres_adj,          // [k][d], added to
                          const float* __restrict__ points,         // [n][d]
                          const float* __restrict__ centres,        // [k][d]
                          const int64_t* __restrict__ winner_kept,  // [n]
                          int64_t n, int d) {
  add_centres_adj(centres_adj, points, centres, winner_kept, n, d);
}

// ---------------------------------------------------------------------------------------
// Scratch memory of cost_gradient
// ---------------------------------------------------------------------------------------

struct CostGradientScratch : Scratch {
  int64_t n;

  int64_t* winner_kept = take<int64_t>(n);
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

cudaError_t cost_gradient_scratch(std::size_t* bytes, int64_t n, int64_t k, int64_t d) {
  if (n < 0 || k < 0 || d < 0) return cudaErrorInvalidValue;
  if (k > max_int_size || d > max_int_size || k * d > max_int_size) return cudaErrorInvalidValue;
  *bytes = CostGradientScratch{Scratch(nullptr), n}.bytes();
  return cudaSuccess;
}

cudaError_t cost_gradient(float* centres_adj, const float* points, const float* centres, int64_t n,
                          int64_t k, int64_t d, void* scratch, std::size_t scratch_bytes,
                          cudaStream_t stream) {
  if (n < 0 || k < 0 || d < 0) return cudaErrorInvalidValue;
  if (k > max_int_size || d > max_int_size || k * d > max_int_size) return cudaErrorInvalidValue;
  const CostGradientScratch buffers{Scratch(scratch), n};
  if (!buffers.fits(scratch_bytes)) return cudaErrorInvalidValue;

  // Forward sweep.
  if (rows_of_tiles_pay(n, k, d, 1)) {
    const dim3 block_shape(ThreadTile<8>::column_threads, ThreadTile<8>::row_threads);
    const unsigned grid_size = blocks_for(n, tile_width);
    winner_kept_tiles_kernel<<<grid_size, block_shape, 0, stream>>>(
        buffers.winner_kept, points, centres, n, static_cast<int>(k), static_cast<int>(d));
    if (const auto error = cudaGetLastError()) return error;
  } else if (n > 0) {
    const int64_t pitch = row_pitch(d, sizeof(float));
    const std::size_t row_bytes = static_cast<std::size_t>(pitch) * sizeof(float);
    const unsigned staged_rows = staged_rows_for(row_bytes);
    if (staged_rows > 0u) {
      const unsigned grid_size = blocks_for(n, staged_rows);
      winner_kept_staged_kernel<<<grid_size, staged_rows, staged_rows * row_bytes, stream>>>(
          buffers.winner_kept, points, centres, n, static_cast<int>(k), static_cast<int>(d),
          static_cast<int>(pitch));
      if (const auto error = cudaGetLastError()) return error;
    } else {
      const unsigned grid_size = blocks_for(n, block_size);
      winner_kept_kernel<<<grid_size, block_size, 0, stream>>>(
          buffers.winner_kept, points, centres, n, static_cast<int>(k), static_cast<int>(d));
      if (const auto error = cudaGetLastError()) return error;
    }
  }

  // Return sweep.
  if (const auto error = fill_zeros(centres_adj, k * d, stream)) return error;

  if (n > 0 && d > 0) {
    const unsigned row_threads = row_threads_for(d, n);
    const std::size_t copy_bytes = (static_cast<std::size_t>(k * d) | 1) * sizeof(float);
    const int64_t rows_per_block = rows_per_copy(n, k);
    if (copies_pay(n, rows_per_block, copy_bytes)) {
      const int copies = copies_for(copy_bytes, k, rows_per_block, block_size / row_threads);
      const dim3 block_shape(row_threads, block_size / row_threads);
      const unsigned grid_size = blocks_for(n, rows_per_block);
      centres_adj_shared_kernel<<<grid_size, block_shape,
                                  static_cast<std::size_t>(copies) * copy_bytes, stream>>>(
          centres_adj, points, centres, buffers.winner_kept, n, static_cast<int>(d),
          static_cast<int>(k * d), copies);
      if (const auto error = cudaGetLastError()) return error;
    } else {
      const dim3 block_shape(row_threads, block_size / row_threads);
      const dim3 grid_shape(blocks_for(n, block_shape.y), grid_height_for(d, row_threads));
      centres_adj_global_kernel<<<grid_shape, block_shape, 0, stream>>>(
          centres_adj, points, centres, buffers.winner_kept, n, static_cast<int>(d));
      if (const auto error = cudaGetLastError()) return error;
    }
  }
  return cudaSuccess;
}

}  // namespace kmeans
