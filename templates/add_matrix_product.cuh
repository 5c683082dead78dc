// A product of two small matrices whose elements are spread over the lanes of a warp: on tensor cores where these
// support f64.
#pragma once

/// Adds the product of a 16 x 4 matrix x and a 4 x 8 matrix y to the 16 x 8 results of a warp. Lane
/// l supplies x[l / 4, l % 4] and x[l / 4 + 8, l % 4] in `x`, and y[l % 4, l / 4] in `y`; `upper`
/// points to its results [l / 4, l % 4 * 2] and the next one, `lower` to those eight rows below.
/// That is mma.m16n8k4 of f64 in the PTX ISA; compute capability 8 has mma.m8n8k4, for each half.
/// All lanes of the warp must call it.
__device__ void add_matrix_product(double* upper, double* lower, double2 x, double y) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  const int lane = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x) % 32;
  for (int step = 0; step < 4; ++step) {
    const double element = __shfl_sync(0xffffffff, x.x, lane / 4 * 4 + step);
    const double below = __shfl_sync(0xffffffff, x.y, lane / 4 * 4 + step);
    const double first = __shfl_sync(0xffffffff, y, lane % 4 * 8 + step);
    const double second = __shfl_sync(0xffffffff, y, lane % 4 * 8 + 4 + step);
    upper[0] += element * first;
    upper[1] += element * second;
    lower[0] += below * first;
    lower[1] += below * second;
  }
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(upper[0]), "+d"(upper[1])
      : "d"(x.x), "d"(y));
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(lower[0]), "+d"(lower[1])
      : "d"(x.y), "d"(y));
#else
  asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+d"(upper[0]), "+d"(upper[1]), "+d"(lower[0]), "+d"(lower[1])
      : "d"(x.x), "d"(x.y), "d"(y));
#endif
}
