// expect: races: data race
// A gradient is accumulated without an atomic; the threads that collide are in two blocks.
#include "check.cuh"

__global__ void scatter(const int* index, float* d_x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  d_x[index[i]] += 1.0f;
}

int main() {
  std::vector<int> index(64);
  for (int i = 0; i < 64; ++i) index[i] = i % 32;
  DeviceArray<int> device_index(index);
  DeviceArray<float> d_x(std::vector<float>(32, 0.0f));
  scatter<<<2, 32>>>(device_index.data(), d_x.data());
}
