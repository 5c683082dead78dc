// Fits a logistic regression by steepest descent: the loss and its gradient come from logistic.fut, the rest is plain C++.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <random>
#include <vector>

#include "logistic.hpp"

namespace {

using Vector = std::vector<double>;

/// Memory that functions ask for.
struct Free {
  void operator()(void* memory) const { ::operator delete(memory, std::align_val_t{64}); }
};
using Scratch = std::unique_ptr<void, Free>;

Scratch allocate(std::size_t bytes) { return Scratch(::operator new(bytes, std::align_val_t{64})); }

void check(logistic::Status status) {
  if (status == logistic::Status::success) return;
  std::fputs("sizes do not fit\n", stderr);
  std::exit(1);
}

/// Points with labels, and the loss of weights on them.
struct Problem {
  std::int64_t n, d;
  Vector features;  // [n][d]
  Vector labels;    // [n], 0 or 1
  double penalty = 1e-3;

  double loss(const Vector& weights) const {
    std::size_t bytes = 0;
    check(logistic::loss_scratch(&bytes, n, d));
    const Scratch scratch = allocate(bytes);
    double result = 0;
    check(logistic::loss(&result, weights.data(), features.data(), labels.data(), penalty, n, d, scratch.get(), bytes));
    return result;
  }

  Vector gradient(const Vector& weights) const {
    std::size_t bytes = 0;
    check(logistic::loss_vjp_scratch(&bytes, n, d));
    const Scratch scratch = allocate(bytes);
    Vector result(weights.size());
    check(logistic::loss_vjp(result.data(), weights.data(), features.data(), labels.data(), penalty, 1.0, n, d, scratch.get(), bytes));
    return result;
  }
};

/// Points of a normal distribution; how likely the label 1 is follows from `truth`.
Problem random_problem(std::int64_t n, const Vector& truth) {
  Problem problem{n, static_cast<std::int64_t>(truth.size()), {}, {}};
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  for (std::int64_t i = 0; i < n; ++i) {
    double score = 0;
    for (const double weight : truth) {
      problem.features.push_back(normal(generator));
      score += weight * problem.features.back();
    }
    problem.labels.push_back(uniform(generator) < 1 / (1 + std::exp(-score)) ? 1 : 0);
  }
  return problem;
}

Vector moved(const Vector& from, const Vector& gradient, double step) {
  Vector result = from;
  for (std::size_t j = 0; j < result.size(); ++j) result[j] -= step * gradient[j];
  return result;
}

double square(const Vector& vector) {
  double sum = 0;
  for (const double x : vector) sum += x * x;
  return sum;
}

}  // namespace

int main() {
  const Vector truth = {1.5, -2, 0.5};
  const Problem problem = random_problem(20000, truth);
  Vector weights(truth.size(), 0);
  double loss = problem.loss(weights), step = 1;
  for (int iteration = 0; iteration < 200; ++iteration) {
    const Vector gradient = problem.gradient(weights);
    if (square(gradient) < 1e-16) break;
    // As long a step as makes the loss smaller by half of what the gradient promises.
    step *= 2;
    while (problem.loss(moved(weights, gradient, step)) > loss - step * square(gradient) / 2) step /= 2;
    weights = moved(weights, gradient, step);
    loss = problem.loss(weights);
  }
  std::printf("loss %.4f\n", loss);
  for (std::size_t j = 0; j < truth.size(); ++j) std::printf("weight %.3f, in truth %.3f\n", weights[j], truth[j]);
}
