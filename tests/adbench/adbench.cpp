// The GMM and LSTM samples on real input: ADBench's problems with the answers of its hand-written
// derivatives, where that data lies beside the checkout (shared/data/adbench). On three targets;
// without the data the tests are skipped, and the samples' own test blocks remain.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>

#include <boost/test/unit_test.hpp>

#include "emit/driver/runner.hpp"
#include "frontend/values/read.hpp"
#include "tests/source_folder.hpp"

namespace boustro::tests {
namespace {

namespace fs = std::filesystem;
using values::Value;

const fs::path root = source_folder;
const fs::path data = root / ".." / "shared" / "data" / "adbench";

struct Problem {
  std::string sample, name;
};
const std::vector<Problem> problems = {{"gmm", "gmm_d2_K10"},
                                       {"gmm", "gmm_d10_K25"},
                                       {"gmm", "gmm_d32_K5"},
                                       {"lstm", "lstm_l2_c1024"}};

/// The largest difference, relative to the larger of the element and a millionth of the output's
/// largest magnitude.
double worst_difference(const Value& got, const Value& expected) {
  BOOST_REQUIRE(got.shape == expected.shape);
  double largest = 0, worst = 0;
  for (std::int64_t i = 0; i < expected.size(); ++i)
    largest = std::max(largest, std::abs(expected.element(i).as_float()));
  for (std::int64_t i = 0; i < expected.size(); ++i) {
    const double g = got.element(i).as_float(), e = expected.element(i).as_float();
    const double difference = std::abs(g - e) / std::max(std::abs(e), 1e-6 * largest);
    worst = std::isnan(difference) ? HUGE_VAL : std::max(worst, difference);
  }
  return worst;
}

void compare(const driver::RunEntry& run, const std::string& entry, const fs::path& problem,
             const std::string& answer, double tolerance) {
  const auto input = values::read_values(values::read_file(problem.string() + ".in"));
  const auto expected = values::read_values(values::read_file(problem.string() + answer));
  const auto got = run(entry, input);
  BOOST_REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double worst = worst_difference(got[i], expected[i]);
    BOOST_TEST_MESSAGE(problem.filename().string()
                       << " " << entry << " output " << i << ": relative " << worst);
    BOOST_TEST(worst <= tolerance, problem.filename().string()
                                       << " " << entry << " output " << i << ": " << worst);
  }
}

void run_problems(const std::string& sample, const std::string& target) {
  driver::Session session;
  auto core = driver::load_core(session, (root / "samples" / (sample + ".fut")).string());
  BOOST_REQUIRE(core.has_value());
  const auto run = driver::make_runner(session, std::move(*core), target, "plain");
  BOOST_REQUIRE(run.has_value());
  for (const Problem& problem : problems) {
    if (problem.sample != sample) continue;
    compare(*run, "calculate_objective", data / problem.name, ".objective.out", 1e-12);
    compare(*run, "calculate_jacobian", data / problem.name, ".gradient.out", 1e-10);
  }
}

/// CTest says that the test is skipped where it reads this.
boost::test_tools::assertion_result has_data(boost::unit_test::test_unit_id) {
  if (fs::exists(data)) return true;
  std::cout << "skipped: ADBench's data is not here\n";
  return false;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(problems_of_adbench, *boost::unit_test::precondition(has_data))

BOOST_AUTO_TEST_CASE(gmm_evaluate) { run_problems("gmm", "evaluate"); }
BOOST_AUTO_TEST_CASE(gmm_cpp) { run_problems("gmm", "cpp"); }
BOOST_AUTO_TEST_CASE(gmm_cuda_on_cpu) { run_problems("gmm", "cuda-on-cpu"); }
BOOST_AUTO_TEST_CASE(lstm_evaluate) { run_problems("lstm", "evaluate"); }
BOOST_AUTO_TEST_CASE(lstm_cpp) { run_problems("lstm", "cpp"); }
BOOST_AUTO_TEST_CASE(lstm_cuda_on_cpu) { run_problems("lstm", "cuda-on-cpu"); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::tests
