// y[i] = a * x[i]^2 + sin(x[i]), and the gradient of sum(weight . y) in x and in a.
#include "check.cuh"

__device__ __forceinline__ float model(float a, float x) { return a * x * x + sinf(x); }

__global__ void __launch_bounds__(256)
    map_forward(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = model(a, x[i]);
}

// The adjoint of map_forward: d_x[i] and the sum over i of d_a.
__global__ void __launch_bounds__(256)
    map_backward(int n, float a, const float* __restrict__ x, const float* __restrict__ d_y,
                 float* __restrict__ d_x, float* __restrict__ d_a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float d_a_i = 0.0f;
  if (i < n) {
    d_x[i] = d_y[i] * (2.0f * a * x[i] + cosf(x[i]));
    d_a_i = d_y[i] * x[i] * x[i];
  }
  // Sum over the warp, then one atomic per warp.
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    d_a_i += __shfl_down_sync(0xffffffffu, d_a_i, offset);
  if (threadIdx.x % warpSize == 0) atomicAdd(d_a, d_a_i);
}

int main() {
  const int n = 10000;
  const float a = 0.75f;
  std::vector<float> x(n), d_y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = 0.001f * static_cast<float>(i % 4000) - 2.0f;
    d_y[i] = 0.5f + static_cast<float>(i % 7);
  }

  DeviceArray<float> device_x(x), device_y(n), device_d_y(d_y), device_d_x(n);
  DeviceArray<float> device_d_a(std::vector<float>{0.0f});
  const int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  map_forward<<<blocks, threads>>>(n, a, device_x.data(), device_y.data());
  cuda_check(cudaGetLastError(), "map_forward");
  map_backward<<<blocks, threads>>>(n, a, device_x.data(), device_d_y.data(), device_d_x.data(),
                                    device_d_a.data());
  cuda_check(cudaGetLastError(), "map_backward");
  cuda_check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");

  const std::vector<float> y = device_y.to_host();
  const std::vector<float> d_x = device_d_x.to_host();
  double d_a = 0.0;
  for (int i = 0; i < n; ++i) {
    expect(close_to(y[i], a * x[i] * x[i] + std::sin(x[i])), "y");
    // Against a central difference.
    const double h = 1e-4, u = x[i];
    const auto f = [&](double v) { return a * v * v + std::sin(v); };
    expect(close_to(d_x[i], d_y[i] * (f(u + h) - f(u - h)) / (2 * h), 1e-4), "d_x");
    d_a += static_cast<double>(d_y[i]) * x[i] * x[i];
  }
  expect(close_to(device_d_a.to_host()[0], d_a), "d_a");
  std::puts("map_gradient: ok");
}
