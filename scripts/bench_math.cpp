// Nanoseconds for each element of a loop y[i] = f(x[i]): the functions of templates/vector_*.hpp against the library's.
//
//   g++ -std=c++17 -O3 -march=native -I . scripts/bench_math.cpp -o bench_math && ./bench_math
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "tests/math/functions.hpp"

namespace {

constexpr int elements = 4096;  // in the cache of the first level, or next to it

double nanoseconds() {
  return static_cast<double>(std::chrono::steady_clock::now().time_since_epoch().count());
}

/// The least of several rounds, for one element.
template <typename Run>
double time_of(const Run& run) {
  double least = 1e30;
  for (int round = 0; round < 30; ++round) {
    const double start = nanoseconds();
    for (int repetition = 0; repetition < 10; ++repetition) run();
    least = std::min(least, (nanoseconds() - start) / (10.0 * elements));
  }
  return least;
}

template <typename T, typename Wide>
void measure(const Function<T, Wide>& function) {
  std::vector<T> xs(elements), ys(elements);
  for (int i = 0; i < elements; ++i) {
    xs[static_cast<std::size_t>(i)] = static_cast<T>(0.01 + 4.0 * (i * 619 % elements) / elements);
  }
  const double ours = time_of([&] { function.loop(ys.data(), xs.data(), elements); });
  const double library = time_of([&] { function.library(ys.data(), xs.data(), elements); });
  std::printf("%-8s %6.2f %8.2f   %5.1f times\n", function.name, ours, library, library / ours);
}

}  // namespace

int main() {
  std::printf("%-8s %6s %8s   ns for an element, arguments from 0.01 to 4\n", "", "vector", "library");
  for (const auto& function : functions_f64) measure(function);
  for (const auto& function : functions_f32) measure(function);
}
