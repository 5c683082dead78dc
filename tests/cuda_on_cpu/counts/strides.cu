// A warp asks for 32 floats: next to each other, with gaps, or all for the same one. With a stride of s it
// meets s times as many sectors, until each float has its own.
//
// expect kernel: gather<1>
//   launches 1, blocks 2, threads 64, active_lanes 32,
//   global_loads 64, global_load_bytes 256, global_load_requests 2, global_load_sectors 8,
//   global_stores 64, global_store_bytes 256, global_store_requests 2, global_store_sectors 8,
//   block_needed_bytes 256, needed_bytes 256, left_bytes 256
// expect kernel: gather<2>
//   launches 1, blocks 2, threads 64, active_lanes 32,
//   global_loads 64, global_load_bytes 256, global_load_requests 2, global_load_sectors 16,
//   global_stores 64, global_store_bytes 256, global_store_requests 2, global_store_sectors 8,
//   block_needed_bytes 512, needed_bytes 512, left_bytes 256
// expect kernel: gather<5>
//   launches 1, blocks 2, threads 64, active_lanes 32,
//   global_loads 64, global_load_bytes 256, global_load_requests 2, global_load_sectors 40,
//   global_stores 64, global_store_bytes 256, global_store_requests 2, global_store_sectors 8,
//   block_needed_bytes 1280, needed_bytes 1280, left_bytes 256
// expect kernel: gather<32>
//   launches 1, blocks 2, threads 64, active_lanes 32,
//   global_loads 64, global_load_bytes 256, global_load_requests 2, global_load_sectors 64,
//   global_stores 64, global_store_bytes 256, global_store_requests 2, global_store_sectors 8,
//   block_needed_bytes 2048, needed_bytes 2048, left_bytes 256
// expect kernel: gather<0>
//   launches 1, blocks 2, threads 64, active_lanes 32,
//   global_loads 64, global_load_bytes 256, global_load_requests 2, global_load_sectors 2,
//   global_stores 64, global_store_bytes 256, global_store_requests 2, global_store_sectors 8,
//   block_needed_bytes 64, needed_bytes 32, left_bytes 256, common_bytes 32
#include "check.cuh"

template <int stride>
__global__ void gather(float* __restrict__ ys, const float* __restrict__ xs) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  ys[i] = xs[i * stride];
}

int main() {
  const int n = 64;
  const DeviceArray<float> xs(std::vector<float>(n * 32, 3.0f)), ys(n);

  cuda_emulation_begin_entry();
  gather<1><<<2, 32>>>(ys.data(), xs.data());
  gather<2><<<2, 32>>>(ys.data(), xs.data());
  gather<5><<<2, 32>>>(ys.data(), xs.data());
  gather<32><<<2, 32>>>(ys.data(), xs.data());
  gather<0><<<2, 32>>>(ys.data(), xs.data());
  cuda_emulation_end_entry();

  expect(ys.to_host()[63] == 3.0f, "ys[63]");
}
