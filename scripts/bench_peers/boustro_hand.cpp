// Measures the Jacobian of futhark-benchmarks' hand.fut as emitted, or its objective.
#include "hand.hpp"
#include "worker.hpp"

int main(int, char** argv) {
  bench::Case data(argv[2]);
  const auto parents = data.integers();
  const auto relatives = data.reals(), inverses = data.reals(), weights = data.reals(),
             positions = data.reals();
  const auto triangles = data.integers(), correspondences = data.integers();
  const auto points = data.reals(), theta = data.reals(), us = data.reals();
  const auto bones = static_cast<std::int64_t>(parents.size()),
             vertices = static_cast<std::int64_t>(positions.size()) / 4;
  const auto n = static_cast<std::int64_t>(correspondences.size()),
             two_n = static_cast<std::int64_t>(us.size());
  const auto faces = static_cast<std::int64_t>(triangles.size()) / 3;
  hand::Failure failure{};
  std::size_t bytes = 0;
  if (bench::wants_objective(argv)) {
    std::vector<double> objective(static_cast<std::size_t>(3 * n));
    bench::require(hand::calculate_objective_scratch(&bytes, bones, n, vertices, faces, two_n));
    const bench::Scratch scratch(bytes);
    bench::serve(
        argv[3],
        [&] {
          bench::require(hand::calculate_objective(objective.data(), &failure, parents.data(), relatives.data(), inverses.data(), weights.data(),
                                                   positions.data(), triangles.data(), false, correspondences.data(), points.data(), theta.data(),
                                                   us.data(), bones, n, vertices, faces, two_n, scratch.data(), scratch.size()));
        },
        [&](bench::Result& result) { result.add(objective); });
    return 0;
  }
  bench::Keeping<hand::DefaultAllocator> allocator;
  double* jacobian = nullptr;
  std::int64_t columns = 0;

  bench::require(hand::calculate_jacobian_scratch(&bytes, bones, n, vertices, two_n, faces));
  const bench::Scratch scratch(bytes);
  bench::serve(
      argv[3],
      [&] {
        if (jacobian != nullptr) allocator.deallocate(jacobian);
        bench::require(hand::calculate_jacobian(
            &jacobian, &columns, &failure, parents.data(), relatives.data(), inverses.data(),
            weights.data(), positions.data(), triangles.data(), false, correspondences.data(),
            points.data(), theta.data(), us.data(), bones, n, vertices, two_n, faces, allocator,
            scratch.data(), scratch.size()));
      },
      [&](bench::Result& result) {
        result.add(jacobian, static_cast<std::size_t>(columns * 3 * n));
      });
}
