// gmm.cu: CUDA C++ for the entry points of gmm.fut, declared in gmm.hpp.
// Written by `boustro translate gmm.fut`; yours to edit. C++17, CUDA 12.8 or later.
//
//   calculate_objective [n] [k] [d] [l] (alphas: [k]f64) (means: [k][d]f64) (icf: [k][l]f64) (xs:
//     [n][d]f64) (gamma: f64) (m: i64) : f64
//     = objective alphas means icf xs gamma m                                        gmm.fut:62
//
//   calculate_jacobian [n] [k] [d] [l] (alphas: [k]f64) (means: [k][d]f64) (icf: [k][l]f64) (xs:
//     [n][d]f64) (gamma: f64) (m: i64) : ([k]f64, [k][d]f64, [k][l]f64)
//     = vjp (\(alphas, means, icf) -> objective alphas means icf xs gamma m) (alphas, means, icf) 1
//                                                                                    gmm.fut:73
//
//   The derivative, rule by rule (`boustro derive gmm.fut` prints it as a program):
//
//   forward  qs[j, t, u] = 0, if t < u
//            qs[j, t, u] = exp(icf[j, t]), if t == u
//            qs[j, t, u] = icf[j, d + (d * 2 - u - 1) * u / 2 + t - u - 1], if t > u
//            log_dets[j] = sum_{t < d} icf[j, t]
//            objective_xs_kept[i, j] = alphas[j] + log_dets[j] - 0.5 * (sum_{t < d} (sum_{u < d}
//              (xs[i, u] - means[j, u]) * qs[j, t, u])^2)
//            largest = max_{j < k} alphas[j]
//   return   total_adj = -n / total
//              where total = sum_{j < k} exp(alphas[j] - largest)                reverse_scalar
//            x_adj[i, j]: see x_adj_kernel                          reverse_map, reverse_scalar
//            alphas_adj_parts[slab, j] = sum_{i in slab} x_adj[i, j]                reverse_map
//            alphas_adj[j] = total_adj * exp(alphas[j] - largest) + total
//            log_dets_adj[j] = -m + total
//              where total = sum_{slab < alphas_adj_slabs} alphas_adj_parts[slab, j]
//                                                                   reverse_map, reverse_scalar
//            means_adj_sums_parts[slab, j, t] = sum_{i in slab} x_adj[i, j] * (xs[i, t] -
//              means[j, t])                                                         reverse_map
//            means_adj_sums[cell] = sum_{slab < means_adj_sums_slabs}
//              means_adj_sums_parts[slab * cells + cell]                            reverse_map
//            qs_adj_sums_parts[block, t, u] = sum_{i in slab} x_adj[i, j] * (xs[i, t] -
//              means[j, t]) * (xs[i, u] - means[j, u])
//              where j = block % k
//                    slab = block / k                                               reverse_map
//            qs_adj_sums[cell] = sum_{slab < qs_adj_sums_slabs}
//              qs_adj_sums_parts[slab * objective_cells + cell]                     reverse_map
//            qs_adj[j, t, u] = gamma_^2 * qs[j, t, u] - (sum_{r < d} qs[j, t, r] *
//              qs_adj_sums[j, r, u])  contraction, reverse_map, reverse_reshape, reverse_scalar
//            other_means_adj[j, t] = sum_{u < d} qs[j, t, u] * means_adj_sums[j, u]
//                                                                                   contraction
//            means_adj[j, t] = sum_{u < d} qs[j, u, t] * other_means_adj[j, u]      contraction
//            qs_icf_adj[j, t] = qs_adj[j, t, u] * exp(icf[j, t]), if t == u
//            qs_icf_adj[j, d + (d * 2 - u - 1) * u / 2 + t - u - 1] = qs_adj[j, t, u], if t > u
//                                        reverse_map, reverse_if, reverse_scalar, reverse_index
//            icf_adj[j, s] = (log_dets_adj[j] if s < d else 0) + qs_icf_adj[j, s]
//                                                                    reverse_map, reverse_index

#include "gmm.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/tabulate_output_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace gmm {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

/// Largest gridDim.y that CUDA accepts.
constexpr unsigned max_grid_height = 65535;

constexpr int block_size = 256;

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

/// Blocks that cover `size` items, at most 2048 / `beside`: with `beside` blocks for each of them
/// along the other dimension, they fill a large device twice. Kernels stride over the rest.
unsigned few_blocks_for(int64_t size, int64_t per_block, unsigned beside = 1) {
  return std::min(blocks_for(size, per_block), 2048 / beside);
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

/// Returns how many of `summands` a slab has: at least 64, and so many that about 512 slabs are
/// left, or fewer if `sums` sums of each fill a large device.
int64_t slab_size_for(int64_t summands, int64_t sums) {
  const int64_t enough_sums = 1 << 22, most_slabs = 512, least_size = 64;
  const int64_t slabs =
      std::clamp<int64_t>(enough_sums / std::max<int64_t>(sums, 1), 1, most_slabs);
  return std::max(summands / slabs, least_size);
}

/// Which neighbours lie side by side in memory: elements of neighbouring results, or the summands
/// of one result.
enum class Order { results, summands };

/// Threads that share a sum, a power of two: as many as fill a warp with a short row or, where
/// summands are neighbours, with each sum, if there are summands for them; then as many as keep the
/// device busy with `rows` rows of `width` sums, and leave each 4 summands or more. Where results
/// are neighbours, 8 of these, or all of a row, stay in the block.
unsigned sum_threads_for(int64_t width, int64_t rows, int64_t summands, Order neighbours) {
  const int64_t enough = 1 << 18, own_summands = 8, warp = 32;
  const bool row = neighbours == Order::summands;
  const int64_t least = row ? warp : 1,
                most = row ? block_size : block_size / std::min<int64_t>(width, 8);
  int64_t threads = 1;
  while (threads < summands && (threads < least || threads * width < warp)) threads *= 2;
  while (2 * threads <= most && threads * own_summands < summands &&
         threads * width * rows < enough)
    threads *= 2;
  return static_cast<unsigned>(threads);
}

/// The shape of a block for `rows` rows of `width` sums. The threads of a sum are those with one
/// threadIdx.y if its summands are neighbours, else those with one threadIdx.x.
dim3 sums_block(int64_t width, int64_t rows, int64_t summands, Order neighbours) {
  const unsigned threads = sum_threads_for(width, rows, summands, neighbours);
  unsigned sums = 1;
  while (sums < width && 2 * sums * threads <= block_size) sums *= 2;
  return neighbours == Order::summands ? dim3(threads, sums) : dim3(sums, threads);
}

/// Combines the values of the threads of a column, which have the same threadIdx.x: a power of two
/// of them, always in the same order. Returns the result to each. All threads of the block must
/// call it.
template <typename T, typename Op>
__device__ T combine_column(T value, Op op) {
  if (blockDim.y == 1) return value;
  __shared__ T values[block_size];
  T* const column = values + threadIdx.x;
  T& own = column[threadIdx.y * blockDim.x];
  own = value;
  for (unsigned half = blockDim.y / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.y < half) own = op(own, column[(threadIdx.y + half) * blockDim.x]);
  }
  __syncthreads();
  const T result = column[0];
  __syncthreads();  // all threads have read it
  return result;
}

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

/// Output iterator that passes each T that is assigned to it to a functor, with its index. Unlike
/// Thrust's own iterator it names the type, which CUB needs where Clang compiles it.
template <typename T, typename Store>
struct StoredBy : thrust::tabulate_output_iterator<Store> {
  using value_type = T;
  using thrust::tabulate_output_iterator<Store>::tabulate_output_iterator;
};

/// Returns an output iterator that calls store(index, value) for each element.
template <typename T, typename Store>
StoredBy<T, Store> stored_by(Store store) {
  return StoredBy<T, Store>(store);
}

/// x + y, wrapping around: unsigned arithmetic has the same low bits.
template <typename T>
__host__ __device__ T wrapping_add(T x, T y) {
  return static_cast<T>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y));
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

/// Whether one tile per block pays for `matrices` matrices of `rows` x `columns` sums: half a tile
/// or more along each side, tile_depth or more `summands`, and at least 32 tiles.
bool tiles_pay(int64_t rows, int64_t columns, int64_t summands, int64_t matrices) {
  const int64_t tiles =
      (rows + tile_width - 1) / tile_width * ((columns + tile_width - 1) / tile_width);
  return 2 * rows >= tile_width && 2 * columns >= tile_width && summands >= tile_depth &&
         tiles * matrices >= 32;
}

/// Whether a row of tiles per block pays for `matrices` matrices of `rows` x `columns` sums: half a
/// tile or more along each side, tile_depth or more `summands`, and at least 32 blocks.
bool rows_of_tiles_pay(int64_t rows, int64_t columns, int64_t summands, int64_t matrices) {
  const int64_t blocks = (rows + tile_width - 1) / tile_width * matrices;
  return 2 * rows >= tile_width && 2 * columns >= tile_width && summands >= tile_depth &&
         blocks >= 32;
}

/// Returns which row, or column, of a tile is number `number` of the eight in group `group`.
__device__ constexpr int matrix_place(int group, int number) {
  return group / 2 * 16 + group % 2 * 4 + number % 2 * 8 + number / 2;
}

