// Measures the gradient of samples/lstm.fut as emitted, or its objective.
#include "lstm.hpp"
#include "worker.hpp"

int main(int, char** argv) {
  bench::Case data(argv[2]);
  const std::int64_t l = data.integer(), c = data.integer(), b = data.integer();
  const auto main_params = data.reals(), extra_params = data.reals(), state = data.reals(),
             sequence = data.reals();
  std::vector<double> main_adj(main_params.size()), extra_adj(extra_params.size());
  lstm::Failure failure{};

  std::size_t bytes = 0;
  if (bench::wants_objective(argv)) {
    double objective = 0;
    bench::require(lstm::calculate_objective_scratch(&bytes, 2 * l, 4 * b, b, c));
    const bench::Scratch scratch(bytes);
    bench::serve(
        argv[3],
        [&] {
          bench::require(lstm::calculate_objective(&objective, &failure, main_params.data(), extra_params.data(), state.data(), sequence.data(),
                                                   2 * l, 4 * b, b, c, scratch.data(), scratch.size()));
        },
        [&](bench::Result& result) { result.add(&objective, 1); });
    return 0;
  }
  bench::require(lstm::calculate_jacobian_scratch(&bytes, 2 * l, 4 * b, b, c));
  const bench::Scratch scratch(bytes);
  bench::serve(
      argv[3],
      [&] {
        bench::require(lstm::calculate_jacobian(
            main_adj.data(), extra_adj.data(), &failure, main_params.data(), extra_params.data(),
            state.data(), sequence.data(), 2 * l, 4 * b, b, c, scratch.data(), scratch.size()));
      },
      [&](bench::Result& result) {
        result.add(main_adj);
        result.add(extra_adj);
      });
}
