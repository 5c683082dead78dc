// expect: plain: lacks the calling lane
#include "check.cuh"

__global__ void shuffle(float* y) { y[threadIdx.x] = __shfl_sync(0x0000ffffu, 1.0f, 0); }

int main() {
  DeviceArray<float> y(32);
  shuffle<<<1, 32>>>(y.data());
}