/// Divides a tile of results among the 4 x 32 threads of a block, which keep 2 x 16 each in
/// registers: row r and column c of a thread are row(r) and column(c) of the tile. In each group of
/// columns a warp has 16 x 8 results, to which add_matrix_product adds four summands at a time.
struct MatrixTile {
  static constexpr int rows = 2, columns = 16, depth = tile_depth;
  static constexpr int column_threads = tile_width / columns, row_threads = tile_width / rows;
  static constexpr int threads = column_threads * row_threads;

  /// Each of the four warps has 16 neighbouring rows.
  static __device__ int row(int r, int y = static_cast<int>(threadIdx.y)) {
    return y / 8 * 16 + matrix_place(r, y % 8);
  }
  static __device__ int column(int c, int x = static_cast<int>(threadIdx.x)) {
    return matrix_place(c / 2, x * 2 + c % 2);
  }

  static constexpr int groups = columns / 2, summands = 4, rows_at_once = 2;
  static __device__ double2 rows_of(const double* own, int row) { return {own[row], own[row + 1]}; }
  /// Column, in a group, and summand of the element that a lane supplies to a product of matrices.
  static __device__ int operand_column(int group, int /*x*/, int y) {
    return matrix_place(group, y % 8);
  }
  static __device__ int operand_summand(int x) { return x; }
  static __device__ int first_column(int group) { return matrix_place(group, 0); }
  static __device__ int last_column(int group) { return matrix_place(group, 7); }
};

/// Adds the product of a 16 x 4 matrix x and a 4 x 8 matrix y to the 16 x 8 results of a warp. Lane
/// l supplies x[l / 4, l % 4] and x[l / 4 + 8, l % 4] in `x`, and y[l % 4, l / 4] in `y`; `upper`
/// points to its results [l / 4, l % 4 * 2] and the next one, `lower` to those eight rows below.
/// That is mma.m16n8k4 of f64 in the PTX ISA; compute capability 8 has mma.m8n8k4, for each half.
/// All lanes of the warp must call it.
__device__ void add_matrix_product(double* upper, double* lower, double2 x, double y) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  const int lane = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x) % 32;
  for (int step = 0; step < 4; ++step) {
    const double element = __shfl_sync(0xffffffff, x.x, lane / 4 * 4 + step);
    const double below = __shfl_sync(0xffffffff, x.y, lane / 4 * 4 + step);
    const double first = __shfl_sync(0xffffffff, y, lane % 4 * 8 + step);
    const double second = __shfl_sync(0xffffffff, y, lane % 4 * 8 + 4 + step);
    upper[0] += element * first;
    upper[1] += element * second;
    lower[0] += below * first;
    lower[1] += below * second;
  }
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(upper[0]), "+d"(upper[1])
      : "d"(x.x), "d"(y));
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(lower[0]), "+d"(lower[1])
      : "d"(x.y), "d"(y));
#else
  asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+d"(upper[0]), "+d"(upper[1]), "+d"(lower[0]), "+d"(lower[1])
      : "d"(x.x), "d"(x.y), "d"(y));
#endif
}

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

/// Returns the summands, of `count`, up to the last row of a tile that begins at row `first`.
template <typename Index, typename Row>
__device__ Summands<Index> summands_up_to_row(Index count, Row first) {
  return {count, 0, min(count, static_cast<Index>(first) + tile_width)};
}

/// The summands of a tile up to `end`, of `count`, if those past the column of a result are zero;
/// column `first` is its first. any() says whether a summand may be nonzero in these columns.
template <typename Index>
struct SummandsUpToColumn {
  Index count, begin, end, first;

  __device__ bool any(Index summand, int /*first_column*/, int last_column) const {
    return summand <= first + last_column;
  }
};

/// Returns the summands, of `count`, up to the column of a result; the tile begins at `first`.
template <typename Index, typename Column>
__device__ SummandsUpToColumn<Index> summands_up_to_column(Index count, Column first) {
  const Index begin_of_tile = static_cast<Index>(first);
  return {count, 0, min(count, begin_of_tile + tile_width), begin_of_tile};
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

/// x + y
struct Add {
  __device__ double operator()(double x, double y) const { return x + y; }
};

/// max(x, y)
struct Maximum {
  __device__ double operator()(double x, double y) const { return fmax(x, y); }
};

// ---------------------------------------------------------------------------------------
// Device functions of calculate_objective
// ---------------------------------------------------------------------------------------

/// Input of the reduction: exp(alphas[j] - largest)
struct TotalAt {
  const double* alphas;  // [k]
  const double* largest;

  __device__ double operator()(int64_t j) const { return exp(alphas[j] - largest[0]); }
};

/// Input of the reduction: lgamma(a - 0.5 * t)
struct TermsTotalAt {
  double a;

  __device__ double operator()(int64_t t) const { return lgamma(a - 0.5 * static_cast<double>(t)); }
};

/// Output of the reduction: result = objective_total - product - n_real * (largest +
/// log(logsumexp_total)) + total - k * (normaliser_product - (log_gamma_p_product +
/// normaliser_total))
struct StoreResult {
  double* result;  // written
  const double* objective_total;
  const double* logsumexp_total;
  const double* largest;
  const double* normaliser_total;
  int64_t k;
  double product, n_real, log_gamma_p_product, normaliser_product;

  __device__ void operator()(int64_t /*i*/, double total) const {
    const double difference =
        objective_total[0] - product - n_real * (largest[0] + log(logsumexp_total[0]));
    result[0] = difference +
                (total - static_cast<double>(k) *
                             (normaliser_product - (log_gamma_p_product + normaliser_total[0])));
  }
};

// ---------------------------------------------------------------------------------------
// Kernels of calculate_objective
// ---------------------------------------------------------------------------------------

// qs[j, t, u] = 0, if t < u
// qs[j, t, u] = exp(icf[j, t]), if t == u
// qs[j, t, u] = icf[j, d + (d * 2 - u - 1) * u / 2 + t - u - 1], if t > u
//   source  gmm.fut:48, `map (unpack d) icf`
//   grid    one thread per `j`, `t` and `u`: `j` to blockIdx.x and threadIdx.y, `u` to blockIdx.y
//           and threadIdx.x, `t` to blockIdx.z
//
// Also called by calculate_jacobian.
__global__ void __launch_bounds__(block_size)
qs_kernel(double* __restrict__ qs,         // [k][d][d], written
          const double* __restrict__ icf,  // [k][l]
          int64_t k, int d, int l) {
  const int64_t j = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
  if (j >= k) return;

  const int stride = static_cast<int>(gridDim.y * blockDim.x);
  for (int u = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x); u < d; u += stride) {
    const double* const icf_row = icf + j * l;
    for (int t = static_cast<int>(blockIdx.z); t < d; t += static_cast<int>(gridDim.z)) {
      double* const qs_row = qs + j * (d * d) + t * d;
      if (t < u) {
        qs_row[u] = 0.0;
      } else if (t == u) {
        qs_row[u] = exp(icf_row[t]);
      } else {
        const int64_t quotient = (int64_t{d} * 2 - u - 1) * u / 2;
        qs_row[u] = icf_row[d + quotient + t - u - 1];
      }
    }
  }
}

// log_dets[j] = sum_{t < d} icf[j, t]
//   source  gmm.fut:49, `map (\row -> f64.sum (#[unsafe] row[:d])) icf`
//   grid    a row of threads (one threadIdx.y) per `j`, which share its sums
//
// Also called by calculate_jacobian.
__global__ void __launch_bounds__(block_size)
log_dets_kernel(double* __restrict__ log_dets,   // [k], written
                const double* __restrict__ icf,  // [k][l]
                int64_t k, int d, int l) {
  const int64_t number = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
  const int64_t j = min(number, k - 1);  // threads past the end repeat the last: all combine
  const double* const x = icf + j * l;
  double own_log_det = 0.0;
  for (int t = static_cast<int>(threadIdx.x); t < d; t += static_cast<int>(blockDim.x)) {
    own_log_det += x[t];
  }
  const double log_det = combine_row(own_log_det, Add{});
  if (threadIdx.x == 0 && number < k) log_dets[j] = log_det;
}

