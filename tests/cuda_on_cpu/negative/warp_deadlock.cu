// expect: plain: deadlock in kernel wait
#include "check.cuh"

__global__ void wait(float* y) {
  if (threadIdx.x == 0)
    __syncwarp();
  else
    __syncthreads();
  y[threadIdx.x] = 1.0f;
}

int main() {
  DeviceArray<float> y(32);
  wait<<<1, 32>>>(y.data());
}
