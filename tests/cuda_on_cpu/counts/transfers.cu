// A loop of the host that looks at the device after each step, and copies of all kinds.
//
// expect copy: copy to the device
//   launches 1, global_store_bytes 40,
//   left_bytes 40
// expect fill: fill
//   launches 1, global_store_bytes 8,
//   left_bytes 8
// expect kernel: step
//   launches 5, blocks 5, threads 50,
//   global_loads 50, global_load_bytes 200, global_load_requests 5, global_load_sectors 10,
//   global_stores 55, global_store_bytes 240, global_store_requests 10, global_store_sectors 15,
//   block_needed_bytes 320, needed_bytes 320, left_bytes 480, f32_operations 50
// expect copy: copy on the device
//   launches 5, global_load_bytes 200, global_store_bytes 200,
//   needed_bytes 200, left_bytes 200
// expect copy: copy to the host
//   launches 5, global_load_bytes 40,
//   needed_bytes 40
// expect wait: wait for the stream
//   waits 5
#include "check.cuh"

__global__ void step(float* __restrict__ ys, const float* __restrict__ xs, long long* steps,
                     long long number) {
  ys[threadIdx.x] = 2.0f * xs[threadIdx.x];
  if (threadIdx.x == 0) *steps = number;
}

int main() {
  const std::vector<float> ones(10, 1.0f);
  const DeviceArray<float> xs(10), ys(10);
  const DeviceArray<long long> steps(1);
  long long done = 0;

  cuda_emulation_begin_entry();
  cuda_check(cudaMemcpy(xs.data(), ones.data(), 40, cudaMemcpyHostToDevice), "cudaMemcpy");
  cuda_check(cudaMemsetAsync(steps.data(), 0, 8, nullptr), "cudaMemsetAsync");
  while (done < 5) {
    step<<<1, 10>>>(ys.data(), xs.data(), steps.data(), done + 1);
    cuda_check(cudaMemcpyAsync(xs.data(), ys.data(), 40, cudaMemcpyDeviceToDevice, nullptr),
               "copy");
    cuda_check(cudaMemcpyAsync(&done, steps.data(), 8, cudaMemcpyDeviceToHost, nullptr), "copy");
    cuda_check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  }
  cuda_emulation_end_entry();

  expect(xs.to_host()[9] == 32.0f, "xs[9]");
}
