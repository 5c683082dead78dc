// A product of matrices by the lanes of a warp, on tensor cores: which elements and results each lane has, and that it counts as one
// instruction for each half, which take as long as seven together (another takes a result from the two of a half), and as sixteen
// multiplications with an addition for each lane.
//
// expect kernel: multiply
//   launches 1, blocks 1, threads 32, f64_tensor_operations 512000, warp_chain 8000,
//   global_loads 96, global_load_bytes 768, global_load_requests 3, global_load_sectors 24,
//   global_stores 128, global_store_bytes 1024, global_store_requests 4, global_store_sectors 64, block_needed_bytes 768, needed_bytes 768, left_bytes 1024
#include "check.cuh"

/// Adds x y to zs, `trips` times. x is 16 x 4, y 4 x 8, all row by row.
__global__ void multiply(double* zs, const double* xs, const double* ys, int trips) {
  const int lane = threadIdx.x, row = lane / 4, column = lane % 4;
  const double x = xs[row * 4 + column], below = xs[(row + 8) * 4 + column], y = ys[column * 8 + row];
  double first = 0, second = 0, third = 0, fourth = 0;
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(first), "+d"(second), "+d"(third), "+d"(fourth)
        : "d"(x), "d"(below), "d"(y));
  }
  zs[row * 8 + column * 2] = first;
  zs[row * 8 + column * 2 + 1] = second;
  zs[(row + 8) * 8 + column * 2] = third;
  zs[(row + 8) * 8 + column * 2 + 1] = fourth;
}

int main() {
  const int trips = 1000;
  std::vector<double> xs(64), ys(32);
  for (int i = 0; i < 64; ++i) xs[i] = i * i % 7;
  for (int i = 0; i < 32; ++i) ys[i] = i * i % 11 - 3;
  const DeviceArray<double> on_device_x(xs), on_device_y(ys), zs(128);

  cuda_emulation_begin_entry();
  multiply<<<1, 32>>>(zs.data(), on_device_x.data(), on_device_y.data(), trips);
  cuda_emulation_end_entry();

  const std::vector<double> found = zs.to_host();
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 8; ++j) {
      double sum = 0;
      for (int l = 0; l < 4; ++l) sum += xs[i * 4 + l] * ys[l * 8 + j];
      expect(found[i * 8 + j] == sum * trips, "a result");
    }
  }
}
