// expect: asan: heap-buffer-overflow
// The bounds check is missing; the access happens on a fiber, after a barrier.
#include "check.cuh"

__global__ void shift(const float* x, float* y) {
  __shared__ float tile[64];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = tile[(threadIdx.x + 1) % 64];
}

int main() {
  DeviceArray<float> x(128), y(100);
  shift<<<2, 64>>>(x.data(), y.data());
  cuda_check(cudaDeviceSynchronize(), "shift");
}