// objective_xs[i, j] = alphas[j] + log_dets[j] - 0.5 * (sum_{t < d} (sum_{u < d} (xs[i, u] -
//     means[j, u]) * qs[j, t, u])^2)
//   source  gmm.fut:56, `f64.sum (map log_density xs)`
//   grid    one block per `j` (blockIdx.y) and tile_width points `i` (blockIdx.x, threadIdx.y),
//           tile after tile of `t` (threadIdx.x)
//
// Also called by calculate_jacobian.
__global__ void __launch_bounds__(tile_threads)
objective_xs_tiles_kernel(double* __restrict__ objective_xs,    // [n][k], written
                          const double* __restrict__ alphas,    // [k]
                          const double* __restrict__ means,     // [k][d]
                          const double* __restrict__ xs,        // [n][d]
                          const double* __restrict__ qs,        // [k][d][d]
                          const double* __restrict__ log_dets,  // [k]
                          int64_t n, int k, int d) {
  using Tile = MatrixTile;
  const int64_t first_i = int64_t(blockIdx.x) * tile_width;

  for (int j = static_cast<int>(blockIdx.y); j < k; j += static_cast<int>(gridDim.y)) {
    const double* const mean = means + j * d;
    const double* const q = qs + j * (d * d);
    const auto x_at = [&](int64_t i, int u) { return xs[i * d + u] - mean[u]; };
    const auto y_at = [&](int t, int u) { return q[t * d + u]; };
    double own_total[Tile::rows] = {};

    for (int first_t = 0; first_t < d; first_t += tile_width) {
      double total[Tile::rows][Tile::columns] = {};
      const auto add = [&](int r, int group, double2 x, double y) {
        add_matrix_product(&total[r][2 * group], &total[r + 1][2 * group], x, y);
      };
      accumulate<Tile>(summands_up_to_column(d, first_t), add,
                       row_operand<Tile, Order::summands>(first_i, n, x_at),
                       column_operand<Tile, Order::summands>(first_t, d, y_at));

#pragma unroll
      for (int r = 0; r < Tile::rows; ++r) {
#pragma unroll
        for (int c = 0; c < Tile::columns; ++c) {
          const int64_t i = first_i + Tile::row(r);
          const int t = first_t + Tile::column(c);
          if (i < n && t < d) own_total[r] += total[r][c] * total[r][c];
        }
      }
    }

#pragma unroll
    for (int r = 0; r < Tile::rows; ++r) {
      const double total = combine_row(own_total[r], Add{});
      const int64_t i = first_i + Tile::row(r);
      if (threadIdx.x == 0 && i < n) {
        objective_xs[i * k + j] = alphas[j] + log_dets[j] - 0.5 * total;
      }
    }
  }
}

// The same as objective_xs_tiles_kernel.
//   grid    a column of threads (one threadIdx.x) per `i` and `j`, which share its sums: `i` to
//           blockIdx.x and threadIdx.x, `j` to blockIdx.y
//
// Also called by calculate_jacobian.
__global__ void __launch_bounds__(block_size)
objective_xs_kernel(double* __restrict__ objective_xs,    // [n][k], written
                    const double* __restrict__ alphas,    // [k]
                    const double* __restrict__ means,     // [k][d]
                    const double* __restrict__ xs,        // [n][d]
                    const double* __restrict__ qs,        // [k][d][d]
                    const double* __restrict__ log_dets,  // [k]
                    int64_t n, int k, int d) {
  const int64_t number = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const int64_t i = min(number, n - 1);  // threads past the end repeat the last: all combine

  for (int j = static_cast<int>(blockIdx.y); j < k; j += static_cast<int>(gridDim.y)) {
    const double* const x = xs + i * d;
    const double* const mean = means + j * d;
    const double* const q = qs + j * (d * d);
    double own_total = 0.0;
    for (int t = static_cast<int>(threadIdx.y); t < d; t += static_cast<int>(blockDim.y)) {
      const double* const ys = q + t * d;
      double total = 0.0;
      for (int u = 0; u < d; ++u) total += (x[u] - mean[u]) * ys[u];
      own_total += total * total;
    }
    const double total = combine_column(own_total, Add{});
    if (threadIdx.y == 0 && number < n) {
      objective_xs[i * k + j] = alphas[j] + log_dets[j] - 0.5 * total;
    }
  }
}

// total_parts[i] = largest + log(sum_{j < k} exp(objective_xs[i, j] - largest))
//   where largest = max_{j < k} objective_xs[i, j]
//   source  gmm.fut:56, `f64.sum (map log_density xs)`
//   grid    a row of threads (one threadIdx.y) per `i`, which share its sums
__global__ void __launch_bounds__(block_size)
total_parts_kernel(double* __restrict__ total_parts,         // [n], written
                   const double* __restrict__ objective_xs,  // [n][k]
                   int64_t n, int k) {
  const int64_t number = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
  const int64_t i = min(number, n - 1);  // threads past the end repeat the last: all combine
  const double* const xs = objective_xs + i * k;
  double own_largest = -INFINITY;
  for (int j = static_cast<int>(threadIdx.x); j < k; j += static_cast<int>(blockDim.x)) {
    own_largest = fmax(own_largest, xs[j]);
  }
  const double largest = combine_row(own_largest, Maximum{});
  double own_total = 0.0;
  for (int j = static_cast<int>(threadIdx.x); j < k; j += static_cast<int>(blockDim.x)) {
    own_total += exp(xs[j] - largest);
  }
  const double total = combine_row(own_total, Add{});
  if (threadIdx.x == 0 && number < n) total_parts[i] = largest + log(total);
}

// log_wishart_prior_total_parts[j] = 0.5 * gamma_ * gamma_ * (sum_{r < component_n}
//     qs[j * d^2 + r]^2) - m * log_dets[j]
//   source  gmm.fut:39, `f64.sum (map2 component qs log_dets)`
//   grid    a row of threads (one threadIdx.y) per `j`, which share its sums
__global__ void __launch_bounds__(block_size)
log_wishart_prior_total_parts_kernel(
    double* __restrict__ log_wishart_prior_total_parts,  // [k], written
    const double* __restrict__ qs,                       // [k][d][d]
    const double* __restrict__ log_dets,                 // [k]
    double gamma_, int64_t m, int64_t k, int d, int64_t component_n) {
  const int64_t number = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
  const int64_t j = min(number, k - 1);  // threads past the end repeat the last: all combine
  double own_total = 0.0;
  for (int64_t r = threadIdx.x; r < component_n; r += blockDim.x) {
    const double x = qs[j * (d * d) + r];
    own_total += x * x;
  }
  const double total = combine_row(own_total, Add{});
  if (threadIdx.x == 0 && number < k) {
    log_wishart_prior_total_parts[j] =
        0.5 * gamma_ * gamma_ * total - static_cast<double>(m) * log_dets[j];
  }
}

// ---------------------------------------------------------------------------------------
// Reductions of calculate_objective. As in CUB, a null `scratch` means: only set `bytes`
// ---------------------------------------------------------------------------------------

// total = sum_{i < n} total_parts[i]
//   source  gmm.fut:56, `f64.sum (map log_density xs)`
//   order   as CUB associates, the same in each run on a device; one pass over the data
cudaError_t reduce_total(void* scratch, std::size_t& bytes,  // of `scratch`
                         double* total,                      // written
                         const double* total_parts,          // [n]
                         int64_t n, cudaStream_t stream) {
  return cub::DeviceReduce::Reduce(scratch, bytes, total_parts, total, n, Add{}, 0.0, stream);
}

// largest = max_{j < k} alphas[j]
//   source  gmm.fut:15, `f64.maximum xs`
//   order   as CUB associates, the same in each run on a device; one pass over the data
//
// Also called by calculate_jacobian.
cudaError_t reduce_largest(void* scratch, std::size_t& bytes,  // of `scratch`
                           double* largest,                    // written
                           const double* alphas,               // [k]
                           int64_t k, cudaStream_t stream) {
  return cub::DeviceReduce::Reduce(scratch, bytes, alphas, largest, k, Maximum{}, double{-INFINITY},
                                   stream);
}

// total = sum_{j < k} exp(alphas[j] - largest)
//   source  gmm.fut:16, `f64.sum (map (\x -> f64.exp (x - largest)) xs)`
//   order   as CUB associates, the same in each run on a device; one pass over the data
cudaError_t reduce_logsumexp_total(void* scratch, std::size_t& bytes,  // of `scratch`
                                   double* total,                      // written
                                   const double* alphas,               // [k]
                                   const double* largest, int64_t k, cudaStream_t stream) {
  const auto input_iterator = thrust::make_transform_iterator(thrust::counting_iterator<int64_t>(0),
                                                              TotalAt{alphas, largest});
  return cub::DeviceReduce::Reduce(scratch, bytes, input_iterator, total, k, Add{}, 0.0, stream);
}

// total = sum_{t < d} lgamma(a - 0.5 * t)
//   source  gmm.fut:30, `f64.sum terms`
//   order   as CUB associates, the same in each run on a device; one pass over the data
cudaError_t reduce_normaliser_total(void* scratch, std::size_t& bytes,  // of `scratch`
                                    double* total,                      // written
                                    double a, int64_t d, cudaStream_t stream) {
  const auto input_iterator =
      thrust::make_transform_iterator(thrust::counting_iterator<int64_t>(0), TermsTotalAt{a});
  return cub::DeviceReduce::Reduce(scratch, bytes, input_iterator, total, d, Add{}, 0.0, stream);
}

// result = objective_total - product - n_real * (largest + log(logsumexp_total)) + total - k *
//     (normaliser_product - (log_gamma_p_product + normaliser_total))
//   where total = sum_{j < k} log_wishart_prior_total_parts[j]
//   source  gmm.fut:39, `f64.sum (map2 component qs log_dets)`
//   order   as CUB associates, the same in each run on a device; one pass over the data
cudaError_t reduce_result(void* scratch, std::size_t& bytes,  // of `scratch`
                          double* result,                     // written
                          const double* objective_total, const double* logsumexp_total,
                          const double* largest, const double* normaliser_total,
                          const double* log_wishart_prior_total_parts,  // [k]
                          int64_t k, double product, double n_real, double log_gamma_p_product,
                          double normaliser_product, cudaStream_t stream) {
  const auto output_iterator = stored_by<double>(
      StoreResult{result, objective_total, logsumexp_total, largest, normaliser_total, k, product,
                  n_real, log_gamma_p_product, normaliser_product});
  return cub::DeviceReduce::Reduce(scratch, bytes, log_wishart_prior_total_parts, output_iterator,
                                   k, Add{}, 0.0, stream);
}

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_objective
// ---------------------------------------------------------------------------------------

