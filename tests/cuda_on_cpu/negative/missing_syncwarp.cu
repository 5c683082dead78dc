// expect: races: data race
// A shuffle lies between writing and reading shared memory, but orders no memory accesses.
#include "check.cuh"

__global__ void reverse(float* y) {
  __shared__ float tile[32];
  tile[threadIdx.x] = 1.0f;
  const float one = __shfl_xor_sync(0xffffffffu, 1.0f, 1);
  y[threadIdx.x] = one + tile[31 - threadIdx.x];
}

int main() {
  DeviceArray<float> y(32);
  reverse<<<1, 32>>>(y.data());
}
