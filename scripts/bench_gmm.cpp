// Times the emitted GMM objective and its gradient on random data; prints medians and their ratio.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "gmm.hpp"

namespace {

constexpr std::int64_t n = 1000, k = 25, d = 10, l = d + d * (d - 1) / 2;

std::vector<double> random_values(std::int64_t size, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(static_cast<std::size_t>(size));
  for (double& value : values) value = normal(engine);
  return values;
}

template <typename Run>
double median_seconds(Run&& run) {
  std::vector<double> seconds;
  for (int i = 0; i < 21; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::nth_element(seconds.begin(), seconds.begin() + 10, seconds.end());
  return seconds[10];
}

void require(bool ok) {
  if (ok) return;
  std::fprintf(stderr, "bench_gmm: an entry returned an error\n");
  std::exit(1);
}

}  // namespace

int main() {
  const auto alphas = random_values(k, 1), means = random_values(k * d, 2), icf = random_values(k * l, 3),
             xs = random_values(n * d, 4);
  std::vector<double> alphas_adj(k), means_adj(k * d), icf_adj(k * l);
  double objective = 0;

  std::size_t objective_bytes = 0, jacobian_bytes = 0;
  require(static_cast<int>(gmm::calculate_objective_scratch(&objective_bytes, 1, n, k, d, l)) == 0);
  require(static_cast<int>(gmm::calculate_jacobian_scratch(&jacobian_bytes, 1, n, k, d, l)) == 0);
  std::vector<std::byte> scratch(std::max(objective_bytes, jacobian_bytes));

  const double forward = median_seconds([&] {
    require(static_cast<int>(gmm::calculate_objective(&objective, alphas.data(), means.data(), icf.data(), xs.data(), 1.0, 1,
                                                      n, k, d, l, scratch.data(), scratch.size())) == 0);
  });
  const double gradient = median_seconds([&] {
    require(static_cast<int>(gmm::calculate_jacobian(alphas_adj.data(), means_adj.data(), icf_adj.data(), alphas.data(),
                                                     means.data(), icf.data(), xs.data(), 1.0, 1, n, k, d, l, scratch.data(),
                                                     scratch.size())) == 0);
  });
  std::printf("  objective %.3f ms, gradient %.3f ms, ratio %.2f\n", 1e3 * forward, 1e3 * gradient, gradient / forward);
}