struct CalculateObjectiveScratch : Scratch {
  int64_t n, k, d;

  double* qs = take<double>(k * d * d);  // [k][d][d]
  double* log_dets = take<double>(k);
  double* objective_xs = take<double>(n * k);  // [n][k]
  double* total_parts = take<double>(n);
  double* total = take<double>(1);
  double* largest = take<double>(1);
  double* logsumexp_total = take<double>(1);
  double* normaliser_total = take<double>(1);
  double* log_wishart_prior_total_parts = take<double>(k);

  std::size_t library_bytes = 0;
  cudaError_t status = query_library();
  std::byte* library_scratch = take<std::byte>(static_cast<int64_t>(library_bytes));

  // The calls follow one another in the same memory, so the largest need counts.
  cudaError_t query_library() {
    cudaError_t first_error = cudaSuccess;
    std::size_t needed = 0;
    const auto ask = [&](cudaError_t error) {
      if (first_error == cudaSuccess) first_error = error;
      library_bytes = std::max(library_bytes, needed);
    };
    ask(reduce_total(nullptr, needed, nullptr, nullptr, n, nullptr));
    ask(reduce_largest(nullptr, needed, nullptr, nullptr, k, nullptr));
    ask(reduce_logsumexp_total(nullptr, needed, nullptr, nullptr, nullptr, k, nullptr));
    ask(reduce_normaliser_total(nullptr, needed, nullptr, 0.0, d, nullptr));
    ask(reduce_result(nullptr, needed, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, k, 0.0,
                      0.0, 0.0, 0.0, nullptr));
    return first_error;
  }
};

// ---------------------------------------------------------------------------------------
// Device functions of calculate_jacobian
// ---------------------------------------------------------------------------------------

/// Output of the reduction: total_adj = -n_real / total
struct StoreTotalAdj {
  double* total_adj;  // written
  double n_real;

  __device__ void operator()(int64_t /*i*/, double total) const { total_adj[0] = -n_real / total; }
};

// ---------------------------------------------------------------------------------------
// Kernels of calculate_jacobian
// ---------------------------------------------------------------------------------------

// x_adj[i, j] = 1 / total * exp(objective_xs_kept[i, j] - largest)
//   where largest = max_{j < k} objective_xs_kept[i, j]
//         total = sum_{j < k} exp(objective_xs_kept[i, j] - largest)
//   source  gmm.fut:56, return sweep of `map log_density xs`
//   rule    reverse_map; reverse_scalar
//   grid    a row of threads (one threadIdx.y) per `i`, which share its sums
__global__ void __launch_bounds__(block_size)
x_adj_kernel(double* __restrict__ x_adj,                    // [n][k], written
             const double* __restrict__ objective_xs_kept,  // [n][k]
             int64_t n, int k) {
  const int64_t number = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
  const int64_t i = min(number, n - 1);  // threads past the end repeat the last: all combine
  const double* const xs = objective_xs_kept + i * k;
  double own_largest = -INFINITY;
  for (int j = static_cast<int>(threadIdx.x); j < k; j += static_cast<int>(blockDim.x)) {
    own_largest = fmax(own_largest, xs[j]);
  }
  const double largest = combine_row(own_largest, Maximum{});
  double own_total = 0.0;
  for (int j = static_cast<int>(threadIdx.x); j < k; j += static_cast<int>(blockDim.x)) {
    own_total += exp(xs[j] - largest);
  }
  const double total = combine_row(own_total, Add{});
  const double total_adj = 1.0 / total;
  if (number < n) {
    for (int j = static_cast<int>(threadIdx.x); j < k; j += static_cast<int>(blockDim.x)) {
      x_adj[i * k + j] = total_adj * exp(xs[j] - largest);
    }
  }
}

// alphas_adj_parts[slab, j] = sum_{i in slab} x_adj[i, j]
//   source  gmm.fut:56, return sweep of `map log_density xs`
//   rule    reverse_map
//   grid    a column of threads (one threadIdx.x) per `slab` and `j`, which share its sums: `j` to
//           blockIdx.x and threadIdx.x, `slab` to blockIdx.y
__global__ void __launch_bounds__(block_size)
alphas_adj_parts_kernel(double* __restrict__ alphas_adj_parts,  // [alphas_adj_slabs][k], written
                        const double* __restrict__ x_adj,       // [n][k]
                        int n, int k, int64_t alphas_adj_slabs, int64_t alphas_adj_slab_size) {
  const int number = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = min(number, k - 1);  // threads past the end repeat the last: all combine

  for (int64_t slab = blockIdx.y; slab < alphas_adj_slabs; slab += gridDim.y) {
    const int64_t first = slab * alphas_adj_slab_size;
    const int64_t end = min(first + alphas_adj_slab_size, int64_t{n});
    double own_total = 0.0;
    for (int64_t i = first + threadIdx.y; i < end; i += blockDim.y) own_total += x_adj[i * k + j];
    const double total = combine_column(own_total, Add{});
    if (threadIdx.y == 0 && number < k) alphas_adj_parts[slab * k + j] = total;
  }
}

// alphas_adj[j] = total_adj * exp(alphas[j] - largest) + total
// log_dets_adj[j] = log_det_adj + total
//   where total = sum_{slab < alphas_adj_slabs} alphas_adj_parts[slab, j]
//   source  gmm.fut:56, return sweep of `map log_density xs`
//   rule    reverse_map; reverse_scalar
//   grid    a column of threads (one threadIdx.x) per `j`, which share its sums
__global__ void __launch_bounds__(block_size)
alphas_adj_kernel(double* __restrict__ alphas_adj,              // [k], written
                  double* __restrict__ log_dets_adj,            // [k], written
                  const double* __restrict__ alphas,            // [k]
                  const double* __restrict__ alphas_adj_parts,  // [alphas_adj_slabs][k]
                  const double* __restrict__ largest, const double* __restrict__ total_adj,
                  int64_t k, int64_t alphas_adj_slabs, double log_det_adj) {
  const int64_t number = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const int64_t j = min(number, k - 1);  // threads past the end repeat the last: all combine
  double own_total = 0.0;
  for (int64_t slab = threadIdx.y; slab < alphas_adj_slabs; slab += blockDim.y) {
    own_total += alphas_adj_parts[slab * k + j];
  }
  const double total = combine_column(own_total, Add{});
  if (threadIdx.y == 0 && number < k) {
    alphas_adj[j] = total_adj[0] * exp(alphas[j] - largest[0]) + total;
    log_dets_adj[j] = log_det_adj + total;
  }
}

// means_adj_sums_parts[slab, j, t] = sum_{i in slab} x_adj[i, j] * (xs[i, t] - means[j, t])
//   source  gmm.fut:56, return sweep of `map log_density xs`
//   rule    reverse_map
//   grid    a column of threads (one threadIdx.x) per `slab`, `j` and `t`, which share its sums:
//           `t` to blockIdx.x and threadIdx.x, `slab` to blockIdx.y, `j` to blockIdx.z
__global__ void __launch_bounds__(block_size)
means_adj_sums_parts_kernel(
    double* __restrict__ means_adj_sums_parts,  // [means_adj_sums_slabs][k][d], written
    const double* __restrict__ means,           // [k][d]
    const double* __restrict__ xs,              // [n][d]
    const double* __restrict__ x_adj,           // [n][k]
    int n, int k, int d, int64_t means_adj_sums_slabs, int64_t means_adj_sums_slab_size) {
  const int number = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int t = min(number, d - 1);  // threads past the end repeat the last: all combine

  for (int64_t slab = blockIdx.y; slab < means_adj_sums_slabs; slab += gridDim.y) {
    for (int j = static_cast<int>(blockIdx.z); j < k; j += static_cast<int>(gridDim.z)) {
      const int64_t first = slab * means_adj_sums_slab_size;
      const int64_t end = min(first + means_adj_sums_slab_size, int64_t{n});
      const double y = means[j * d + t];
      double own_total = 0.0;
      for (int64_t i = first + threadIdx.y; i < end; i += blockDim.y) {
        own_total += x_adj[i * k + j] * (xs[i * d + t] - y);
      }
      const double total = combine_column(own_total, Add{});
      if (threadIdx.y == 0 && number < d) means_adj_sums_parts[slab * (k * d) + j * d + t] = total;
    }
  }
}

