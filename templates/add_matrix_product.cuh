// A product of small matrices that the lanes of a warp hold together, on tensor cores where there are any for f64.
#pragma once

/// Adds x y to results of a warp, where x has 8 x 4 elements and y 4 x 8. Lane l gives x[l / 4, l %
/// 4] and y[l % 4, l / 4], and has the results [l / 4, l % 4 * 2] and [l / 4, l % 4 * 2 + 1]:
/// mma.m8n8k4 of f64, in the PTX ISA. All lanes have to call it.
__device__ void add_matrix_product(double* results, double x, double y) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  const int lane = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x) % 32;
  for (int step = 0; step < 4; ++step) {
    const double element = __shfl_sync(0xffffffff, x, lane / 4 * 4 + step);
    results[0] += element * __shfl_sync(0xffffffff, y, lane % 4 * 8 + step);
    results[1] += element * __shfl_sync(0xffffffff, y, lane % 4 * 8 + 4 + step);
  }
#else
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(results[0]), "+d"(results[1])
      : "d"(x), "d"(y));
#endif
}
