// The linear recurrence y[i] = decay[i] * y[i-1] + input[i] as a scan with a custom, not
// commutative operator; then a histogram-like sort and segmented sums, all in one host
// function of several kernels and CUB calls with stream-ordered allocations.
#include <cub/cub.cuh>

#include "check.cuh"

// The map y -> scale * y + shift.
struct Affine {
  float scale, shift;
};

// First `a`, then `b`.
struct ComposeAffine {
  __host__ __device__ __forceinline__ Affine operator()(const Affine& a, const Affine& b) const {
    return {a.scale * b.scale, fmaf(b.scale, a.shift, b.shift)};
  }
};

__global__ void __launch_bounds__(256)
    make_steps(int n, const float* __restrict__ decay, const float* __restrict__ input,
               Affine* __restrict__ steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) steps[i] = {decay[i], input[i]};
}

__global__ void __launch_bounds__(256)
    apply_steps(int n, float start, const Affine* __restrict__ steps, float* __restrict__ y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaf(steps[i].scale, start, steps[i].shift);
}

#define RETURN_IF_ERROR(call)                 \
  do {                                        \
    const cudaError_t error_ = (call);        \
    if (error_ != cudaSuccess) return error_; \
  } while (false)

cudaError_t linear_recurrence(int n, float start, const float* decay, const float* input, float* y,
                              cudaStream_t stream) {
  if (n == 0) return cudaSuccess;
  const int threads = 256;
  const int blocks = (n + threads - 1) / threads;

  Affine* steps = nullptr;
  RETURN_IF_ERROR(cudaMallocAsync(&steps, n * sizeof(Affine), stream));
  make_steps<<<blocks, threads, 0, stream>>>(n, decay, input, steps);
  RETURN_IF_ERROR(cudaGetLastError());

  size_t temp_bytes = 0;
  RETURN_IF_ERROR(cub::DeviceScan::InclusiveScan(nullptr, temp_bytes, steps, steps, ComposeAffine{},
                                                 n, stream));
  void* temp = nullptr;
  RETURN_IF_ERROR(cudaMallocAsync(&temp, temp_bytes, stream));
  RETURN_IF_ERROR(
      cub::DeviceScan::InclusiveScan(temp, temp_bytes, steps, steps, ComposeAffine{}, n, stream));

  apply_steps<<<blocks, threads, 0, stream>>>(n, start, steps, y);
  RETURN_IF_ERROR(cudaGetLastError());
  RETURN_IF_ERROR(cudaFreeAsync(temp, stream));
  return cudaFreeAsync(steps, stream);
}

// Calls a two-phase CUB algorithm with temporary storage of the size that it asks for.
template <typename Call>
cudaError_t with_temporary_storage(cudaStream_t stream, Call call) {
  size_t bytes = 0;
  RETURN_IF_ERROR(call(nullptr, bytes));
  void* temp = nullptr;
  RETURN_IF_ERROR(cudaMallocAsync(&temp, bytes, stream));
  RETURN_IF_ERROR(call(temp, bytes));
  return cudaFreeAsync(temp, stream);
}

// Block-wide: where each flagged element goes, and how many there are (stream compaction).
template <int kThreads>
__global__ void __launch_bounds__(kThreads)
    compact_positive(int n, const float* __restrict__ values, float* __restrict__ kept,
                     int* __restrict__ kept_count) {
  using BlockScan = cub::BlockScan<int, kThreads>;
  __shared__ typename BlockScan::TempStorage scan_storage;
  __shared__ int block_start;
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int flag = i < n && values[i] > 0.0f ? 1 : 0;
  int position = 0, block_total = 0;
  BlockScan(scan_storage).ExclusiveSum(flag, position, block_total);
  if (threadIdx.x == 0) block_start = atomicAdd(kept_count, block_total);
  __syncthreads();
  if (flag) kept[block_start + position] = values[i];
}

