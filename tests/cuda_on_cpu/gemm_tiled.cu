// C = A * B, tiled through shared memory, and a dot product in two dimensions of tiling.
#include "check.cuh"

constexpr int kTile = 16;

// A is rows x inner, B is inner x columns, C is rows x columns, all row-major.
template <typename T>
__global__ void __launch_bounds__(kTile* kTile)
    gemm(int rows, int columns, int inner, const T* __restrict__ a, const T* __restrict__ b,
         T* __restrict__ c) {
  __shared__ T a_tile[kTile][kTile];
  __shared__ T b_tile[kTile][kTile + 1];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  T sum = 0;
  for (int k = 0; k < inner; k += kTile) {
    const int a_column = k + threadIdx.x;
    const int b_row = k + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] =
        row < rows && a_column < inner ? a[row * inner + a_column] : T(0);
    b_tile[threadIdx.y][threadIdx.x] =
        b_row < inner && column < columns ? b[b_row * columns + column] : T(0);
    __syncthreads();
#pragma unroll
    for (int j = 0; j < kTile; ++j) sum += a_tile[threadIdx.y][j] * b_tile[j][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}

// The dot product of x and y: warp shuffles, then one value per warp in shared memory.
__global__ void __launch_bounds__(256)
    dot(int n, const float* __restrict__ x, const float* __restrict__ y,
        float* __restrict__ result) {
  __shared__ float warp_sums[8];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum = fmaf(x[i], y[i], sum);
  for (int mask = 16; mask > 0; mask >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, mask);
  const int warp = threadIdx.x / warpSize, lane = threadIdx.x % warpSize;
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < 8 ? warp_sums[lane] : 0.0f;
    for (int offset = 4; offset > 0; offset >>= 1)
      sum += __shfl_down_sync(0xffffffffu, sum, offset, 8);
    if (lane == 0) atomicAdd(result, sum);
  }
}

int main() {
  const int rows = 50, columns = 70, inner = 37;
  std::vector<double> a(rows * inner), b(inner * columns);
  for (int i = 0; i < rows * inner; ++i) a[i] = (i * 31 % 17) - 8;
  for (int i = 0; i < inner * columns; ++i) b[i] = (i * 13 % 23) - 11;
  DeviceArray<double> device_a(a), device_b(b), device_c(rows * columns);
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  // The template argument is deduced.
  gemm<<<grid, dim3(kTile, kTile)>>>(rows, columns, inner, device_a.data(), device_b.data(),
                                     device_c.data());
  cuda_check(cudaGetLastError(), "gemm");
  const std::vector<double> c = device_c.to_host();
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      double sum = 0.0;
      for (int k = 0; k < inner; ++k) sum += a[i * inner + k] * b[k * columns + j];
      expect(c[i * columns + j] == sum, "gemm");
    }

  const int n = 5000;
  std::vector<float> x(n), y(n);
  double expected = 0.0;
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 11) - 4.0f;
    y[i] = static_cast<float>(i % 5) + 0.25f;
    expected += static_cast<double>(x[i]) * y[i];
  }
  DeviceArray<float> device_x(x), device_y(y), device_dot(std::vector<float>{0.0f});
  cudaStream_t stream;
  cuda_check(cudaStreamCreate(&stream), "cudaStreamCreate");
  dot<<<4, 256, 0, stream>>>(n, device_x.data(), device_y.data(), device_dot.data());
  cuda_check(cudaGetLastError(), "dot");
  cuda_check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  cuda_check(cudaStreamDestroy(stream), "cudaStreamDestroy");
  expect(close_to(device_dot.to_host()[0], expected), "dot");
  std::puts("gemm_tiled: ok");
}
