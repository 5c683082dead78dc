// expect: races: data race
// Several threads clear the same cell. That all store the same value makes it no less a race.
#include "check.cuh"

__global__ void clear(const int* index, float* xs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  xs[index[i]] = 0.0f;
}

int main() {
  std::vector<int> index(32);
  for (int i = 0; i < 32; ++i) index[i] = i / 2;
  DeviceArray<int> device_index(index);
  DeviceArray<float> xs(std::vector<float>(16, 1.0f));
  clear<<<1, 32>>>(device_index.data(), xs.data());
}