int main() {
  cudaStream_t stream;
  cuda_check(cudaStreamCreate(&stream), "cudaStreamCreate");

  const int n = 3001;
  std::vector<float> decay(n), input(n);
  for (int i = 0; i < n; ++i) {
    decay[i] = 0.5f + 0.4f * static_cast<float>(i % 10) / 10.0f;
    input[i] = static_cast<float>(i % 17) - 8.0f;
  }
  DeviceArray<float> device_decay(decay), device_input(input), device_y(n);
  cuda_check(
      linear_recurrence(n, 3.0f, device_decay.data(), device_input.data(), device_y.data(), stream),
      "linear_recurrence");
  cuda_check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  const std::vector<float> y = device_y.to_host();
  double expected = 3.0;
  for (int i = 0; i < n; ++i) {
    expected = decay[i] * expected + input[i];
    expect(close_to(y[i], expected, 1e-4), "linear_recurrence");
  }

  // A stable sort by key.
  std::vector<int> keys(n), order(n);
  for (int i = 0; i < n; ++i) {
    keys[i] = (i * 37) % 101 - 50;
    order[i] = i;
  }
  DeviceArray<int> device_keys(keys), device_order(order), sorted_keys(n), sorted_order(n);
  cuda_check(with_temporary_storage(stream,
                                    [&](void* temp, size_t& bytes) {
                                      return cub::DeviceRadixSort::SortPairs(
                                          temp, bytes, device_keys.data(), sorted_keys.data(),
                                          device_order.data(), sorted_order.data(), n, 0, 32,
                                          stream);
                                    }),
             "SortPairs");
  const std::vector<int> host_keys = sorted_keys.to_host(), host_order = sorted_order.to_host();
  for (int i = 0; i < n; ++i) {
    expect(host_keys[i] == keys[host_order[i]], "sorted keys");
    if (i > 0)
      expect(host_keys[i - 1] < host_keys[i] ||
                 (host_keys[i - 1] == host_keys[i] && host_order[i - 1] < host_order[i]),
             "sorted order");
  }

  // Sums over segments, and the sum, minimum and so on over all.
  std::vector<int> offsets = {0, 10, 10, 500, n};
  DeviceArray<int> device_offsets(offsets);
  DeviceArray<float> segment_sums(4), total(1), smallest(1);
  DeviceArray<Affine> steps(n);
  make_steps<<<(n + 255) / 256, 256, 0, stream>>>(n, device_decay.data(), device_input.data(),
                                                  steps.data());
  cuda_check(cudaGetLastError(), "make_steps");
  cuda_check(with_temporary_storage(stream,
                                    [&](void* temp, size_t& bytes) {
                                      return cub::DeviceSegmentedReduce::Sum(
                                          temp, bytes, device_input.data(), segment_sums.data(), 4,
                                          device_offsets.data(), device_offsets.data() + 1, stream);
                                    }),
             "DeviceSegmentedReduce::Sum");
  cuda_check(with_temporary_storage(stream,
                                    [&](void* temp, size_t& bytes) {
                                      return cub::DeviceReduce::Sum(temp, bytes,
                                                                    device_input.data(),
                                                                    total.data(), n, stream);
                                    }),
             "DeviceReduce::Sum");
  cuda_check(with_temporary_storage(stream,
                                    [&](void* temp, size_t& bytes) {
                                      return cub::DeviceReduce::Min(temp, bytes,
                                                                    device_input.data(),
                                                                    smallest.data(), n, stream);
                                    }),
             "DeviceReduce::Min");
  const std::vector<float> sums = segment_sums.to_host();
  double all = 0.0;
  for (int segment = 0; segment < 4; ++segment) {
    double sum = 0.0;
    for (int i = offsets[segment]; i < offsets[segment + 1]; ++i) sum += input[i];
    expect(close_to(sums[segment], sum), "segment sums");
    all += sum;
  }
  expect(close_to(total.to_host()[0], all), "total");
  expect(smallest.to_host()[0] == -8.0f, "smallest");

  DeviceArray<float> kept(n);
  DeviceArray<int> kept_count(std::vector<int>{0});
  compact_positive<128>
      <<<(n + 127) / 128, 128, 0, stream>>>(n, device_input.data(), kept.data(), kept_count.data());
  cuda_check(cudaGetLastError(), "compact_positive");
  int expected_count = 0;
  for (const float value : input) expected_count += value > 0.0f;
  expect(kept_count.to_host()[0] == expected_count, "kept_count");

  cuda_check(cudaStreamDestroy(stream), "cudaStreamDestroy");
  std::puts("scan_operator: ok");
}
