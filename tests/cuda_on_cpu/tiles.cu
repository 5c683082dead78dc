// Sums that the threads of a block compute tile by tile, of each kind of tile and with each kind of operands and summands, against loops
// in order. There are rows, columns and summands left over everywhere.
#include "check.cuh"

#include <type_traits>

#include "templates/tile_width.cuh"
#include "templates/tile_depth.cuh"
#include "templates/matrix_place.cuh"
#include "templates/add_matrix_product.cuh"
#include "templates/thread_tile.cuh"
#include "templates/matrix_tile.cuh"
#include "templates/order.cuh"
#include "templates/tile_operand.cuh"
#include "templates/row_operand.cuh"
#include "templates/column_operand.cuh"
#include "templates/summands.cuh"
#include "templates/all_summands.cuh"
#include "templates/summands_up_to_row.cuh"
#include "templates/summands_from_row.cuh"
#include "templates/summands_up_to_column.cuh"
#include "templates/summands_from_column.cuh"
#include "templates/accumulate.cuh"
#include "templates/set_all.cuh"
#include "templates/set_rows.cuh"

/// Where summands are zero.
enum class Zeros { nowhere, behind_row, before_row, behind_column, before_column };

__host__ __device__ bool is_zero(Zeros zeros, int64_t row, int column, int64_t summand) {
  return (zeros == Zeros::behind_row && summand > row) || (zeros == Zeros::before_row && summand < row) ||
         (zeros == Zeros::behind_column && summand > column) || (zeros == Zeros::before_column && summand < column);
}

template <Zeros zeros, typename Count>
__device__ auto summands_of(Count count, int64_t first_row, int first_column) {
  if constexpr (zeros == Zeros::behind_row) {
    return summands_up_to_row(count, first_row);
  } else if constexpr (zeros == Zeros::before_row) {
    return summands_from_row(count, first_row);
  } else if constexpr (zeros == Zeros::behind_column) {
    return summands_up_to_column(count, first_column);
  } else if constexpr (zeros == Zeros::before_column) {
    return summands_from_column(count, first_column);
  } else {
    return all_summands(count);
  }
}

/// zs[i, j] = start + sum over l of xs[i, l] * ys[j, l]; xs are row by row, and ys column by column.
template <typename Tile, Zeros zeros, typename T, typename Count>
__global__ void multiply(T* zs, const T* xs, const T* ys, T start, int64_t n, int m, Count count) {
  const int64_t first_i = int64_t(blockIdx.x) * tile_width;
  const int first_j = static_cast<int>(blockIdx.y) * tile_width;
  const auto x_at = [&](int64_t i, Count l) {
    const bool zero = zeros == Zeros::behind_row ? l > i : zeros == Zeros::before_row && l < i;
    return zero ? T{} : xs[i * count + l];
  };
  const auto y_at = [&](int j, Count l) {
    const bool zero = zeros == Zeros::behind_column ? l > j : zeros == Zeros::before_column && l < j;
    return zero ? T{} : ys[l * m + j];
  };
  T totals[Tile::rows][Tile::columns];
  set_rows(totals, start);
  const auto add = [&](int r, int c, auto x, T y) {
    if constexpr (std::is_same_v<Tile, MatrixTile>) {
      add_matrix_product(&totals[r][2 * c], &totals[r + 1][2 * c], x, y);
    } else {
      totals[r][c] += x * y;
    }
  };
  accumulate<Tile>(summands_of<zeros>(count, first_i, first_j), add, row_operand<Tile, Order::summands>(first_i, n, x_at),
                   column_operand<Tile, Order::results>(first_j, m, y_at));
  for (int r = 0; r < Tile::rows; ++r) {
    for (int c = 0; c < Tile::columns; ++c) {
      const int64_t i = first_i + Tile::row(r);
      const int j = first_j + Tile::column(c);
      if (i < n && j < m) zs[i * m + j] = totals[r][c];
    }
  }
}

template <typename T>
std::vector<T> numbers(std::size_t size, int step) {
  std::vector<T> result(size);
  for (std::size_t i = 0; i < size; ++i) result[i] = static_cast<T>(static_cast<int>(i) * step % 17 - 8);
  return result;
}

unsigned tiles(int64_t size) { return static_cast<unsigned>((size + tile_width - 1) / tile_width); }