// adj_sums[cell] = sum_{slab < adj_sums_slabs} adj_sums_parts[slab * cells + cell]
//   source  gmm.fut:56, return sweep of `map log_density xs`
//   rule    reverse_map
//   grid    a column of threads (one threadIdx.x) per `cell`, which share its sums
__global__ void __launch_bounds__(block_size)
adj_sums_kernel(double* __restrict__ adj_sums,              // [cells], written
                const double* __restrict__ adj_sums_parts,  // [adj_sums_slabs * cells]
                int64_t cells, int64_t adj_sums_slabs) {
  const int64_t number = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const int64_t cell = min(number, cells - 1);  // threads past the end repeat the last: all combine
  double own_total = 0.0;
  for (int64_t slab = threadIdx.y; slab < adj_sums_slabs; slab += blockDim.y) {
    own_total += adj_sums_parts[slab * cells + cell];
  }
  const double total = combine_column(own_total, Add{});
  if (threadIdx.y == 0 && number < cells) adj_sums[cell] = total;
}

// qs_adj_sums_parts[block, t, u] = sum_{i in slab} x_adj[i, j] * (xs[i, t] - means[j, t]) *
//     (xs[i, u] - means[j, u])
//   where j = block % k
//         slab = block / k
//   source  gmm.fut:56, return sweep of `map log_density xs`
//   rule    reverse_map
//   grid    one block per tile of results: `t` to blockIdx.x and threadIdx.y, `u` to blockIdx.y and
//           threadIdx.x, `block` to blockIdx.z
__global__ void __launch_bounds__(tile_threads)
qs_adj_sums_parts_tiles_kernel(
    double* __restrict__ qs_adj_sums_parts,  // [qs_adj_sums_slabs * k][d][d], written
    const double* __restrict__ means,        // [k][d]
    const double* __restrict__ xs,           // [n][d]
    const double* __restrict__ x_adj,        // [n][k]
    int n, int k, int d, int64_t qs_adj_sums_slabs, int64_t qs_adj_sums_slab_size) {
  using Tile = MatrixTile;
  const int first_t = static_cast<int>(blockIdx.x) * tile_width;

  for (int64_t block = blockIdx.z; block < qs_adj_sums_slabs * k; block += gridDim.z) {
    const int64_t j = block % k;
    const int64_t first = block / k * qs_adj_sums_slab_size;
    const int64_t count = min(n - first, qs_adj_sums_slab_size);
    const auto product_at = [&](int t, int64_t i) {
      const double y = means[j * d + t];
      const int64_t global_i = first + i;
      return x_adj[global_i * k + j] * (xs[global_i * d + t] - y);
    };
    const auto difference_at = [&](int u, int64_t i) {
      const double y = means[j * d + u];
      const int64_t global_i = first + i;
      return xs[global_i * d + u] - y;
    };

    for (int first_u = static_cast<int>(blockIdx.y) * tile_width; first_u < d;
         first_u += static_cast<int>(gridDim.y) * tile_width) {
      double total[Tile::rows][Tile::columns] = {};
      const auto add = [&](int r, int group, double2 product, double difference) {
        add_matrix_product(&total[r][2 * group], &total[r + 1][2 * group], product, difference);
      };
      accumulate<Tile>(all_summands(count), add,
                       row_operand<Tile, Order::results>(first_t, d, product_at),
                       column_operand<Tile, Order::results>(first_u, d, difference_at));

#pragma unroll
      for (int r = 0; r < Tile::rows; ++r) {
#pragma unroll
        for (int c = 0; c < Tile::columns; ++c) {
          const int t = first_t + Tile::row(r);
          const int u = first_u + Tile::column(c);
          if (t < d && u < d) qs_adj_sums_parts[block * (d * d) + t * d + u] = total[r][c];
        }
      }
    }
  }
}

// The same as qs_adj_sums_parts_tiles_kernel.
//   grid    a column of threads (one threadIdx.x) per `block`, `t` and `u`, which share its sums:
//           `u` to blockIdx.x and threadIdx.x, `block` to blockIdx.y, `t` to blockIdx.z
__global__ void __launch_bounds__(block_size)
qs_adj_sums_parts_kernel(
    double* __restrict__ qs_adj_sums_parts,  // [qs_adj_sums_slabs * k][d][d], written
    const double* __restrict__ means,        // [k][d]
    const double* __restrict__ xs,           // [n][d]
    const double* __restrict__ x_adj,        // [n][k]
    int n, int k, int d, int64_t qs_adj_sums_slabs, int64_t qs_adj_sums_slab_size) {
  const int number = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int u = min(number, d - 1);  // threads past the end repeat the last: all combine

  for (int64_t block = blockIdx.y; block < qs_adj_sums_slabs * k; block += gridDim.y) {
    for (int t = static_cast<int>(blockIdx.z); t < d; t += static_cast<int>(gridDim.z)) {
      const int64_t j = block % k;
      const int64_t slab = block / k;
      const int64_t first = slab * qs_adj_sums_slab_size;
      const int64_t end = min(first + qs_adj_sums_slab_size, int64_t{n});
      const double y = means[j * d + t];
      const double objective_y = means[j * d + u];
      double own_total = 0.0;
      for (int64_t i = first + threadIdx.y; i < end; i += blockDim.y) {
        const double product = x_adj[i * k + j] * (xs[i * d + t] - y);
        own_total += product * (xs[i * d + u] - objective_y);
      }
      const double total = combine_column(own_total, Add{});
      if (threadIdx.y == 0 && number < d) qs_adj_sums_parts[block * (d * d) + t * d + u] = total;
    }
  }
}

// qs_adj[j, t, u] = gamma_^2 * qs[j, t, u] - (sum_{r < d} qs[j, t, r] * qs_adj_sums[j, r, u])
//   source  gmm.fut:56, return sweep of `map log_density xs`
//   rule    contraction; reverse_map; reverse_reshape; reverse_scalar
//   grid    one block per tile of results: `t` to blockIdx.x and threadIdx.y, `u` to blockIdx.y and
//           threadIdx.x, `j` to blockIdx.z
__global__ void __launch_bounds__(tile_threads)
qs_adj_tiles_kernel(double* __restrict__ qs_adj,             // [k][d][d], written
                    const double* __restrict__ qs,           // [k][d][d]
                    const double* __restrict__ qs_adj_sums,  // [k][d][d]
                    double gamma_, int64_t k, int d) {
  using Tile = MatrixTile;
  const int first_t = static_cast<int>(blockIdx.x) * tile_width;

  for (int64_t j = blockIdx.z; j < k; j += gridDim.z) {
    const double* const qs_adj_sums_row = qs_adj_sums + j * (d * d);
    const auto q_at = [&](int t, int r) { return qs[j * (d * d) + t * d + r]; };
    const auto qs_adj_sum_at = [&](int u, int r) { return qs_adj_sums_row[r * d + u]; };

    for (int first_u = static_cast<int>(blockIdx.y) * tile_width; first_u < d;
         first_u += static_cast<int>(gridDim.y) * tile_width) {
      double total[Tile::rows][Tile::columns] = {};
      const auto add = [&](int r, int group, double2 q, double qs_adj_sum) {
        add_matrix_product(&total[r][2 * group], &total[r + 1][2 * group], q, qs_adj_sum);
      };
      accumulate<Tile>(summands_up_to_row(d, first_t), add,
                       row_operand<Tile, Order::summands>(first_t, d, q_at),
                       column_operand<Tile, Order::results>(first_u, d, qs_adj_sum_at));

#pragma unroll
      for (int r = 0; r < Tile::rows; ++r) {
#pragma unroll
        for (int c = 0; c < Tile::columns; ++c) {
          const int t = first_t + Tile::row(r);
          const int u = first_u + Tile::column(c);
          if (t < d && u < d) {
            const double x = qs[j * (d * d) + t * d + u];
            qs_adj[j * (d * d) + t * d + u] = gamma_ * gamma_ * x - total[r][c];
          }
        }
      }
    }
  }
}

// The same as qs_adj_tiles_kernel.
//   grid    a column of threads (one threadIdx.x) per `j`, `t` and `u`, which share its sums: `u`
//           to blockIdx.x and threadIdx.x, `j` to blockIdx.y, `t` to blockIdx.z
__global__ void __launch_bounds__(block_size)
qs_adj_kernel(double* __restrict__ qs_adj,             // [k][d][d], written
              const double* __restrict__ qs,           // [k][d][d]
              const double* __restrict__ qs_adj_sums,  // [k][d][d]
              double gamma_, int64_t k, int d) {
  const int number = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int u = min(number, d - 1);  // threads past the end repeat the last: all combine

  for (int64_t j = blockIdx.y; j < k; j += gridDim.y) {
    for (int t = static_cast<int>(blockIdx.z); t < d; t += static_cast<int>(gridDim.z)) {
      const double* const qs_adj_sums_row = qs_adj_sums + j * (d * d);
      const double* const qs_row = qs + j * (d * d) + t * d;
      double own_total = 0.0;
      for (int r = static_cast<int>(threadIdx.y); r < d; r += static_cast<int>(blockDim.y)) {
        own_total += qs_row[r] * qs_adj_sums_row[r * d + u];
      }
      const double total = combine_column(own_total, Add{});
      if (threadIdx.y == 0 && number < d) {
        const double x = qs_row[u];
        qs_adj[j * (d * d) + t * d + u] = gamma_ * gamma_ * x - total;
      }
    }
  }
}

