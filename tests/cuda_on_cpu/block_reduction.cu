// Sum and maximum of an array: per block through shared memory (once a fixed-size array with
// a templated kernel, once dynamic shared memory, once cub::BlockReduce), then over blocks.
#include <cub/block/block_reduce.cuh>

#include "check.cuh"

template <typename T, int kThreads>
__global__ void __launch_bounds__(kThreads)
    block_sum(int n, const T* __restrict__ values, T* __restrict__ block_sums) {
  __shared__ T partial[kThreads];
  T sum = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads)
    sum += values[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned stride = kThreads / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) block_sums[blockIdx.x] = partial[0];
}

__global__ void block_max(int n, const float* __restrict__ values,
                          float* __restrict__ block_maxima) {
  extern __shared__ float partial[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? values[i] : -INFINITY;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride)
      partial[threadIdx.x] = fmaxf(partial[threadIdx.x], partial[threadIdx.x + stride]);
    __syncthreads();
  }
  if (threadIdx.x == 0) block_maxima[blockIdx.x] = partial[0];
}

struct Larger {
  template <typename T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};

// The sum, and the largest absolute value, in one pass; both go through one temporary storage.
template <int kThreads>
__global__ void __launch_bounds__(kThreads)
    sum_and_norm(int n, const float* __restrict__ values, double* __restrict__ sum,
                 float* __restrict__ norm) {
  using SumReduce = cub::BlockReduce<double, kThreads>;
  using NormReduce = cub::BlockReduce<float, kThreads>;
  __shared__ union {
    typename SumReduce::TempStorage sum;
    typename NormReduce::TempStorage norm;
  } storage;
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const float value = i < n ? values[i] : 0.0f;
  const double block_total = SumReduce(storage.sum).Sum(static_cast<double>(value));
  __syncthreads();  // the storage is used again
  const int valid = min(kThreads, n - static_cast<int>(blockIdx.x) * kThreads);
  const float block_norm = NormReduce(storage.norm).Reduce(fabsf(value), Larger{}, valid);
  if (threadIdx.x == 0) {
    atomicAdd(sum, block_total);
    // Floats that are not negative are ordered like their bits.
    atomicMax(reinterpret_cast<int*>(norm), __float_as_int(block_norm));
  }
}

int main() {
  const int n = 12345;
  std::vector<float> values(n);
  double expected_sum = 0.0;
  float expected_max = -INFINITY, expected_norm = 0.0f;
  for (int i = 0; i < n; ++i) {
    values[i] = static_cast<float>((i * 7919) % 2001 - 1500) / 64.0f;
    expected_sum += values[i];
    expected_max = std::fmax(expected_max, values[i]);
    expected_norm = std::fmax(expected_norm, std::fabs(values[i]));
  }
  std::vector<double> doubles(values.begin(), values.end());

  constexpr int threads = 128;
  const int blocks = (n + threads - 1) / threads;
  DeviceArray<float> device_values(values), device_maxima(blocks);
  DeviceArray<double> device_doubles(doubles), device_sums(16), device_sum(1);
  DeviceArray<double> device_total(std::vector<double>{0.0});
  DeviceArray<float> device_norm(std::vector<float>{0.0f});

  block_sum<double, threads><<<16, threads>>>(n, device_doubles.data(), device_sums.data());
  cuda_check(cudaGetLastError(), "block_sum");
  block_sum<double, 16><<<1, 16>>>(16, device_sums.data(), device_sum.data());
  cuda_check(cudaGetLastError(), "block_sum, second stage");
  block_max<<<blocks, threads, threads * sizeof(float)>>>(n, device_values.data(),
                                                          device_maxima.data());
  cuda_check(cudaGetLastError(), "block_max");
  sum_and_norm<threads>
      <<<blocks, threads>>>(n, device_values.data(), device_total.data(), device_norm.data());
  cuda_check(cudaGetLastError(), "sum_and_norm");

  float max = -INFINITY;
  for (const float block : device_maxima.to_host()) max = std::fmax(max, block);
  expect(close_to(device_sum.to_host()[0], expected_sum, 1e-12), "sum");
  expect(close_to(device_total.to_host()[0], expected_sum, 1e-12), "sum by cub");
  expect(max == expected_max, "max");
  expect(device_norm.to_host()[0] == expected_norm, "norm");
  std::puts("block_reduction: ok");
}
