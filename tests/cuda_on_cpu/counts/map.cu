// One thread an element; only four threads of the last block have one. It runs twice. A warp that has 32
// floats in a row asks for 4 sectors of 32 bytes, for 25 quadruples of floats it asks for 13.
//
// expect kernel: scale_and_add
//   launches 2, blocks 8, threads 256,
//   global_loads 400, global_load_bytes 1600, global_load_requests 16, global_load_sectors 52,
//   global_stores 200, global_store_bytes 800, global_store_requests 8, global_store_sectors 26,
//   block_needed_bytes 1664, needed_bytes 1664, left_bytes 832, f32_operations 200, f32_fused 200
// expect kernel: copy_quadruples
//   launches 1, blocks 1, threads 25,
//   global_loads 25, global_load_bytes 400, global_load_requests 1, global_load_sectors 13,
//   global_stores 25, global_store_bytes 400, global_store_requests 1, global_store_sectors 13,
//   block_needed_bytes 416, needed_bytes 416, left_bytes 416
#include "check.cuh"

__global__ void scale_and_add(float* __restrict__ ys, const float* __restrict__ xs, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) ys[i] += 2.0f * xs[i];
}

__global__ void copy_quadruples(float4* __restrict__ ys, const float4* __restrict__ xs) {
  ys[threadIdx.x] = xs[threadIdx.x];
}

int main() {
  const int n = 100;
  const DeviceArray<float> xs(std::vector<float>(n, 3.0f)), ys(std::vector<float>(n, 1.0f));
  const DeviceArray<float4> quadruples(n / 4);

  cuda_emulation_begin_entry();
  for (int time = 0; time < 2; ++time) scale_and_add<<<4, 32>>>(ys.data(), xs.data(), n);
  copy_quadruples<<<1, n / 4>>>(quadruples.data(), reinterpret_cast<const float4*>(ys.data()));
  cuda_emulation_end_entry();

  expect(quadruples.to_host()[24].w == 13.0f, "ys[99]");
}
