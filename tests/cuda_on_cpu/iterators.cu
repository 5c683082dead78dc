// A fused map and reduction: CUB reads through a transforming iterator.  Also warp reductions,
// reduction by key, 1024 threads a block, and a kernel template that launches another.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/cub.cuh>
#include <cuda/functional>
#include <cuda/std/functional>

#include "check.cuh"

struct SquaredDifference {
  const float* x;
  const float* y;
  __host__ __device__ float operator()(int i) const { return (x[i] - y[i]) * (x[i] - y[i]); }
};

template <int kThreads>
__global__ void __launch_bounds__(kThreads)
    warp_sums(int n, const int* __restrict__ x, int* __restrict__ sums) {
  using WarpReduce = cub::WarpReduce<int>;
  __shared__ typename WarpReduce::TempStorage storage[kThreads / 32];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int sum = WarpReduce(storage[threadIdx.x / 32]).Sum(i < n ? x[i] : 0);
  if (threadIdx.x % 32 == 0) sums[i / 32] = sum;
}

// A launch whose kernel depends on template parameters.
template <int kThreads, typename... Arguments>
void launch_warp_sums(int blocks, Arguments... arguments) {
  warp_sums<kThreads><<<blocks, kThreads>>>(arguments...);
  cuda_check(cudaGetLastError(), "warp_sums");
}

template <typename Call>
void with_temporary_storage(Call call) {
  size_t bytes = 0;
  cuda_check(call(nullptr, bytes), "size of the temporary storage");
  DeviceArray<unsigned char> storage(bytes);
  cuda_check(call(storage.data(), bytes), "CUB");
}

int main() {
  const int n = 5000;
  std::vector<float> x(n), y(n);
  std::vector<int> keys(n);
  double expected = 0.0, largest = 0.0;
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 19);
    y[i] = static_cast<float>(i % 7);
    keys[i] = i / 100;
    const double square = (x[i] - y[i]) * (x[i] - y[i]);
    expected += square;
    largest = std::fmax(largest, square);
  }
  DeviceArray<float> device_x(x), device_y(y), sum(1), maximum(1);
  const auto squares = thrust::make_transform_iterator(
      thrust::counting_iterator<int>(0), SquaredDifference{device_x.data(), device_y.data()});
  with_temporary_storage([&](void* storage, size_t& bytes) {
    return cub::DeviceReduce::Sum(storage, bytes, squares, sum.data(), n);
  });
  with_temporary_storage([&](void* storage, size_t& bytes) {
    return cub::DeviceReduce::Reduce(storage, bytes, squares, maximum.data(), n, cuda::maximum<>{},
                                     0.0f);
  });
  expect(close_to(sum.to_host()[0], expected), "sum");
  expect(maximum.to_host()[0] == largest, "maximum");

  DeviceArray<int> device_keys(keys), unique_keys(n), run_count(1);
  DeviceArray<float> key_sums(n);
  with_temporary_storage([&](void* storage, size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(storage, bytes, device_keys.data(), unique_keys.data(),
                                          device_x.data(), key_sums.data(), run_count.data(),
                                          cuda::std::plus<>{}, n);
  });
  expect(run_count.to_host()[0] == n / 100, "run_count");

  const int warps = (n + 1023) / 1024 * 32;
  DeviceArray<int> sums(warps);
  launch_warp_sums<1024>(warps / 32, n, device_keys.data(), sums.data());
  long long total = 0, expected_total = 0;
  for (const int s : sums.to_host()) total += s;
  for (const int key : keys) expected_total += key;
  expect(total == expected_total, "warp sums");
  std::puts("iterators: ok");
}
