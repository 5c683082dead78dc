// Measures the sparse Jacobian of futhark-benchmarks' ba.fut as emitted, or its objective.
#include "ba.hpp"
#include "worker.hpp"

int main(int, char** argv) {
  bench::Case data(argv[2]);
  const std::int64_t n = data.integer(), m = data.integer(), p = data.integer();
  const auto cams = data.reals(), points = data.reals(), weights = data.reals();
  const auto observations = data.integers();
  const auto features = data.reals();
  std::vector<int> rows(static_cast<std::size_t>(3 * p + 1)),
      columns(static_cast<std::size_t>(31 * p));
  std::vector<double> values(columns.size());
  ba::Failure failure{};

  std::size_t bytes = 0;
  if (bench::wants_objective(argv)) {
    std::vector<double> errors(static_cast<std::size_t>(2 * p)), weight_errors(static_cast<std::size_t>(p));
    bench::require(ba::calculate_objective_scratch(&bytes, n, m, p, p));
    const bench::Scratch scratch(bytes);
    bench::serve(
        argv[3],
        [&] {
          bench::require(ba::calculate_objective(errors.data(), weight_errors.data(), &failure, cams.data(), points.data(), weights.data(),
                                                 observations.data(), features.data(), n, m, p, p, scratch.data(), scratch.size()));
        },
        [&](bench::Result& result) {
          result.add(errors);
          result.add(weight_errors);
        });
    return 0;
  }
  bench::require(ba::calculate_jacobian_scratch(&bytes, n, m, p));
  const bench::Scratch scratch(bytes);
  bench::serve(
      argv[3],
      [&] {
        bench::require(ba::calculate_jacobian(rows.data(), columns.data(), values.data(), &failure,
                                              cams.data(), points.data(), weights.data(),
                                              observations.data(), features.data(), n, m, p,
                                              scratch.data(), scratch.size()));
      },
      [&](bench::Result& result) {
        result.add(rows);
        result.add(columns);
        result.add(values);
      });
}
