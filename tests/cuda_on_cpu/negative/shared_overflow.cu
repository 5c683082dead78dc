// expect: asan: index 64 out of bounds for type 'float[64]'
// (UBSan sees this one before ASan does.)
#include "check.cuh"

__global__ void overflow(float* y) {
  __shared__ float tile[64];
  tile[threadIdx.x + 1] = 1.0f;
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  DeviceArray<float> y(64);
  overflow<<<1, 64>>>(y.data());
}
