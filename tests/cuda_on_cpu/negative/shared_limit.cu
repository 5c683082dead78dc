// expect: plain: cudaErrorInvalidValue
// More than 48 KiB of dynamic shared memory without cudaFuncSetAttribute.
#include "check.cuh"

__global__ void fill(float* y) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = 1.0f;
  y[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  DeviceArray<float> y(64);
  fill<<<1, 64, 49 * 1024>>>(y.data());
  cuda_check(cudaGetLastError(), "fill");
}
