// expect: races: data race
// The __syncthreads() between writing and reading the tile is missing.
#include "check.cuh"

__global__ void reverse(float* y) {
  __shared__ float tile[64];
  tile[threadIdx.x] = y[threadIdx.x];
  y[threadIdx.x] = tile[63 - threadIdx.x];
}

int main() {
  DeviceArray<float> y(64);
  reverse<<<1, 64>>>(y.data());
}
