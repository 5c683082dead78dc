// Volatile stores of several threads to one cell: one of the values stays. Volatile reads beside
// atomic operations.
#include "check.cuh"

__global__ void store(const int* index, int* winner, int* sum, int* seen) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  *static_cast<volatile int*>(&winner[index[i]]) = i;
  atomicAdd(sum, 1);
  seen[i] = *static_cast<volatile int*>(sum);
}

int main() {
  std::vector<int> index(64);
  for (int i = 0; i < 64; ++i) index[i] = i % 16;
  DeviceArray<int> device_index(index), winner(std::vector<int>(16, -1)),
      sum(std::vector<int>(1, 0)), seen(std::vector<int>(64, 0));
  store<<<2, 32>>>(device_index.data(), winner.data(), sum.data(), seen.data());
  const std::vector<int> winners = winner.to_host(), all_seen = seen.to_host();
  for (int i = 0; i < 16; ++i) expect(winners[i] % 16 == i, "one of the values stays");
  for (int i = 0; i < 64; ++i) expect(all_seen[i] >= 1 && all_seen[i] <= 64, "part of the sum");
}
