// expect: plain: cudaErrorInvalidConfiguration
#include "check.cuh"

__global__ void fill(float* y) { y[threadIdx.x] = 1.0f; }

int main() {
  DeviceArray<float> y(2048);
  fill<<<1, 2048>>>(y.data());
  cuda_check(cudaGetLastError(), "fill");
}
