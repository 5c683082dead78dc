// Derivatives of random programs (random_differentiable.hpp): forward mode against central differences, reverse mode against
// forward mode, seeds together against one by one; every program that differentiation makes is verified. Some derivatives are
// printed, read again and must yield the same; of some the derivative is taken once more; and what has points in the order of keys
// yields the same in that order.
//
// BOUSTRO_RANDOM_PROGRAMS says how many (150 if it is not set), BOUSTRO_RANDOM_SECONDS instead how long, and
// BOUSTRO_RANDOM_SEED where to start; scripts/fuzz_ad sets these. A failure names its seed and the program.
#include "tests/unit/transform/ad/random_differentiable.hpp"

#include <chrono>
#include <cstdlib>

#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"
#include "transform/facts/history.hpp"
#include "transform/reorder/reorder.hpp"

namespace boustro::ad::testing {

namespace {

long from_environment(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atol(text) : otherwise;
}

bool is_finite(const std::vector<Value>& values) {
  for (const Value& value : values)
    for (std::int64_t i = 0; i < value.size(); ++i)
      if (values::is_float(value.type) && !std::isfinite(value.element(i).as_float())) return false;
  return true;
}

class RandomCheck {
 public:
  explicit RandomCheck(unsigned seed) : seed_(seed), program_(RandomDifferentiable(seed).make()) {}

  void run() {
    BOOST_TEST_INFO_SCOPE("seed " << seed_ << "\n" << to_string(program_));
    DerivativeChecker checker(program_, "f");
    const Program& derived = checker.vjp().program;
    for (const std::int64_t n : {0, 1, 4}) {
      BOOST_TEST_INFO_SCOPE("size " << n);
      const std::vector<Value> args = arguments(n);
      if (!is_finite(run_entry(program_, "f", args))) continue;
      checker.check_at(args, {.differences = false, .tolerance = 1e-7, .seeds = seed_ % 8 == 0 && n == 4});
      check_differences(args, checker.jvp().program);
      if (seed_ % 5 == 0) check_reading(derived, args);
      if (seed_ % 5 == 1) check_promises(derived, args);
      check_order(derived, args);
    }
  }

  /// The derivative of the derivative.
  void run_second() {
    BOOST_TEST_INFO_SCOPE("second derivative, seed " << seed_ << "\n" << to_string(program_));
    const Program derived = differentiated(DerivativeOf(program_, "f").with_vjp("first", false));
    std::vector<Value> args = arguments(2);
    for (const Value& seed : seeds(args)) args.push_back(seed);
    if (!is_finite(run_entry(derived, "first", args))) return;
    check_derivative(derived, "first", args, {.differences = false, .tolerance = 1e-6, .seeds = false});
  }

 private:
  std::vector<Value> arguments(std::int64_t n) const {
    const int k = static_cast<int>(seed_ % 1000);
    return {f64_value(0.3 + 0.01 * (k % 50)), some_f64s(n, k), some_f64s(n * 3, k + 1, {n, 3})};
  }
  /// Adjoints of the results, which have the types of the arguments.
  static std::vector<Value> seeds(const std::vector<Value>& args) {
    return {f64_value(0.7), some_f64s(args[1].size(), 3), some_f64s(args[2].size(), 4, args[2].shape)};
  }

  /// What #[true_dep] says holds, in the derivative, too.
  void check_promises(const Program& derived, const std::vector<Value>& args) const {
    std::vector<Value> all = args;
    for (const Value& seed : seeds(args)) all.push_back(seed);
    BOOST_CHECK_NO_THROW(run_entry(program_, "f", args, {.versions = facts::versions_of}));
    BOOST_CHECK_NO_THROW(run_entry(derived, "derivative", all, {.versions = facts::versions_of}));
  }

  static std::vector<Value> gradient(const Program& derived, const std::vector<Value>& args) {
    std::vector<Value> all = args;
    for (const Value& seed : seeds(args)) all.push_back(seed);
    const auto results = run_entry(derived, "derivative", all);
    return {results.end() - 3, results.end()};
  }

