// Costs of derivatives, counted by the evaluator: they depend on no machine and no clock.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "emit/driver/load.hpp"
#include "emit/driver/passes.hpp"
#include "tests/source_folder.hpp"
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
    auto core = driver::load_core(session_, std::string(source_folder) + "/tests/cost/" + name + ".fut");
    if (core) program_ = driver::run_passes(session_, std::move(*core), driver::Goal::derive, {});
    BOOST_REQUIRE_MESSAGE(program_.has_value(), name << " does not compile");
  }

  ir::Counts count(const std::string& entry, const std::vector<Value>& args) const {
    ir::Counts counts;
    ir::run_entry(*program_, entry, args, {.counts = &counts});
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
Value numbers(const std::vector<std::int64_t>& shape, PrimType type = PrimType::f64) {
  Value value = Value::zeros(type, shape);
  for (std::int64_t i = 0; i < value.size(); ++i) {
    const double x = 0.5 + static_cast<double>(i * 7919 % 10007) / 10007;
    value.set_element(i, PrimValue::of_float(type, x));
  }
  return value;
}

Value number(double x) { return Value::of(PrimValue::of_float(PrimType::f64, x)); }
Value number(std::int64_t i) { return Value::of(PrimValue::of_int(PrimType::i64, i)); }

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

const std::vector<std::string> kinds_of_updates = {
    "once",           "in_branch", "in_two_loops", "in_uneven_loops",
    "in_three_loops", "as_slices", "in_while",     "in_two_whiles",
    "in_bounded_while", "in_bounded_whiles", "of_true_dep", "by_accumulator", "by_added_accumulator"};

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

// For each point and component d subtractions, d products of rows and columns, d squares and their
// sum, and three more; then the sum of exponentials of each point. For each component its
// exponentials, and the sums of the diagonal and of all squares.
BOOST_AUTO_TEST_CASE(gradients_of_gaussian_mixtures) {
  const CostProgram program("gmm");
  for (const std::int64_t d : {10, 32}) {
    const std::int64_t n = 100, k = 5;
    const std::vector<Value> args = {numbers({k}), numbers({k, d}), numbers({k, d * (d + 1) / 2}),
                                     numbers({n, d})};
    const auto objective = program.count("log_likelihood", args);
    const std::int64_t by_hand =
        n * (k * (2 * d * d + 3 * d + 3 + 4) + 3) + k * (2 * d + 2 * d * d);
    BOOST_TEST(ratio(objective.operations, by_hand) == 1.0, boost::test_tools::tolerance(0.05));
    BOOST_TEST(ratio(program.count("gradient_kept", args).operations, objective.operations) <= 3.1);
    BOOST_TEST(ratio(program.count("gradient", args).operations, objective.operations) <= 4.0);
  }
}

// A layer computes for each number of a row: three sigmoids of four operations, a tanh, four
// products and sums, three operations for the cell and two for the hidden row. Around the layers
// there are eight operations for each number of a step.
BOOST_AUTO_TEST_CASE(gradients_of_long_short_term_memory) {
  const CostProgram program("lstm");
  const std::int64_t layers = 2, b = 14, steps = 50;
  const std::vector<Value> args = {numbers({2 * layers, 4 * b}), numbers({3, b}),
                                   numbers({2 * layers, b}), numbers({steps + 1, b})};
  const auto objective = program.count("loss", args);
  const std::int64_t by_hand = steps * (layers * b * (3 * 4 + 1 + 4 * 2 + 3 + 2) + 8 * b + 3);
  BOOST_TEST(ratio(objective.operations, by_hand) == 1.0, boost::test_tools::tolerance(0.05));
  const auto recomputed = program.count("gradient", args),
             kept = program.count("gradient_kept", args);
  BOOST_TEST(ratio(recomputed.operations, objective.operations) <= 5.2);
  BOOST_TEST(ratio(kept.operations, objective.operations) <= 3.4);
  BOOST_TEST(moved(kept) < moved(recomputed));
}

// Distances of all points to all centres, and the least of each point.
BOOST_AUTO_TEST_CASE(gradient_of_k_means) {
  const CostProgram program("kmeans");
  const std::int64_t n = 1000, k = 5, d = 35;
  const std::vector<Value> args = {numbers({n, d}, PrimType::f32), numbers({k, d}, PrimType::f32)};
  const auto objective = program.count("objective", args);
  BOOST_TEST(ratio(objective.operations, n * (k * (3 * d + 1) + 1)) == 1.0,
             boost::test_tools::tolerance(0.05));
  BOOST_TEST(ratio(program.count("gradient", args).operations, objective.operations) <= 1.3);
}

BOOST_AUTO_TEST_CASE(gradient_of_logsumexp) {
  const CostProgram program("logsumexp");
  const std::vector<Value> args = {numbers({1000})};
  BOOST_TEST(ratio(program.count("gradient", args).operations,
                   program.count("objective", args).operations) <= 3.0);
}

BOOST_AUTO_TEST_CASE(reductions_by_index_with_any_operator) {
  const CostProgram program("by_index");
  const std::int64_t n = 1000;
  const auto apply = program.count("operator", {number(0.3), number(0.2)}).operations;
  const auto derive =
      program.count("operator_gradient", {number(0.3), number(0.2), number(1.0)}).operations;
  BOOST_TEST(apply == 4U);
  BOOST_TEST(program.count("objective", {numbers({n})}).operations == n * apply);
  BOOST_TEST(program.count("gradient", {numbers({n})}).operations <= n * (4 * apply + 2 * derive));
}

// The peak counts what the return sweep keeps, and nothing else: the state is a number.
BOOST_AUTO_TEST_CASE(strip_mined_loops_keep_few_states) {
  const CostProgram program("stripmine");
  const std::vector<Value> args = {number(std::int64_t{1000000}), number(0.5)};
  BOOST_TEST(program.count("twice", args).peak_elements <= 2000U);
  BOOST_TEST(program.count("three_times", args).peak_elements <= 300U);
}

// Ten times the elements: ten times the cost, not a hundred times.
BOOST_AUTO_TEST_CASE(updates_cost_what_they_write) {
  const CostProgram program("updates");
  for (const std::string& name : kinds_of_updates) {
    const auto small = program.count(name + "_gradient", {numbers({100})});
    const auto large = program.count(name + "_gradient", {numbers({1000})});
    const auto objective = program.count(name + "_objective", {numbers({1000})});
    BOOST_TEST(ratio(moved(large), moved(small)) <= 10.5, name);
    BOOST_TEST(ratio(large.operations, small.operations) <= 10.5, name);
    BOOST_TEST(ratio(large.operations, objective.operations) <= 8.0, name);
    BOOST_TEST(moved(large) <= 20 * moved(objective), name);
  }
}

// The array that makes the promise is neither logged nor taken back: less is moved, and less is alive.
BOOST_AUTO_TEST_CASE(promised_arrays_are_not_logged) {
  const CostProgram program("updates");
  const std::vector<Value> args = {numbers({1000})};
  const auto plain = program.count("of_plain_dep_gradient", args), promised = program.count("of_true_dep_gradient", args);
  BOOST_TEST(promised.operations == plain.operations);
  BOOST_TEST(moved(promised) + 4 * 1000 <= moved(plain));
  BOOST_TEST(promised.peak_elements + 1000 <= plain.peak_elements);
}

BOOST_AUTO_TEST_CASE(powers_cost_what_is_written_by_hand) {
  const CostProgram powers("powers");
  const std::vector<Value> args = {number(2.0), number(3.0)};
  for (const std::string name : {"in_x", "in_both"})
    BOOST_TEST(
        powers.count(name, args).operations == powers.count(name + "_by_hand", args).operations,
        name);
  BOOST_TEST(powers.count("forward", args).operations ==
             powers.count("in_x_by_hand", args).operations);
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
