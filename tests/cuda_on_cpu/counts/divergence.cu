// Lanes of a warp that go different ways, or round a loop more or less often. The loops are so long that
// what stands around them does not matter for how many lanes are active; each trip is one fused operation.
//
// expect kernel: all_lanes
//   launches 1, blocks 1, threads 64, active_lanes 32, f32_operations 64000, f32_fused 64000,
//   global_stores 64, global_store_bytes 256, global_store_requests 2, global_store_sectors 8, left_bytes 256
// expect kernel: half_of_the_lanes
//   launches 1, blocks 1, threads 64, active_lanes 16, f32_operations 32000, f32_fused 32000,
//   global_stores 64, global_store_bytes 256, global_store_requests 2, global_store_sectors 8, left_bytes 256
// expect kernel: one_of_the_warps
//   launches 1, blocks 1, threads 64, active_lanes 32, f32_operations 32000, f32_fused 32000,
//   global_stores 64, global_store_bytes 256, global_store_requests 2, global_store_sectors 8, left_bytes 256
// expect kernel: two_ways
//   launches 1, blocks 1, threads 64, active_lanes 16, f32_operations 64000, f32_fused 64000,
//   global_stores 64, global_store_bytes 256, global_store_requests 2, global_store_sectors 8, left_bytes 256
// expect kernel: more_and_more_trips
//   launches 1, blocks 1, threads 64, active_lanes 16, f32_operations 992000, f32_fused 992000,
//   global_stores 64, global_store_bytes 256, global_store_requests 2, global_store_sectors 8, left_bytes 256
// expect kernel: one_lane
//   launches 1, blocks 1, threads 64, active_lanes 1, f32_operations 1000, f32_fused 1000,
//   global_stores 1, global_store_bytes 4, global_store_requests 1, global_store_sectors 1, left_bytes 32
// expect kernel: lanes_in_turn
//   launches 1, blocks 1, threads 32, active_lanes 1, f32_operations 32000, f32_fused 32000, barriers 32,
//   global_stores 32, global_store_bytes 128, global_store_requests 1, global_store_sectors 4, left_bytes 128
#include "check.cuh"

__device__ float iterate(float x, int trips) {
  for (int trip = 0; trip < trips; ++trip) x = x * 0.5f + 1.0f;
  return x;
}

__global__ void all_lanes(float* ys, int trips) { ys[threadIdx.x] = iterate(0.0f, trips); }

__global__ void half_of_the_lanes(float* ys, int trips) {
  ys[threadIdx.x] = iterate(0.0f, threadIdx.x % 32 < 16 ? trips : 0);
}

__global__ void one_of_the_warps(float* ys, int trips) {
  ys[threadIdx.x] = iterate(0.0f, threadIdx.x < 32 ? trips : 0);
}

__global__ void two_ways(float* ys, int trips) {
  float x = 0.0f;
  if (threadIdx.x % 2 == 0) {
    for (int trip = 0; trip < trips; ++trip) x = x * 0.25f + 1.5f;
  } else {
    for (int trip = trips; trip > 0; --trip) x = x * 0.5f - 1.0f;
  }
  ys[threadIdx.x] = x;
}

// Lane l makes l times as many: 0 + .. + 31 = 16 * 31 in the time of 31.
__global__ void more_and_more_trips(float* ys, int trips) {
  ys[threadIdx.x] = iterate(0.0f, static_cast<int>(threadIdx.x) % 32 * trips);
}

__global__ void one_lane(float* ys, int trips) {
  if (threadIdx.x == 7) ys[7] = iterate(0.0f, trips);
}

// Barriers keep them apart, so a warp runs the loop 32 times.
__global__ void lanes_in_turn(float* ys, int trips) {
  float x = 0.0f;
  for (int turn = 0; turn < 32; ++turn) {
    if (static_cast<int>(threadIdx.x) == turn) x = iterate(0.0f, trips);
    __syncthreads();
  }
  ys[threadIdx.x] = x;
}

int main() {
  const int trips = 1000;
  const DeviceArray<float> ys(64);

  cuda_emulation_begin_entry();
  all_lanes<<<1, 64>>>(ys.data(), trips);
  half_of_the_lanes<<<1, 64>>>(ys.data(), trips);
  one_of_the_warps<<<1, 64>>>(ys.data(), trips);
  two_ways<<<1, 64>>>(ys.data(), trips);
  more_and_more_trips<<<1, 64>>>(ys.data(), trips);
  one_lane<<<1, 64>>>(ys.data(), trips);
  lanes_in_turn<<<1, 32>>>(ys.data(), trips);
  cuda_emulation_end_entry();

  expect(ys.to_host()[0] == 2.0f, "ys[0]");
}