template <typename Tile, Zeros zeros, typename T, typename Count>
void check(int n, int m, Count count) {
  const std::size_t summands = static_cast<std::size_t>(count), rows = static_cast<std::size_t>(n), columns = static_cast<std::size_t>(m);
  const std::vector<T> xs = numbers<T>(rows * summands + 1, 5), ys = numbers<T>(summands * columns + 1, 7);
  const DeviceArray<T> on_device_x(xs), on_device_y(ys), zs(rows * columns);
  const dim3 grid(tiles(n), tiles(m)), block(Tile::column_threads, Tile::threads / Tile::column_threads);
  multiply<Tile, zeros, T, Count><<<grid, block>>>(zs.data(), on_device_x.data(), on_device_y.data(), T{3}, n, m, count);
  cuda_check(cudaGetLastError(), "multiply");
  const std::vector<T> found = zs.to_host();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      T sum = 3;
      for (Count l = 0; l < count; ++l)
        if (!is_zero(zeros, i, j, l)) sum += xs[static_cast<std::size_t>(i * count + l)] * ys[static_cast<std::size_t>(l * m + j)];
      expect(found[static_cast<std::size_t>(i * m + j)] == sum, "a product");
    }
  }
}

template <typename Tile, typename T, typename Count>
void check_all(int n, int m, Count count) {
  check<Tile, Zeros::nowhere, T>(n, m, count);
  check<Tile, Zeros::behind_row, T>(n, m, count);
  check<Tile, Zeros::before_row, T>(n, m, count);
  check<Tile, Zeros::behind_column, T>(n, m, count);
  check<Tile, Zeros::before_column, T>(n, m, count);
}

/// Two operands of rows and two of columns: us[i] * xs[i, l] + vs[j] * ys[j, l], summed up, and the largest of them.
__global__ void combine(float* sums, float* largest, const float* us, const float* vs, const float* xs, const float* ys, int n, int m, int count) {
  using Tile = ThreadTile<4>;
  const int first_i = static_cast<int>(blockIdx.x) * tile_width, first_j = static_cast<int>(blockIdx.y) * tile_width;
  const auto u_at = [&](int i, int /*l*/) { return us[i]; };
  const auto v_at = [&](int j, int /*l*/) { return vs[j]; };
  const auto x_at = [&](int i, int l) { return xs[i * count + l]; };
  const auto y_at = [&](int j, int l) { return ys[j * count + l]; };
  float own_sums[Tile::rows][Tile::columns] = {};
  float own_largest[Tile::rows][Tile::columns];
  set_rows(own_largest, -INFINITY);
  const auto add = [&](int r, int c, float u, float x, float v, float y) {
    const float summand = u * x + v * y;
    own_sums[r][c] += summand;
    own_largest[r][c] = fmaxf(own_largest[r][c], summand);
  };
  accumulate<Tile>(all_summands(count), add, row_operand<Tile, Order::results>(first_i, n, u_at), row_operand<Tile, Order::summands>(first_i, n, x_at),
                   column_operand<Tile, Order::results>(first_j, m, v_at), column_operand<Tile, Order::summands>(first_j, m, y_at));
  for (int r = 0; r < Tile::rows; ++r) {
    for (int c = 0; c < Tile::columns; ++c) {
      const int i = first_i + Tile::row(r), j = first_j + Tile::column(c);
      if (i < n && j < m) {
        sums[i * m + j] = own_sums[r][c];
        largest[i * m + j] = own_largest[r][c];
      }
    }
  }
}

void check_several_operands(int n, int m, int count) {
  const auto size = [](int x, int y) { return static_cast<std::size_t>(x * y); };
  const std::vector<float> us = numbers<float>(size(n, 1), 3), vs = numbers<float>(size(m, 1), 5), xs = numbers<float>(size(n, count), 7),
                           ys = numbers<float>(size(m, count), 11);
  const DeviceArray<float> device_u(us), device_v(vs), device_x(xs), device_y(ys), sums(size(n, m)), largest(size(n, m));
  combine<<<dim3(tiles(n), tiles(m)), dim3(16, 16)>>>(sums.data(), largest.data(), device_u.data(), device_v.data(), device_x.data(),
                                                      device_y.data(), n, m, count);
  cuda_check(cudaGetLastError(), "combine");
  const std::vector<float> found_sums = sums.to_host(), found_largest = largest.to_host();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      float sum = 0, most = -INFINITY;
      for (int l = 0; l < count; ++l) {
        const float summand = us[size(i, 1)] * xs[size(i, count) + size(l, 1)] + vs[size(j, 1)] * ys[size(j, count) + size(l, 1)];
        sum += summand, most = std::fmax(most, summand);
      }
      expect(found_sums[size(i, m) + size(j, 1)] == sum, "a sum");
      expect(found_largest[size(i, m) + size(j, 1)] == most, "a maximum");
    }
  }
}

int main() {
  check_all<ThreadTile<8>, float>(67, 70, 75);
  check_all<ThreadTile<8>, int>(70, 130, int64_t{67});
  check_all<ThreadTile<4>, double>(130, 67, 13);
  check_all<MatrixTile, double>(70, 67, 131);
  check_all<MatrixTile, double>(3, 70, int64_t{5});
  check<MatrixTile, Zeros::nowhere, double>(3, 5, 0);
  check<ThreadTile<8>, Zeros::before_column, float>(67, 130, 5);
  check_several_operands(67, 66, 9);
}
