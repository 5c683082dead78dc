// Measures the gradient of samples/gmm.fut as emitted, or its objective.
#include "gmm.hpp"
#include "worker.hpp"

int main(int, char** argv) {
  bench::Case data(argv[2]);
  const std::int64_t n = data.integer(), d = data.integer(), k = data.integer(),
                     l = d * (d + 1) / 2;
  const auto alphas = data.reals(), means = data.reals(), icf = data.reals(), xs = data.reals();
  const double gamma = data.real();
  const int m = data.integer();
  std::vector<double> alphas_adj(alphas.size()), means_adj(means.size()), icf_adj(icf.size());

  std::size_t bytes = 0;
  if (bench::wants_objective(argv)) {
    double objective = 0;
    bench::require(gmm::calculate_objective_scratch(&bytes, m, n, k, d, l));
    const bench::Scratch scratch(bytes);
    bench::serve(
        argv[3],
        [&] {
          bench::require(gmm::calculate_objective(&objective, alphas.data(), means.data(), icf.data(), xs.data(), gamma, m, n, k, d, l,
                                                  scratch.data(), scratch.size()));
        },
        [&](bench::Result& result) { result.add(&objective, 1); });
    return 0;
  }
  bench::require(gmm::calculate_jacobian_scratch(&bytes, m, n, k, d, l));
  const bench::Scratch scratch(bytes);
  bench::serve(
      argv[3],
      [&] {
        bench::require(gmm::calculate_jacobian(
            alphas_adj.data(), means_adj.data(), icf_adj.data(), alphas.data(), means.data(),
            icf.data(), xs.data(), gamma, m, n, k, d, l, scratch.data(), scratch.size()));
      },
      [&](bench::Result& result) {
        result.add(alphas_adj);
        result.add(means_adj);
        result.add(icf_adj);
      });
}
