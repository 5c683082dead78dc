// Operations of warps that need what the one before has found, a thousand of each: how long a chain of instructions each is. What stands
// around the loops is less than a hundredth.
//
// expect kernel: shuffles<float>
//   launches 1, blocks 1, threads 32, warp_chain 6000,
//   global_stores 32, global_store_bytes 128, global_store_requests 1, global_store_sectors 4, left_bytes 128
// expect kernel: shuffles<double>
//   launches 1, blocks 1, threads 32, warp_chain 7000,
//   global_stores 32, global_store_bytes 128, global_store_requests 1, global_store_sectors 4, left_bytes 128
// expect kernel: ballots
//   launches 1, blocks 1, threads 32, warp_chain 4000,
//   global_stores 32, global_store_bytes 128, global_store_requests 1, global_store_sectors 4, left_bytes 128
// expect kernel: matches
//   launches 1, blocks 1, threads 32, warp_chain 8000,
//   global_stores 32, global_store_bytes 128, global_store_requests 1, global_store_sectors 4, left_bytes 128
#include "check.cuh"

template <typename T>
__global__ void shuffles(float* ys, int trips) {
  T value = static_cast<T>(threadIdx.x);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) value = __shfl_sync(~0u, value, 3);
  ys[threadIdx.x] = static_cast<float>(value);
}

/// An instruction more makes a condition of what the one before says.
__global__ void ballots(float* ys, int trips) {
  unsigned lanes = 1;
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) lanes = __ballot_sync(~0u, (lanes & 1) != 0);
  ys[threadIdx.x] = static_cast<float>(lanes);
}

/// An instruction more makes 64 bits of what the one before says.
__global__ void matches(float* ys, int trips) {
  unsigned long long lanes = threadIdx.x % 2;
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) lanes = __match_any_sync(~0u, lanes);
  ys[threadIdx.x] = static_cast<float>(lanes);
}

int main() {
  const int trips = 1000;
  const DeviceArray<float> ys(32);

  cuda_emulation_begin_entry();
  shuffles<float><<<1, 32>>>(ys.data(), trips);
  shuffles<double><<<1, 32>>>(ys.data(), trips);
  ballots<<<1, 32>>>(ys.data(), trips);
  matches<<<1, 32>>>(ys.data(), trips);
  cuda_emulation_end_entry();

  expect(ys.to_host()[0] == 1431655765.0f, "ys[0]");
}
