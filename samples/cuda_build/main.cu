// Finds three clusters of points by gradient descent: a program with kernels of its own, which calls the gradient in kmeans.cu.
#include "kmeans.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    if (const cudaError_t error = (call)) {                                               \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (false)

namespace {

constexpr int n = 600, k = 3, d = 2;
constexpr float blobs[k][d] = {{0.0f, 0.0f}, {4.0f, 1.0f}, {1.0f, 5.0f}};

/// A number between -1 and 1 that depends on i as if by chance.
float scattered(int i) {
  return static_cast<float>(std::fmod(std::fabs(std::sin(i * 12.9898) * 43758.5453), 2.0) - 1.0);
}

__global__ void descend(float* centres, const float* gradient, float rate, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) centres[i] -= rate * gradient[i];
}

template <typename T>
T* on_device(const std::vector<T>& values) {
  T* memory = nullptr;
  CHECK(cudaMalloc(&memory, values.size() * sizeof(T)));
  CHECK(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

}  // namespace

int main() {
  std::vector<float> points;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < d; ++j) points.push_back(blobs[i % k][j] + scattered(d * i + j));
  std::vector<float> centres(points.begin(),
                             points.begin() + k * d);  // one of each cluster, to begin with

  float* const device_points = on_device(points);
  float* const device_centres = on_device(centres);
  float* const gradient = on_device(centres);
  std::size_t bytes = 0;
  CHECK(kmeans::cost_gradient_scratch(&bytes, n, k, d));
  void* scratch = nullptr;
  CHECK(cudaMalloc(&scratch, bytes));
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));

  for (int step = 0; step < 40; ++step) {
    CHECK(kmeans::cost_gradient(gradient, device_points, device_centres, n, k, d, scratch, bytes,
                                stream));
    descend<<<1, 64, 0, stream>>>(device_centres, gradient, 0.5f / n, k * d);
    CHECK(cudaGetLastError());
  }

  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(centres.data(), device_centres, centres.size() * sizeof(float),
                   cudaMemcpyDeviceToHost));
  for (int i = 0; i < k; ++i)
    std::printf("centre %d: %.2f %.2f\n", i, centres[i * d], centres[i * d + 1]);
  CHECK(cudaStreamDestroy(stream));
  for (void* const memory : {static_cast<void*>(device_points), static_cast<void*>(device_centres),
                             static_cast<void*>(gradient), scratch})
    CHECK(cudaFree(memory));
}
