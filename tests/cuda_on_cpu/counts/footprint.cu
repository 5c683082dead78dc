// What is asked for again: by threads of the same block, by other blocks, by other launches; and what the
// launch has stored itself, which need not come from memory.
//
// expect kernel: sum_all
//   launches 2, blocks 8, threads 256, f32_operations 16384,
//   global_loads 16384, global_load_bytes 65536, global_load_requests 512, global_load_sectors 512,
//   global_stores 256, global_store_bytes 1024, global_store_requests 8, global_store_sectors 32,
//   block_needed_bytes 2048, needed_bytes 512, left_bytes 1024, common_bytes 512
// expect kernel: store_and_load
//   launches 1, blocks 2, threads 128, barriers 2,
//   global_loads 128, global_load_bytes 512, global_load_requests 4, global_load_sectors 16,
//   global_stores 256, global_store_bytes 1024, global_store_requests 8, global_store_sectors 32,
//   left_bytes 512
#include "check.cuh"

constexpr int n = 64;

__global__ void sum_all(float* __restrict__ ys, const float* xs) {
  float sum = 0.0f;
  for (int j = 0; j < n; ++j) sum += xs[j];
  ys[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void store_and_load(float* ys) {
  const int begin = static_cast<int>(blockIdx.x) * n, i = static_cast<int>(threadIdx.x);
  ys[begin + i] = static_cast<float>(i);
  __syncthreads();
  const float other = ys[begin + n - 1 - i];
  ys[begin + i] = other;
}

int main() {
  const DeviceArray<float> xs(std::vector<float>(n, 0.5f)), ys(2 * n);

  cuda_emulation_begin_entry();
  for (int time = 0; time < 2; ++time) sum_all<<<4, 32>>>(ys.data(), xs.data());
  store_and_load<<<2, n>>>(ys.data());
  cuda_emulation_end_entry();

  expect(ys.to_host()[0] != -1.0f, "ys[0]");
}
