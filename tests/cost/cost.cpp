// Costs of derivatives, counted by the evaluator: they depend on no machine and no clock.

#include <cstdint>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "emit/driver/load.hpp"
#include "emit/driver/passes.hpp"
#include "transform/ir/evaluate.hpp"

namespace boustro::tests {
namespace {

using values::PrimType;
using values::PrimValue;
using values::Value;

/// One of the programs here, differentiated and simplified.
class CostProgram {
 public:
  explicit CostProgram(const std::string& name) {
    auto core = driver::load_core(session_, std::string(COST_DIR) + "/" + name + ".fut");
    if (core) program_ = driver::run_passes(session_, std::move(*core), driver::Goal::derive, {});
    BOOST_REQUIRE_MESSAGE(program_.has_value(), name << " does not compile");
  }

  ir::Counts count(const std::string& entry, const std::vector<Value>& args) const {
    ir::Counts counts;
    ir::run_entry(*program_, entry, args, &counts);
    BOOST_TEST_MESSAGE(entry << ": " << counts.operations << " operations, " << counts.elements_read
                             << " elements read, " << counts.elements_written << " written, "
                             << counts.peak_elements << " alive at most");
    return counts;
  }

 private:
  driver::Session session_;
  std::optional<ir::Program> program_;
};

/// Numbers between 0.5 and 1.5, different from each other.
Value numbers(const std::vector<std::int64_t>& shape) {
  Value value = Value::zeros(PrimType::f64, shape);
  for (std::int64_t i = 0; i < value.size(); ++i) {
    const double x = 0.5 + static_cast<double>(i * 7919 % 10007) / 10007;
    value.set_element(i, PrimValue::of_float(PrimType::f64, x));
  }
  return value;
}

double ratio(std::uint64_t a, std::uint64_t b) {
  return static_cast<double>(a) / static_cast<double>(b);
}

std::uint64_t moved(const ir::Counts& counts) {
  return counts.elements_read + counts.elements_written;
}

/// Of each scope that was executed, from outer to inner.
std::vector<std::uint64_t> executions(const ir::Counts& counts) {
  std::vector<std::uint64_t> all;
  for (const ir::ScopeCount& scope : counts.scopes) {
    if (scope.executions > 0) all.push_back(scope.executions);
  }
  return all;
}

}  // namespace

// The measure itself: an objective is counted as a person would, so no ratio profits from a clumsy
// one.
BOOST_AUTO_TEST_CASE(objectives_cost_what_a_person_counts) {
  const std::int64_t n = 1000;
  // n comparisons, n subtractions, n exponentials, n additions; log and +
  const auto logsumexp = CostProgram("logsumexp").count("objective", {numbers({n})});
  BOOST_TEST(ratio(logsumexp.operations, 4 * n + 2) == 1.0, boost::test_tools::tolerance(0.05));
  const auto sums = CostProgram("prefix_sums").count("objective", {numbers({n})});
  BOOST_TEST(ratio(sums.operations, n) == 1.0, boost::test_tools::tolerance(0.05));
  const auto histogram = CostProgram("histogram").count("objective", {numbers({n})});
  BOOST_TEST(ratio(histogram.operations, n) == 1.0, boost::test_tools::tolerance(0.05));
}

BOOST_AUTO_TEST_CASE(nests_cost_what_is_written_by_hand) {
  const CostProgram nests("nests");
  std::vector<std::int64_t> shape;
  for (int depth = 1; depth <= 4; ++depth) {
    shape.push_back(7);
    const std::string entry = "depth_" + std::to_string(depth);
    const auto derived = nests.count(entry, {numbers(shape)});
    const auto by_hand = nests.count(entry + "_by_hand", {numbers(shape)});
    BOOST_TEST(derived.operations == by_hand.operations);
    BOOST_TEST(moved(derived) == moved(by_hand));
    // Scopes of a perfect nest are executed once.
    BOOST_TEST(executions(derived) == executions(by_hand), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(sums_have_derivatives_as_cheap_as_themselves) {
  for (const char* name : {"prefix_sums", "histogram"}) {
    const CostProgram program(name);
    const auto objective = program.count("objective", {numbers({1000})});
    const auto gradient = program.count("gradient", {numbers({1000})});
    BOOST_TEST(ratio(gradient.operations, objective.operations) <= 1.05, name);
    BOOST_TEST(ratio(moved(gradient), moved(objective)) <= 1.05, name);
  }
}

}  // namespace boustro::tests
