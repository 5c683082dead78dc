// expect: plain: used again without a __syncthreads()
#include <cub/cub.cuh>

#include "check.cuh"

__global__ void twice(float* y) {
  using Reduce = cub::BlockReduce<float, 64>;
  __shared__ typename Reduce::TempStorage storage;
  const float a = Reduce(storage).Sum(1.0f);
  const float b = Reduce(storage).Sum(2.0f);
  if (threadIdx.x == 0) *y = a + b;
}

int main() {
  DeviceArray<float> y(1);
  twice<<<1, 64>>>(y.data());
}
