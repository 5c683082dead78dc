// A histogram privatised in shared memory, its weighted variant, and the number of values
// that fall outside, counted with a ballot.
#include "check.cuh"

__global__ void histogram(int n, int bins, const int* __restrict__ values,
                          const float* __restrict__ weights, unsigned* __restrict__ counts,
                          float* __restrict__ weight_sums,
                          unsigned long long* __restrict__ outside) {
  // One allocation, split in two: `bins` counts, then `bins` sums.
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  unsigned* const block_counts = reinterpret_cast<unsigned*>(shared_bytes);
  float* const block_sums = reinterpret_cast<float*>(block_counts + bins);
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    block_counts[bin] = 0;
    block_sums[bin] = 0.0f;
  }
  __syncthreads();

  const int step = gridDim.x * blockDim.x;
  // All lanes of a warp make the same number of steps, as the ballot needs.
  for (int first = blockIdx.x * blockDim.x; first < n; first += step) {
    const int i = first + threadIdx.x;
    const bool inside = i < n && values[i] >= 0 && values[i] < bins;
    if (inside) {
      atomicAdd(&block_counts[values[i]], 1u);
      atomicAdd(&block_sums[values[i]], weights[i]);
    }
    const unsigned outside_lanes = __ballot_sync(0xffffffffu, i < n && !inside);
    if (threadIdx.x % warpSize == 0 && outside_lanes != 0)
      atomicAdd(outside, static_cast<unsigned long long>(__popc(outside_lanes)));
  }
  __syncthreads();

  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    if (block_counts[bin] == 0) continue;
    atomicAdd(&counts[bin], block_counts[bin]);
    atomicAdd(&weight_sums[bin], block_sums[bin]);
  }
}

int main() {
  const int n = 20000, bins = 8000;
  std::vector<int> values(n);
  std::vector<float> weights(n);
  std::vector<unsigned> expected_counts(bins, 0);
  std::vector<double> expected_sums(bins, 0.0);
  unsigned long long expected_outside = 0;
  for (int i = 0; i < n; ++i) {
    values[i] = static_cast<int>((i / 3 * 2654435761ull) % (bins + 300)) - 100;
    weights[i] = static_cast<float>(i % 13) * 0.5f;
    if (values[i] < 0 || values[i] >= bins) {
      ++expected_outside;
    } else {
      ++expected_counts[values[i]];
      expected_sums[values[i]] += weights[i];
    }
  }
  DeviceArray<int> device_values(values);
  DeviceArray<float> device_weights(weights), device_sums(bins);
  DeviceArray<unsigned> device_counts(bins);
  DeviceArray<unsigned long long> device_outside(1);
  cuda_check(cudaMemset(device_counts.data(), 0, bins * sizeof(unsigned)), "cudaMemset");
  cuda_check(cudaMemset(device_sums.data(), 0, bins * sizeof(float)), "cudaMemset");
  cuda_check(cudaMemset(device_outside.data(), 0, sizeof(unsigned long long)), "cudaMemset");

  int device = 0, multiprocessors = 0, blocks_each = 0;
  const int threads = 256;
  const size_t shared_bytes = bins * (sizeof(unsigned) + sizeof(float));  // over 48 KiB
  cuda_check(cudaGetDevice(&device), "cudaGetDevice");
  cuda_check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
             "cudaDeviceGetAttribute");
  cuda_check(cudaFuncSetAttribute(histogram, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(shared_bytes)),
             "cudaFuncSetAttribute");
  cuda_check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, histogram, threads, shared_bytes),
      "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  histogram<<<multiprocessors * blocks_each, threads, shared_bytes>>>(
      n, bins, device_values.data(), device_weights.data(), device_counts.data(),
      device_sums.data(), device_outside.data());
  cuda_check(cudaGetLastError(), "histogram");
  cuda_check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");

  expect(device_counts.to_host() == expected_counts, "counts");
  expect(device_outside.to_host()[0] == expected_outside, "outside");
  const std::vector<float> sums = device_sums.to_host();
  for (int bin = 0; bin < bins; ++bin) expect(close_to(sums[bin], expected_sums[bin]), "sums");
  std::puts("histogram: ok");
}
