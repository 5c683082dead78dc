// expect: races: data race
// The barrier at the end of the loop, which guards the tile from being overwritten, is missing.
#include "check.cuh"

__global__ void sums(int n, const float* x, float* y) {
  __shared__ float tile[64];
  float sum = 0.0f;
  for (int first = 0; first < n; first += 64) {
    tile[threadIdx.x] = x[first + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum += tile[i];
  }
  y[threadIdx.x] = sum;
}

int main() {
  DeviceArray<float> x(256), y(64);
  cuda_check(cudaMemset(x.data(), 0, 256 * sizeof(float)), "cudaMemset");
  sums<<<1, 64>>>(256, x.data(), y.data());
}
