// expect: plain: while other threads wait at that of
#include "check.cuh"

__global__ void diverge(float* y) {
  if (threadIdx.x < 16) {
    __syncthreads();
    y[threadIdx.x] = 1.0f;
  } else {
    __syncthreads();
    y[threadIdx.x] = 2.0f;
  }
}

int main() {
  DeviceArray<float> y(32);
  diverge<<<1, 32>>>(y.data());
}
