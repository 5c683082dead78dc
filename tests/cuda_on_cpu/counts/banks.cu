// Words of shared memory that a warp asks for, so many words apart: a stride of 2 needs two passes over
// the banks, one of 32 needs 32, an odd one or the same word for all needs one.
//
// expect kernel: exchange<1>
//   launches 1, blocks 1, threads 32, barriers 1,
//   global_stores 32, global_store_bytes 128, global_store_requests 1, global_store_sectors 4, left_bytes 128,
//   shared_loads 32, shared_load_bytes 128, shared_load_requests 1,
//   shared_stores 32, shared_store_bytes 128, shared_store_requests 1,
//   shared_bytes 4096
// expect kernel: exchange<2>
//   launches 1, blocks 1, threads 32, barriers 1,
//   global_stores 32, global_store_bytes 128, global_store_requests 1, global_store_sectors 4, left_bytes 128,
//   shared_loads 32, shared_load_bytes 128, shared_load_requests 1, shared_load_conflicts 1,
//   shared_stores 32, shared_store_bytes 128, shared_store_requests 1, shared_store_conflicts 1,
//   shared_bytes 4096
// expect kernel: exchange<7>
//   launches 1, blocks 1, threads 32, barriers 1,
//   global_stores 32, global_store_bytes 128, global_store_requests 1, global_store_sectors 4, left_bytes 128,
//   shared_loads 32, shared_load_bytes 128, shared_load_requests 1,
//   shared_stores 32, shared_store_bytes 128, shared_store_requests 1,
//   shared_bytes 4096
// expect kernel: exchange<32>
//   launches 1, blocks 1, threads 32, barriers 1,
//   global_stores 32, global_store_bytes 128, global_store_requests 1, global_store_sectors 4, left_bytes 128,
//   shared_loads 32, shared_load_bytes 128, shared_load_requests 1, shared_load_conflicts 31,
//   shared_stores 32, shared_store_bytes 128, shared_store_requests 1, shared_store_conflicts 31,
//   shared_bytes 4096
// expect kernel: exchange<0>
//   launches 1, blocks 1, threads 32, barriers 1,
//   global_stores 32, global_store_bytes 128, global_store_requests 1, global_store_sectors 4, left_bytes 128,
//   shared_loads 32, shared_load_bytes 128, shared_load_requests 1,
//   shared_stores 32, shared_store_bytes 128, shared_store_requests 1,
//   shared_bytes 4096
#include "check.cuh"

template <int stride>
__global__ void exchange(int* ys) {
  __shared__ int words[32 * 32];
  const int i = static_cast<int>(threadIdx.x);
  words[i * stride] = stride == 0 ? 0 : i;
  __syncthreads();
  ys[i] = words[(31 - i) * stride];
}

int main() {
  const DeviceArray<int> ys(32);

  cuda_emulation_begin_entry();
  exchange<1><<<1, 32>>>(ys.data());
  exchange<2><<<1, 32>>>(ys.data());
  exchange<7><<<1, 32>>>(ys.data());
  exchange<32><<<1, 32>>>(ys.data());
  exchange<0><<<1, 32>>>(ys.data());
  cuda_emulation_end_entry();

  expect(ys.to_host()[0] == 0, "ys[0]");
}
