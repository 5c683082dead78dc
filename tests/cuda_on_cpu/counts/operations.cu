// Operations on floats of 64 threads. A sum of a product that nothing else needs is one fused operation;
// divisions, roots and functions are special, whatever they cost; signs and conversions are free. Of f16
// nothing is taken to be fused.
//
// expect kernel: add_product
//   launches 1, blocks 2, threads 64, f32_operations 64, f32_fused 64,
//   global_loads 128, global_load_bytes 512, global_load_requests 4, global_load_sectors 16,
//   global_stores 64, global_store_bytes 256, global_store_requests 2, global_store_sectors 8,
//   block_needed_bytes 512, needed_bytes 512, left_bytes 256
// expect kernel: keep_product
//   launches 1, blocks 2, threads 64, f32_operations 128,
//   global_loads 128, global_load_bytes 512, global_load_requests 4, global_load_sectors 16,
//   global_stores 128, global_store_bytes 512, global_store_requests 4, global_store_sectors 16,
//   block_needed_bytes 512, needed_bytes 512, left_bytes 512
// expect kernel: square_distance
//   launches 1, blocks 2, threads 64, f64_operations 512, f64_fused 256,
//   global_loads 512, global_load_bytes 4096, global_load_requests 16, global_load_sectors 264,
//   global_stores 64, global_store_bytes 512, global_store_requests 2, global_store_sectors 16,
//   block_needed_bytes 2112, needed_bytes 2080, left_bytes 512, common_bytes 32
// expect kernel: soft_plus
//   launches 1, blocks 2, threads 64, f64_operations 128, f64_special 256,
//   global_loads 64, global_load_bytes 512, global_load_requests 2, global_load_sectors 16,
//   global_stores 64, global_store_bytes 512, global_store_requests 2, global_store_sectors 16,
//   block_needed_bytes 512, needed_bytes 512, left_bytes 512
// expect kernel: halves
//   launches 1, blocks 2, threads 64, f16_operations 192, f16_special 64,
//   global_loads 64, global_load_bytes 128, global_load_requests 2, global_load_sectors 4,
//   global_stores 64, global_store_bytes 128, global_store_requests 2, global_store_sectors 4,
//   block_needed_bytes 128, needed_bytes 128, left_bytes 128
// expect library: cub::DeviceReduce::Reduce
//   launches 1, f64_operations 64,
//   global_loads 64, global_load_bytes 512, global_stores 1, global_store_bytes 8,
//   block_needed_bytes 512, needed_bytes 512, left_bytes 32
#include <cuda_fp16.h>
#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>

#include "check.cuh"

constexpr int n = 64, dimensions = 4;

__device__ int index() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void add_product(float* __restrict__ ys, const float* __restrict__ xs) {
  const int i = index();
  ys[i] += 2.0f * xs[i];
}

__global__ void keep_product(float* __restrict__ ys, float* __restrict__ products,
                             const float* __restrict__ xs) {
  const int i = index();
  const float product = 3.0f * xs[i];
  products[i] = product;
  ys[i] = -(ys[i] - product);
}

template <class T>
__global__ void square_distance(T* __restrict__ squares, const T* __restrict__ xss,
                                const T* __restrict__ center) {
  T sum = 0;
  for (int j = 0; j < dimensions; ++j) {
    const T difference = xss[index() * dimensions + j] - center[j];
    sum += difference * difference;
  }
  squares[index()] = sum;
}

__global__ void soft_plus(double* __restrict__ ys, const double* __restrict__ xs) {
  const double x = xs[index()];
  ys[index()] = sqrt(log(1.0 + exp(x))) + 1.0 / x;
}

__global__ void halves(__half* __restrict__ ys, const __half* __restrict__ xs) {
  const __half x = xs[index()];
  ys[index()] = (x * x + x) / (x + __half(1.0f));
}

int main() {
  const DeviceArray<float> xs(std::vector<float>(n, 3.0f)), ys(std::vector<float>(n, 1.0f)),
      products(n);
  const DeviceArray<double> xss(std::vector<double>(n * dimensions, 2.0)),
      center(std::vector<double>(dimensions, 1.0)), squares(n), sums(n);
  const DeviceArray<__half> half_xs(std::vector<__half>(n, __half(1.0f))), half_ys(n);
  std::size_t bytes = 0;
  cuda_check(cub::DeviceReduce::Reduce(nullptr, bytes, squares.data(), sums.data(), n,
                                       cuda::std::plus<double>{}, 0.0),
             "Reduce's storage");
  const DeviceArray<char> storage(bytes);

  cuda_emulation_begin_entry();
  add_product<<<2, 32>>>(ys.data(), xs.data());
  keep_product<<<2, 32>>>(ys.data(), products.data(), xs.data());
  square_distance<<<2, 32>>>(squares.data(), xss.data(), center.data());
  soft_plus<<<2, 32>>>(sums.data(), squares.data());
  halves<<<2, 32>>>(half_ys.data(), half_xs.data());
  cuda_check(cub::DeviceReduce::Reduce(storage.data(), bytes, squares.data(), sums.data(), n,
                                       cuda::std::plus<double>{}, 0.0),
             "Reduce");
  cuda_emulation_end_entry();

  expect(ys.to_host()[0] == 2.0f && sums.to_host()[0] == 256.0, "ys[0] and sums[0]");
  expect(static_cast<float>(half_ys.to_host()[5]) == 1.0f, "half_ys[5]");
}
