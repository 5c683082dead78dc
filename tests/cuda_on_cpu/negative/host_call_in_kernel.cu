// expect: parse: call to __host__ function from __global__ function
#include "check.cuh"

inline float host_only(float x) { return x; }
__global__ void call(float* y) { y[threadIdx.x] = host_only(1.0f); }

int main() {
  DeviceArray<float> y(32);
  call<<<1, 32>>>(y.data());
}
