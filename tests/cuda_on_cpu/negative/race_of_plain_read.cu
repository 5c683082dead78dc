// expect: races: data race
// A plain read beside atomic operations races, where a volatile one would not.
#include "check.cuh"

__global__ void count(int* sum, int* seen) {
  atomicAdd(sum, 1);
  seen[threadIdx.x] = *sum;
}

int main() {
  DeviceArray<int> sum(std::vector<int>(1, 0)), seen(std::vector<int>(32, 0));
  count<<<1, 32>>>(sum.data(), seen.data());
}