  /// Where differences of two step sizes agree; elsewhere there is a kink nearby.
  void check_differences(const std::vector<Value>& args, const Program& jvp) const {
    std::vector<Value> tangents = seeds(args), all = args;
    all.insert(all.end(), tangents.begin(), tangents.end());
    const auto results = run_entry(jvp, "derivative", all);
    const auto moved = [&](double step) {
      std::vector<Value> result = args;
      for (std::size_t k = 0; k < args.size(); ++k)
        for (std::int64_t j = 0; j < args[k].size(); ++j)
          result[k].set_element(j, PrimValue::of_float(PrimType::f64, args[k].element(j).as_float() + step * tangents[k].element(j).as_float()));
      return run_entry(program_, "f", result);
    };
    const double h = 1e-5;
    const auto a = moved(h), b = moved(-h), c = moved(2 * h), d = moved(-2 * h);
    for (std::size_t k = 0; k < 3; ++k)
      for (std::int64_t j = 0; j < a[k].size(); ++j) {
        const auto at = [&](const std::vector<Value>& values) { return values[k].element(j).as_float(); };
        const double fine = (at(a) - at(b)) / (2 * h), coarse = (at(c) - at(d)) / (4 * h);
        const double one_sided = (at(c) - at(a)) / h, other_side = (at(b) - at(d)) / h;
        const double scale = 1 + std::abs(fine);
        if (std::abs(fine - coarse) > 1e-4 * scale || std::abs(one_sided - other_side) > 1e-2 * scale) continue;
        const double tangent = results[3 + k].element(j).as_float();
        BOOST_TEST(std::abs(tangent - fine) <= 1e-3 * scale, "result " << k << "[" << j << "]: tangent " << tangent << ", by differences " << fine);
      }
  }

  void check_reading(const Program& derived, const std::vector<Value>& args) const {
    check_equal(derived, compiled(to_string(derived)), args, 1e-12, "read again");
  }

  /// What `#[reorder(keys)]` does to maps, and to those that they become.
  void check_order(const Program& derived, const std::vector<Value>& args) const {
    Program sorted = derived;
    if (!reorder::reorder_points(sorted)) return;
    verify_program(sorted);
    check_equal(derived, sorted, args, 1e-9, "in another order");
  }

  static void check_equal(const Program& derived, const Program& other, const std::vector<Value>& args, double tolerance, const std::string& what) {
    const auto expected = gradient(derived, args), got = gradient(other, args);
    for (std::size_t k = 0; k < 3; ++k)
      for (std::int64_t j = 0; j < expected[k].size(); ++j) {
        const double x = expected[k].element(j).as_float(), y = got[k].element(j).as_float();
        BOOST_TEST((std::abs(x - y) <= tolerance * (1 + std::abs(x)) || (std::isnan(x) && std::isnan(y))), what << ": " << x << " and " << y);
      }
  }

  unsigned seed_;
  Program program_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(random_programs) {
  using clock = std::chrono::steady_clock;
  const long seconds = from_environment("BOUSTRO_RANDOM_SECONDS", 0);
  const long programs = seconds > 0 ? 1'000'000'000 : from_environment("BOUSTRO_RANDOM_PROGRAMS", 150);
  const auto first = static_cast<unsigned>(from_environment("BOUSTRO_RANDOM_SEED", 0));
  const auto end = clock::now() + std::chrono::seconds(seconds);
  for (long i = 0; i < programs && (seconds == 0 || clock::now() < end); ++i) {
    const unsigned seed = first + static_cast<unsigned>(i);
    try {
      RandomCheck(seed).run();
      if (seed % 10 == 0) RandomCheck(seed).run_second();
    } catch (const std::exception& error) {
      BOOST_ERROR("seed " << seed << ": " << error.what() << "\n" << to_string(RandomDifferentiable(seed).make()));
    }
  }
}

}  // namespace boustro::ad::testing
