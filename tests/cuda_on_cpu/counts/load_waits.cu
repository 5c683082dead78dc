// A warp of 16 threads reads 8 elements for each of them: one after the other, all at once, or each where another one says.
//
// expect kernel: one_by_one
//   launches 1, blocks 1, threads 16, warp_load_waits 8,
//   global_loads 128, global_load_bytes 512, global_load_requests 8, global_load_sectors 16,
//   global_stores 16, global_store_bytes 64, global_store_requests 1, global_store_sectors 2,
//   block_needed_bytes 512, needed_bytes 512, left_bytes 64, f32_operations 128
// expect kernel: four_at_once
//   launches 1, blocks 1, threads 16, warp_load_waits 2,
//   global_loads 128, global_load_bytes 512, global_load_requests 8, global_load_sectors 16,
//   global_stores 16, global_store_bytes 64, global_store_requests 1, global_store_sectors 2,
//   block_needed_bytes 512, needed_bytes 512, left_bytes 64, f32_operations 128
// expect kernel: where_another_says
//   launches 1, blocks 1, threads 16, warp_load_waits 16,
//   global_loads 256, global_load_bytes 1024, global_load_requests 16, global_load_sectors 32,
//   global_stores 16, global_store_bytes 64, global_store_requests 1, global_store_sectors 2,
//   block_needed_bytes 1024, needed_bytes 1024, left_bytes 64, f32_operations 128
#include "check.cuh"

__global__ void one_by_one(float* __restrict__ sums, const float* __restrict__ xs, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += xs[i * 16 + threadIdx.x];
  sums[threadIdx.x] = sum;
}

__global__ void four_at_once(float* __restrict__ sums, const float* __restrict__ xs, int n) {
  float sum = 0;
  for (int i = 0; i < n; i += 4) {
#pragma unroll
    for (int j = 0; j < 4; ++j) sum += xs[(i + j) * 16 + threadIdx.x];
  }
  sums[threadIdx.x] = sum;
}

__global__ void where_another_says(float* __restrict__ sums, const float* __restrict__ xs, const int* __restrict__ places, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += xs[places[i * 16 + threadIdx.x]];
  sums[threadIdx.x] = sum;
}

int main() {
  const int n = 8;
  std::vector<int> host_places(n * 16);
  for (int i = 0; i < n * 16; ++i) host_places[static_cast<std::size_t>(i)] = i;
  const DeviceArray<float> xs(std::vector<float>(n * 16, 0.5f)), sums(16);
  const DeviceArray<int> places(host_places);

  cuda_emulation_begin_entry();
  one_by_one<<<1, 16>>>(sums.data(), xs.data(), n);
  four_at_once<<<1, 16>>>(sums.data(), xs.data(), n);
  where_another_says<<<1, 16>>>(sums.data(), xs.data(), places.data(), n);
  cuda_emulation_end_entry();

  expect(sums.to_host()[15] == 4.0f, "sums[15]");
}