// other_means_adj[j, t] = sum_{u < d} qs[j, t, u] * means_adj_sums[j, u]
//   source  gmm.fut:56, return sweep of `map log_density xs`
//   rule    contraction
//   grid    a row of threads (one threadIdx.y) per `j` and `t`, which share its sums: `t` to
//           blockIdx.x and threadIdx.y, `j` to blockIdx.y
__global__ void __launch_bounds__(block_size)
other_means_adj_kernel(double* __restrict__ other_means_adj,       // [k][d], written
                       const double* __restrict__ qs,              // [k][d][d]
                       const double* __restrict__ means_adj_sums,  // [k][d]
                       int64_t k, int d) {
  const int number = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  const int t = min(number, d - 1);  // threads past the end repeat the last: all combine

  for (int64_t j = blockIdx.y; j < k; j += gridDim.y) {
    const double* const means_adj_sums_row = means_adj_sums + j * d;
    const double* const qs_row = qs + j * (d * d) + t * d;
    double own_total = 0.0;
    for (int u = static_cast<int>(threadIdx.x); u < d; u += static_cast<int>(blockDim.x)) {
      own_total += qs_row[u] * means_adj_sums_row[u];
    }
    const double total = combine_row(own_total, Add{});
    if (threadIdx.x == 0 && number < d) other_means_adj[j * d + t] = total;
  }
}

// means_adj[j, t] = sum_{u < d} qs[j, u, t] * other_means_adj[j, u]
//   source  gmm.fut:56, return sweep of `map log_density xs`
//   rule    contraction
//   grid    a column of threads (one threadIdx.x) per `j` and `t`, which share its sums: `t` to
//           blockIdx.x and threadIdx.x, `j` to blockIdx.y
__global__ void __launch_bounds__(block_size)
means_adj_kernel(double* __restrict__ means_adj,              // [k][d], written
                 const double* __restrict__ qs,               // [k][d][d]
                 const double* __restrict__ other_means_adj,  // [k][d]
                 int64_t k, int d) {
  const int number = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int t = min(number, d - 1);  // threads past the end repeat the last: all combine

  for (int64_t j = blockIdx.y; j < k; j += gridDim.y) {
    const double* const qs_row = qs + j * (d * d);
    const double* const other_means_adj_row = other_means_adj + j * d;
    double own_total = 0.0;
    for (int u = static_cast<int>(threadIdx.y); u < d; u += static_cast<int>(blockDim.y)) {
      own_total += qs_row[u * d + t] * other_means_adj_row[u];
    }
    const double total = combine_column(own_total, Add{});
    if (threadIdx.y == 0 && number < d) means_adj[j * d + t] = total;
  }
}

// qs_icf_adj[j, t] = qs_adj[j, t, u] * exp(icf[j, t]), if t == u
// qs_icf_adj[j, d + (d * 2 - u - 1) * u / 2 + t - u - 1] = qs_adj[j, t, u], if t > u
//   source  gmm.fut:20, return sweep of `tabulate_2d d d (\i j -> if i < j then 0 else if i == ...`
//   rule    reverse_map; reverse_if; reverse_scalar; reverse_index
//   grid    one thread per `j`, `u` and `t`: `j` to blockIdx.x and threadIdx.y, `t` to blockIdx.y
//           and threadIdx.x, `u` to blockIdx.z
__global__ void __launch_bounds__(block_size)
qs_icf_adj_kernel(double* __restrict__ qs_icf_adj,    // [k][l], updated
                  const double* __restrict__ icf,     // [k][l]
                  const double* __restrict__ qs_adj,  // [k][d][d]
                  int64_t k, int d, int l) {
  const int64_t j = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
  if (j >= k) return;

  const int stride = static_cast<int>(gridDim.y * blockDim.x);
  for (int t = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x); t < d; t += stride) {
    for (int u = static_cast<int>(blockIdx.z); u < d; u += static_cast<int>(gridDim.z)) {
      const double result_adj = qs_adj[j * (d * d) + t * d + u];
      if (t >= u) {
        if (t == u) {
          qs_icf_adj[j * l + t] = result_adj * exp(icf[j * l + t]);
        } else {
          const int64_t quotient = (int64_t{d} * 2 - u - 1) * u / 2;
          qs_icf_adj[j * l + (d + quotient + t - u - 1)] = result_adj;
        }
      }
    }
  }
}

// icf_adj[j, s] = (log_dets_adj[j] if s < d else 0) + qs_icf_adj[j, s]
//   source  gmm.fut:48, return sweep of `map (unpack d) icf`
//   rule    reverse_map; reverse_index
//   grid    one thread per `j` and `s`: `j` to blockIdx.x and threadIdx.y, `s` to blockIdx.y and
//           threadIdx.x; threads stride over the rest
__global__ void __launch_bounds__(block_size)
icf_adj_kernel(double* __restrict__ icf_adj,             // [k][l], written
               const double* __restrict__ log_dets_adj,  // [k]
               const double* __restrict__ qs_icf_adj,    // [k][l]
               int64_t k, int d, int l) {
  const int64_t stride_j = int64_t(gridDim.x) * blockDim.y;
  const int stride_s = static_cast<int>(gridDim.y * blockDim.x);
  for (int64_t j = int64_t(blockIdx.x) * blockDim.y + threadIdx.y; j < k; j += stride_j) {
    for (int s = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x); s < l; s += stride_s) {
      icf_adj[j * l + s] = (s < d ? log_dets_adj[j] : 0.0) + qs_icf_adj[j * l + s];
    }
  }
}

// ---------------------------------------------------------------------------------------
// Reductions of calculate_jacobian. As in CUB, a null `scratch` means: only set `bytes`
// ---------------------------------------------------------------------------------------

// total_adj = -n_real / total
//   where total = sum_{j < k} exp(alphas[j] - largest)
//   source  gmm.fut:16, return sweep of `f64.sum (map (\x -> f64.exp (x - largest)) xs)`
//   rule    reverse_scalar
//   order   as CUB associates, the same in each run on a device; one pass over the data
cudaError_t reduce_total_adj(void* scratch, std::size_t& bytes,  // of `scratch`
                             double* total_adj,                  // written
                             const double* alphas,               // [k]
                             const double* largest, double n_real, int64_t k, cudaStream_t stream) {
  const auto input_iterator = thrust::make_transform_iterator(thrust::counting_iterator<int64_t>(0),
                                                              TotalAt{alphas, largest});
  const auto output_iterator = stored_by<double>(StoreTotalAdj{total_adj, n_real});
  return cub::DeviceReduce::Reduce(scratch, bytes, input_iterator, output_iterator, k, Add{}, 0.0,
                                   stream);
}

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_jacobian
// ---------------------------------------------------------------------------------------

struct CalculateJacobianScratch : Scratch {
  int64_t n, k, d, l;

  int64_t cells = k * d;
  int64_t objective_cells = cells * d;
  int64_t alphas_adj_slab_size = slab_size_for(n, k);
  int64_t alphas_adj_slabs = (n + alphas_adj_slab_size - 1) / alphas_adj_slab_size;
  int64_t means_adj_sums_slab_size = slab_size_for(n, cells);
  int64_t means_adj_sums_slabs = (n + means_adj_sums_slab_size - 1) / means_adj_sums_slab_size;
  int64_t qs_adj_sums_slab_size = slab_size_for(n, objective_cells);
  int64_t qs_adj_sums_slabs = (n + qs_adj_sums_slab_size - 1) / qs_adj_sums_slab_size;

  double* qs = take<double>(k * d * d);  // [k][d][d]
  double* log_dets = take<double>(k);
  double* objective_xs_kept = take<double>(n * k);  // [n][k]
  double* largest = take<double>(1);
  double* total_adj = take<double>(1);
  double* x_adj = take<double>(n * k);                            // [n][k]
  double* alphas_adj_parts = take<double>(alphas_adj_slabs * k);  // [alphas_adj_slabs][k]
  double* means_adj_sums_parts =
      take<double>(means_adj_sums_slabs * k * d);  // [means_adj_sums_slabs][k][d]
  double* means_adj_sums = take<double>(cells);
  double* qs_adj_sums_parts =
      take<double>(qs_adj_sums_slabs * k * d * d);  // [qs_adj_sums_slabs * k][d][d]
  double* qs_adj_sums = take<double>(objective_cells);
  double* qs_adj = take<double>(k * d * d);       // [k][d][d]
  double* other_means_adj = take<double>(k * d);  // [k][d]
  double* qs_icf_adj = take<double>(k * l);       // [k][l]
  // One after the other in the same memory:
  double* log_dets_adj = log_dets;

  std::size_t library_bytes = 0;
  cudaError_t status = query_library();
  std::byte* library_scratch = take<std::byte>(static_cast<int64_t>(library_bytes));

