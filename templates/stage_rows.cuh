// What the threads of a block read one behind the other comes to shared memory as neighbours read it.
#pragma once

/// Copies so many rows of `width` elements, one behind the other, to places `pitch` elements apart.
/// All threads of the block come here; neighbours take neighbouring elements, each thread several
/// at a time, which it need not wait for one by one.
template <typename T>
__device__ void stage_rows(T* staged, const T* elements, int rows, int width, int pitch) {
  if (width == 0) return;
  constexpr int at_a_time = 8;
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const int end = rows * width;
  int row = thread / width, column = thread % width;
  for (int first = thread; first < end; first += at_a_time * threads) {
    T loaded[at_a_time];
#pragma unroll
    for (int k = 0; k < at_a_time; ++k) loaded[k] = elements[min(first + k * threads, end - 1)];
#pragma unroll
    for (int k = 0; k < at_a_time; ++k) {
      if (first + k * threads < end) staged[row * pitch + column] = loaded[k];
      row += threads / width;
      column += threads % width;
      if (column >= width) {
        column -= width;
        ++row;
      }
    }
  }
}
