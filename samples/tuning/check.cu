// Compares activate_back of swish.cu with central differences of activate, on 1001 numbers: more than a block, and no multiple of one.
#include "swish.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr int n = 1001;

/// On memory of the device: f(result, memory of xs, memory of weights).
template <typename Call>
std::vector<float> on_device(const Call& call, const std::vector<float>& xs,
                             const std::vector<float>& weights) {
  std::vector<float> result(n);
  float* memory = nullptr;
  bool good = cudaMalloc(&memory, 3 * n * sizeof(float)) == cudaSuccess;
  good = good && cudaMemcpy(memory + n, xs.data(), n * sizeof(float), cudaMemcpyHostToDevice) ==
                     cudaSuccess;
  good = good && cudaMemcpy(memory + 2 * n, weights.data(), n * sizeof(float),
                            cudaMemcpyHostToDevice) == cudaSuccess;
  good = good && call(memory, memory + n, memory + 2 * n) == cudaSuccess;
  good = good && cudaMemcpy(result.data(), memory, n * sizeof(float), cudaMemcpyDeviceToHost) ==
                     cudaSuccess;
  if (!good) result.assign(n, NAN);
  cudaFree(memory);
  return result;
}

}  // namespace

int main() {
  std::vector<float> xs, above, below, weights;
  const float step = 1.0f / 64;
  for (int i = 0; i < n; ++i) {
    xs.push_back(static_cast<float>(i - n / 2) / 100);
    above.push_back(xs.back() + step);
    below.push_back(xs.back() - step);
    weights.push_back(i % 3 == 0 ? -2.0f : 1.0f);
  }
  const auto activate = [](float* ys, const float* xs, const float*) {
    return swish::activate(ys, xs, n, nullptr, 0, nullptr);
  };
  const auto back = [](float* xs_adj, const float* xs, const float* ys_adj) {
    return swish::activate_back(xs_adj, xs, ys_adj, n, nullptr, 0, nullptr);
  };
  const auto got = on_device(back, xs, weights), up = on_device(activate, above, weights),
             down = on_device(activate, below, weights);
  float worst = 0;
  for (int i = 0; i < n; ++i)
    worst = std::max(worst, std::fabs(got[i] - weights[i] * (up[i] - down[i]) / (2 * step)));
  const bool good = worst < 2e-4f;
  std::printf("gradient: %s\n", good ? "right" : "wrong");
  return good ? 0 : 1;
}
