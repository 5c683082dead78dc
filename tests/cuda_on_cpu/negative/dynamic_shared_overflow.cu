// expect: asan: heap-buffer-overflow
#include "check.cuh"

__global__ void overflow(float* y) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = 1.0f;
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  DeviceArray<float> y(64);
  overflow<<<1, 64, 63 * sizeof(float)>>>(y.data());
}
