// Rows are staged in shared memory, so that threads which read a row each load neighbouring elements
// together.
#pragma once

/// Copies `rows` contiguous rows of `width` elements to shared memory, `pitch` elements apart. All
/// threads of the block must call it, and synchronise before they read: neighbouring threads load
/// neighbouring elements, and each has several loads in flight.
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
