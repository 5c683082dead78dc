// A tile is staged in shared memory. A warp has four rows of 8 floats: 4 sectors. The rows are 9 words
// apart, so the last three words of 32 share banks with the first; columns likewise. Without the
// padding all words of a column share one bank; 32 threads with doubles need two passes in any case.
//
// expect kernel: transpose
//   launches 1, blocks 6, threads 384, barriers 6,
//   global_loads 384, global_load_bytes 1536, global_load_requests 12, global_load_sectors 48,
//   global_stores 384, global_store_bytes 1536, global_store_requests 12, global_store_sectors 48,
//   shared_loads 384, shared_load_bytes 1536, shared_load_requests 12, shared_load_conflicts 12,
//   shared_stores 384, shared_store_bytes 1536, shared_store_requests 12, shared_store_conflicts 12,
//   block_needed_bytes 1536, needed_bytes 1536, left_bytes 1536,
//   shared_bytes 288
// expect kernel: read_column<float, 32>
//   launches 1, blocks 1, threads 32, barriers 1,
//   global_stores 32, global_store_bytes 128, global_store_requests 1, global_store_sectors 4,
//   shared_loads 32, shared_load_bytes 128, shared_load_requests 1, shared_load_conflicts 31,
//   shared_stores 32, shared_store_bytes 128, shared_store_requests 1,
//   left_bytes 128,
//   shared_bytes 4096
// expect kernel: read_column<float, 33>
//   launches 1, blocks 1, threads 32, barriers 1,
//   global_stores 32, global_store_bytes 128, global_store_requests 1, global_store_sectors 4,
//   shared_loads 32, shared_load_bytes 128, shared_load_requests 1,
//   shared_stores 32, shared_store_bytes 128, shared_store_requests 1,
//   left_bytes 128,
//   shared_bytes 4224
// expect kernel: read_column<double, 33>
//   launches 1, blocks 1, threads 32, barriers 1,
//   global_stores 32, global_store_bytes 256, global_store_requests 1, global_store_sectors 8,
//   shared_loads 32, shared_load_bytes 256, shared_load_requests 1,
//   shared_stores 32, shared_store_bytes 256, shared_store_requests 1,
//   left_bytes 256,
//   shared_bytes 8448
#include "check.cuh"

constexpr int tile_size = 8;

__global__ void transpose(float* __restrict__ yss, const float* __restrict__ xss, int n, int m) {
  __shared__ float tile[tile_size][tile_size + 1];
  const int i = static_cast<int>(blockIdx.y) * tile_size,
            j = static_cast<int>(blockIdx.x) * tile_size;
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  tile[y][x] = xss[(i + y) * m + j + x];
  __syncthreads();
  yss[(j + y) * n + i + x] = tile[x][y];
}

// Each thread writes to the first row what another reads from the first column.
template <typename T, int row_size>
__global__ void read_column(T* xs) {
  __shared__ T rows[32 * row_size];
  rows[threadIdx.x] = T(threadIdx.x);
  __syncthreads();
  xs[threadIdx.x] = rows[threadIdx.x * row_size];
}

int main() {
  const int n = 16, m = 24;
  std::vector<float> values(n * m);
  for (int i = 0; i < n * m; ++i) values[i] = static_cast<float>(i);
  const DeviceArray<float> xss(values), yss(n * m), column(32);
  const DeviceArray<double> doubles(32);

  cuda_emulation_begin_entry();
  transpose<<<dim3(m / tile_size, n / tile_size), dim3(tile_size, tile_size)>>>(yss.data(),
                                                                                xss.data(), n, m);
  read_column<float, 32><<<1, 32>>>(column.data());
  read_column<float, 33><<<1, 32>>>(column.data());
  read_column<double, 33><<<1, 32>>>(doubles.data());
  cuda_emulation_end_entry();

  expect(yss.to_host()[3 * n + 2] == values[2 * m + 3], "yss[3][2]");
}
