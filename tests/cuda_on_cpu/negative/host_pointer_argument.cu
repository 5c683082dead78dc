// expect: plain: argument 1 of kernel fill is not a device pointer
#include "check.cuh"

__global__ void fill(float* y) { y[threadIdx.x] = 1.0f; }

int main() {
  std::vector<float> y(32);
  fill<<<1, 32>>>(y.data());
}
