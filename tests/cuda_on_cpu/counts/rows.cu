// A thread sums a row: what it adds up stays in a register. Rows of 7 doubles have 56 bytes, so each
// thread has a sector of its own whenever a warp reads its rows.
//
// expect kernel: sum_rows
//   launches 1, blocks 3, threads 24,
//   global_loads 140, global_load_bytes 1120, global_load_requests 21, global_load_sectors 140,
//   global_stores 20, global_store_bytes 160, global_store_requests 3, global_store_sectors 5,
//   block_needed_bytes 1120, needed_bytes 1120, left_bytes 160, f64_operations 140
// expect kernel: reorder_rows
//   launches 1, blocks 1, threads 20,
//   global_loads 280, global_load_bytes 1680, global_load_requests 14, global_load_sectors 147,
//   global_stores 140, global_store_bytes 1120, global_store_requests 7, global_store_sectors 140,
//   local_loads 140, local_load_bytes 1120, local_stores 140, local_store_bytes 1120,
//   block_needed_bytes 1152, needed_bytes 1152, left_bytes 1120
#include "check.cuh"

__global__ void sum_rows(double* __restrict__ sums, const double* __restrict__ xss, int n, int m) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  double sum = 0;
  for (int j = 0; j < m; ++j) sum += xss[i * m + j];
  sums[i] = sum;
}

// Indices of the thread's own array are known at run time only, so it lies in memory.
__global__ void reorder_rows(double* __restrict__ yss, const double* __restrict__ xss,
                             const int* __restrict__ order, int m) {
  double row[8];
  for (int j = 0; j < m; ++j) row[j] = xss[threadIdx.x * m + j];
  for (int j = 0; j < m; ++j) yss[threadIdx.x * m + j] = row[order[j]];
}

int main() {
  const int n = 20, m = 7;
  const DeviceArray<double> xss(std::vector<double>(n * m, 0.5)), yss(n * m), sums(n);
  std::vector<int> host_order = {3, 4, 5, 6, 0, 1, 2};
  const DeviceArray<int> order(host_order);

  cuda_emulation_begin_entry();
  sum_rows<<<3, 8>>>(sums.data(), xss.data(), n, m);
  reorder_rows<<<1, n>>>(yss.data(), xss.data(), order.data(), m);
  cuda_emulation_end_entry();

  expect(sums.to_host()[n - 1] == 3.5 && yss.to_host()[n * m - 1] == 0.5, "sums and yss");
}