  // The calls follow one another in the same memory, so the largest need counts.
  cudaError_t query_library() {
    cudaError_t first_error = cudaSuccess;
    std::size_t needed = 0;
    const auto ask = [&](cudaError_t error) {
      if (first_error == cudaSuccess) first_error = error;
      library_bytes = std::max(library_bytes, needed);
    };
    ask(reduce_largest(nullptr, needed, nullptr, nullptr, k, nullptr));
    ask(reduce_total_adj(nullptr, needed, nullptr, nullptr, nullptr, 0.0, k, nullptr));
    return first_error;
  }
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

cudaError_t calculate_objective_scratch(std::size_t* bytes, int64_t /*m*/, int64_t n, int64_t k,
                                        int64_t d, int64_t l) {
  if (n < 0 || k < 0 || d < 0 || l < 0) return cudaErrorInvalidValue;
  if (d > max_int_size || d * d > max_int_size || l > max_int_size || k > max_int_size ||
      k * d > max_int_size || k * d * d > max_int_size)
    return cudaErrorInvalidValue;
  const CalculateObjectiveScratch buffers{Scratch(nullptr), n, k, d};
  *bytes = buffers.bytes();
  return buffers.status;
}

cudaError_t calculate_objective(double* result, const double* alphas, const double* means,
                                const double* icf, const double* xs, double gamma_, int64_t m,
                                int64_t n, int64_t k, int64_t d, int64_t l, void* scratch,
                                std::size_t scratch_bytes, cudaStream_t stream) {
  if (n < 0 || k < 0 || d < 0 || l < 0) return cudaErrorInvalidValue;
  if (d > max_int_size || d * d > max_int_size || l > max_int_size || k > max_int_size ||
      k * d > max_int_size || k * d * d > max_int_size)
    return cudaErrorInvalidValue;
  const CalculateObjectiveScratch buffers{Scratch(scratch), n, k, d};
  if (buffers.status != cudaSuccess) return buffers.status;
  if (!buffers.fits(scratch_bytes)) return cudaErrorInvalidValue;
  std::size_t library_bytes = buffers.library_bytes;

  if (k > 0 && d > 0) {
    const unsigned row_threads = row_threads_for(d, k);
    const dim3 block_shape(row_threads, block_size / row_threads);
    const dim3 grid_shape(blocks_for(k, block_shape.y), grid_height_for(d, row_threads),
                          grid_height_for(d));
    qs_kernel<<<grid_shape, block_shape, 0, stream>>>(buffers.qs, icf, k, static_cast<int>(d),
                                                      static_cast<int>(l));
    if (const auto error = cudaGetLastError()) return error;
  }

  if (k > 0) {
    const dim3 block_shape = sums_block(k, 1, d, Order::summands);
    const unsigned grid_size = blocks_for(k, block_shape.y);
    log_dets_kernel<<<grid_size, block_shape, 0, stream>>>(
        buffers.log_dets, icf, k, static_cast<int>(d), static_cast<int>(l));
    if (const auto error = cudaGetLastError()) return error;
  }

  if (rows_of_tiles_pay(n, d, d, k)) {
    const dim3 block_shape(MatrixTile::column_threads, MatrixTile::row_threads);
    const dim3 grid_shape(blocks_for(n, tile_width), grid_height_for(k));
    objective_xs_tiles_kernel<<<grid_shape, block_shape, 0, stream>>>(
        buffers.objective_xs, alphas, means, xs, buffers.qs, buffers.log_dets, n,
        static_cast<int>(k), static_cast<int>(d));
    if (const auto error = cudaGetLastError()) return error;
  } else if (n > 0 && k > 0) {
    const dim3 block_shape = sums_block(n, k, d, Order::results);
    const dim3 grid_shape(blocks_for(n, block_shape.x), grid_height_for(k));
    objective_xs_kernel<<<grid_shape, block_shape, 0, stream>>>(
        buffers.objective_xs, alphas, means, xs, buffers.qs, buffers.log_dets, n,
        static_cast<int>(k), static_cast<int>(d));
    if (const auto error = cudaGetLastError()) return error;
  }

  if (n > 0) {
    const dim3 block_shape = sums_block(n, 1, k, Order::summands);
    const unsigned grid_size = blocks_for(n, block_shape.y);
    total_parts_kernel<<<grid_size, block_shape, 0, stream>>>(
        buffers.total_parts, buffers.objective_xs, n, static_cast<int>(k));
    if (const auto error = cudaGetLastError()) return error;
  }
  const double product = 0.5 * static_cast<double>(d * n) * 1.8378770664093453 /* log(2 * pi) */;
  const double n_real = static_cast<double>(n);
  const double degrees = static_cast<double>(wrapping_add(wrapping_add(d, m), int64_t{1}));
  const double a = 0.5 * degrees;
  const double normaliser_product = degrees * static_cast<double>(d) *
                                    (std::log(gamma_) - 0.34657359027997264 /* 0.5 * log(2) */);
  const double log_gamma_p_product =
      0.25 * static_cast<double>(d * (d - 1)) * 1.1447298858494002 /* log(pi) */;
  const int64_t component_n = d * d;
  if (const auto error = reduce_total(buffers.library_scratch, library_bytes, buffers.total,
                                      buffers.total_parts, n, stream)) {
    return error;
  }
  if (const auto error = reduce_largest(buffers.library_scratch, library_bytes, buffers.largest,
                                        alphas, k, stream)) {
    return error;
  }
  if (const auto error =
          reduce_logsumexp_total(buffers.library_scratch, library_bytes, buffers.logsumexp_total,
                                 alphas, buffers.largest, k, stream)) {
    return error;
  }
  if (const auto error = reduce_normaliser_total(buffers.library_scratch, library_bytes,
                                                 buffers.normaliser_total, a, d, stream)) {
    return error;
  }

  if (k > 0) {
    const dim3 block_shape = sums_block(k, 1, component_n, Order::summands);
    const unsigned grid_size = blocks_for(k, block_shape.y);
    log_wishart_prior_total_parts_kernel<<<grid_size, block_shape, 0, stream>>>(
        buffers.log_wishart_prior_total_parts, buffers.qs, buffers.log_dets, gamma_, m, k,
        static_cast<int>(d), component_n);
    if (const auto error = cudaGetLastError()) return error;
  }
  return reduce_result(buffers.library_scratch, library_bytes, result, buffers.total,
                       buffers.logsumexp_total, buffers.largest, buffers.normaliser_total,
                       buffers.log_wishart_prior_total_parts, k, product, n_real,
                       log_gamma_p_product, normaliser_product, stream);
}

cudaError_t calculate_jacobian_scratch(std::size_t* bytes, int64_t /*m*/, int64_t n, int64_t k,
                                       int64_t d, int64_t l) {
  if (n < 0 || k < 0 || d < 0 || l < 0) return cudaErrorInvalidValue;
  if (d > max_int_size || d * d > max_int_size || l > max_int_size || k > max_int_size ||
      k * d > max_int_size || k * d * d > max_int_size || n > max_int_size)
    return cudaErrorInvalidValue;
  const CalculateJacobianScratch buffers{Scratch(nullptr), n, k, d, l};
  *bytes = buffers.bytes();
  return buffers.status;
}

cudaError_t calculate_jacobian(double* alphas_adj, double* means_adj, double* icf_adj,
                               const double* alphas, const double* means, const double* icf,
                               const double* xs, double gamma_, int64_t m, int64_t n, int64_t k,
                               int64_t d, int64_t l, void* scratch, std::size_t scratch_bytes,
                               cudaStream_t stream) {
  if (n < 0 || k < 0 || d < 0 || l < 0) return cudaErrorInvalidValue;
  if (d > max_int_size || d * d > max_int_size || l > max_int_size || k > max_int_size ||
      k * d > max_int_size || k * d * d > max_int_size || n > max_int_size)
    return cudaErrorInvalidValue;
  const CalculateJacobianScratch buffers{Scratch(scratch), n, k, d, l};
  if (buffers.status != cudaSuccess) return buffers.status;
  if (!buffers.fits(scratch_bytes)) return cudaErrorInvalidValue;
  std::size_t library_bytes = buffers.library_bytes;

  // Forward sweep.
  if (k > 0 && d > 0) {
    const unsigned row_threads = row_threads_for(d, k);
    const dim3 block_shape(row_threads, block_size / row_threads);
    const dim3 grid_shape(blocks_for(k, block_shape.y), grid_height_for(d, row_threads),
                          grid_height_for(d));
    qs_kernel<<<grid_shape, block_shape, 0, stream>>>(buffers.qs, icf, k, static_cast<int>(d),
                                                      static_cast<int>(l));
    if (const auto error = cudaGetLastError()) return error;
  }

  if (k > 0) {
    const dim3 block_shape = sums_block(k, 1, d, Order::summands);
    const unsigned grid_size = blocks_for(k, block_shape.y);
    log_dets_kernel<<<grid_size, block_shape, 0, stream>>>(
        buffers.log_dets, icf, k, static_cast<int>(d), static_cast<int>(l));
    if (const auto error = cudaGetLastError()) return error;
  }

  if (rows_of_tiles_pay(n, d, d, k)) {
    const dim3 block_shape(MatrixTile::column_threads, MatrixTile::row_threads);
    const dim3 grid_shape(blocks_for(n, tile_width), grid_height_for(k));
    objective_xs_tiles_kernel<<<grid_shape, block_shape, 0, stream>>>(
        buffers.objective_xs_kept, alphas, means, xs, buffers.qs, buffers.log_dets, n,
        static_cast<int>(k), static_cast<int>(d));
    if (const auto error = cudaGetLastError()) return error;
  } else if (n > 0 && k > 0) {
    const dim3 block_shape = sums_block(n, k, d, Order::results);
    const dim3 grid_shape(blocks_for(n, block_shape.x), grid_height_for(k));
    objective_xs_kernel<<<grid_shape, block_shape, 0, stream>>>(
        buffers.objective_xs_kept, alphas, means, xs, buffers.qs, buffers.log_dets, n,
        static_cast<int>(k), static_cast<int>(d));
    if (const auto error = cudaGetLastError()) return error;
  }
  const double n_real = static_cast<double>(n);
  const double log_det_adj = -static_cast<double>(m);
  if (const auto error = reduce_largest(buffers.library_scratch, library_bytes, buffers.largest,
                                        alphas, k, stream)) {
    return error;
  }

  // Return sweep.
  if (const auto error = reduce_total_adj(buffers.library_scratch, library_bytes, buffers.total_adj,
                                          alphas, buffers.largest, n_real, k, stream)) {
    return error;
  }

  if (n > 0) {
    const dim3 block_shape = sums_block(n, 1, k, Order::summands);
    const unsigned grid_size = blocks_for(n, block_shape.y);
    x_adj_kernel<<<grid_size, block_shape, 0, stream>>>(buffers.x_adj, buffers.objective_xs_kept, n,
                                                        static_cast<int>(k));
    if (const auto error = cudaGetLastError()) return error;
  }

  if (buffers.alphas_adj_slabs > 0 && k > 0) {
    const dim3 block_shape =
        sums_block(k, buffers.alphas_adj_slabs, buffers.alphas_adj_slab_size, Order::results);
    const dim3 grid_shape(blocks_for(k, block_shape.x), grid_height_for(buffers.alphas_adj_slabs));
    alphas_adj_parts_kernel<<<grid_shape, block_shape, 0, stream>>>(
        buffers.alphas_adj_parts, buffers.x_adj, static_cast<int>(n), static_cast<int>(k),
        buffers.alphas_adj_slabs, buffers.alphas_adj_slab_size);
    if (const auto error = cudaGetLastError()) return error;
  }

  if (k > 0) {
    const dim3 block_shape = sums_block(k, 1, buffers.alphas_adj_slabs, Order::results);
    const unsigned grid_size = blocks_for(k, block_shape.x);
    alphas_adj_kernel<<<grid_size, block_shape, 0, stream>>>(
        alphas_adj, buffers.log_dets_adj, alphas, buffers.alphas_adj_parts, buffers.largest,
        buffers.total_adj, k, buffers.alphas_adj_slabs, log_det_adj);
    if (const auto error = cudaGetLastError()) return error;
  }

  if (buffers.means_adj_sums_slabs > 0 && k > 0 && d > 0) {
    const dim3 block_shape = sums_block(d, buffers.means_adj_sums_slabs * k,
                                        buffers.means_adj_sums_slab_size, Order::results);
    const dim3 grid_shape(blocks_for(d, block_shape.x),
                          grid_height_for(buffers.means_adj_sums_slabs), grid_height_for(k));
    means_adj_sums_parts_kernel<<<grid_shape, block_shape, 0, stream>>>(
        buffers.means_adj_sums_parts, means, xs, buffers.x_adj, static_cast<int>(n),
        static_cast<int>(k), static_cast<int>(d), buffers.means_adj_sums_slabs,
        buffers.means_adj_sums_slab_size);
    if (const auto error = cudaGetLastError()) return error;
  }

  if (buffers.cells > 0) {
    const dim3 block_shape =
        sums_block(buffers.cells, 1, buffers.means_adj_sums_slabs, Order::results);
    const unsigned grid_size = blocks_for(buffers.cells, block_shape.x);
    adj_sums_kernel<<<grid_size, block_shape, 0, stream>>>(
        buffers.means_adj_sums, buffers.means_adj_sums_parts, buffers.cells,
        buffers.means_adj_sums_slabs);
    if (const auto error = cudaGetLastError()) return error;
  }

  if (tiles_pay(d, d, tile_depth, buffers.qs_adj_sums_slabs * k)) {
    const dim3 block_shape(MatrixTile::column_threads, MatrixTile::row_threads);
    const dim3 grid_shape(blocks_for(d, tile_width), grid_height_for(d, tile_width),
                          grid_height_for(buffers.qs_adj_sums_slabs * k));
    qs_adj_sums_parts_tiles_kernel<<<grid_shape, block_shape, 0, stream>>>(
        buffers.qs_adj_sums_parts, means, xs, buffers.x_adj, static_cast<int>(n),
        static_cast<int>(k), static_cast<int>(d), buffers.qs_adj_sums_slabs,
        buffers.qs_adj_sums_slab_size);
    if (const auto error = cudaGetLastError()) return error;
  } else if (buffers.qs_adj_sums_slabs * k > 0 && d > 0) {
    const dim3 block_shape = sums_block(d, buffers.qs_adj_sums_slabs * k * d,
                                        buffers.qs_adj_sums_slab_size, Order::results);
    const dim3 grid_shape(blocks_for(d, block_shape.x),
                          grid_height_for(buffers.qs_adj_sums_slabs * k), grid_height_for(d));
    qs_adj_sums_parts_kernel<<<grid_shape, block_shape, 0, stream>>>(
        buffers.qs_adj_sums_parts, means, xs, buffers.x_adj, static_cast<int>(n),
        static_cast<int>(k), static_cast<int>(d), buffers.qs_adj_sums_slabs,
        buffers.qs_adj_sums_slab_size);
    if (const auto error = cudaGetLastError()) return error;
  }

  if (buffers.objective_cells > 0) {
    const dim3 block_shape =
        sums_block(buffers.objective_cells, 1, buffers.qs_adj_sums_slabs, Order::results);
    const unsigned grid_size = blocks_for(buffers.objective_cells, block_shape.x);
    adj_sums_kernel<<<grid_size, block_shape, 0, stream>>>(
        buffers.qs_adj_sums, buffers.qs_adj_sums_parts, buffers.objective_cells,
        buffers.qs_adj_sums_slabs);
    if (const auto error = cudaGetLastError()) return error;
  }

  if (tiles_pay(d, d, d, k)) {
    const dim3 block_shape(MatrixTile::column_threads, MatrixTile::row_threads);
    const dim3 grid_shape(blocks_for(d, tile_width), grid_height_for(d, tile_width),
                          grid_height_for(k));
    qs_adj_tiles_kernel<<<grid_shape, block_shape, 0, stream>>>(
        buffers.qs_adj, buffers.qs, buffers.qs_adj_sums, gamma_, k, static_cast<int>(d));
    if (const auto error = cudaGetLastError()) return error;
  } else if (k > 0 && d > 0) {
    const dim3 block_shape = sums_block(d, k * d, d, Order::results);
    const dim3 grid_shape(blocks_for(d, block_shape.x), grid_height_for(k), grid_height_for(d));
    qs_adj_kernel<<<grid_shape, block_shape, 0, stream>>>(
        buffers.qs_adj, buffers.qs, buffers.qs_adj_sums, gamma_, k, static_cast<int>(d));
    if (const auto error = cudaGetLastError()) return error;
  }

  if (k > 0 && d > 0) {
    const dim3 block_shape = sums_block(d, k, d, Order::summands);
    const dim3 grid_shape(blocks_for(d, block_shape.y), grid_height_for(k));
    other_means_adj_kernel<<<grid_shape, block_shape, 0, stream>>>(
        buffers.other_means_adj, buffers.qs, buffers.means_adj_sums, k, static_cast<int>(d));
    if (const auto error = cudaGetLastError()) return error;
  }

  if (k > 0 && d > 0) {
    const dim3 block_shape = sums_block(d, k, d, Order::results);
    const dim3 grid_shape(blocks_for(d, block_shape.x), grid_height_for(k));
    means_adj_kernel<<<grid_shape, block_shape, 0, stream>>>(
        means_adj, buffers.qs, buffers.other_means_adj, k, static_cast<int>(d));
    if (const auto error = cudaGetLastError()) return error;
  }
  if (const auto error = fill_zeros(buffers.qs_icf_adj, k * l, stream)) return error;

  if (k > 0 && d > 0) {
    const unsigned row_threads = row_threads_for(d, k);
    const dim3 block_shape(row_threads, block_size / row_threads);
    const dim3 grid_shape(blocks_for(k, block_shape.y), grid_height_for(d, row_threads),
                          grid_height_for(d));
    qs_icf_adj_kernel<<<grid_shape, block_shape, 0, stream>>>(
        buffers.qs_icf_adj, icf, buffers.qs_adj, k, static_cast<int>(d), static_cast<int>(l));
    if (const auto error = cudaGetLastError()) return error;
  }

  if (k > 0 && l > 0) {
    const unsigned row_threads = row_threads_for(l, k);
    const unsigned grid_width = few_blocks_for(k, block_size / row_threads);
    const dim3 block_shape(row_threads, block_size / row_threads);
    const dim3 grid_shape(grid_width, few_blocks_for(l, row_threads, grid_width));
    icf_adj_kernel<<<grid_shape, block_shape, 0, stream>>>(
        icf_adj, buffers.log_dets_adj, buffers.qs_icf_adj, k, static_cast<int>(d),
        static_cast<int>(l));
    if (const auto error = cudaGetLastError()) return error;
  }
  return cudaSuccess;
}

}  // namespace gmm
