// Random programs and derivatives of random programs are raised, read back and mean the same, bit for bit. BOUSTRO_RANDOM_PROGRAMS
// says how many (100 if it is not set).
#include <algorithm>
#include <cstdlib>

#include <boost/test/unit_test.hpp>

#include "tests/unit/transform/ad/random_differentiable.hpp"
#include "tests/unit/transform/raise/raised.hpp"
#include "tests/unit/transform/random_program.hpp"
#include "transform/ad/derivative_entry.hpp"
#include "transform/ir/evaluate.hpp"

using namespace boustro;
using namespace boustro::ir::testing;
using raise::Form;

namespace {

unsigned how_many() {
  const char* text = std::getenv("BOUSTRO_RANDOM_PROGRAMS");
  return text ? static_cast<unsigned>(std::atoi(text)) : 100;
}

/// No function has to be printed as core.
void check_round_trip(const ir::Program& program, const std::string& entry, const std::vector<values::Value>& args) {
  const raise::Raised raised = raise::raise(program);
  BOOST_TEST_CONTEXT(raised.text << raised.complaints) {
    BOOST_CHECK(ir::run_entry(ad::testing::compiled(raised.text), entry, args) == ir::run_entry(program, entry, args));
    BOOST_TEST(std::count(raised.forms.begin(), raised.forms.end(), Form::core) == 0);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(raise_random)

BOOST_AUTO_TEST_CASE(programs) {
  for (unsigned seed = 0; seed < how_many(); ++seed) {
    BOOST_TEST_INFO_SCOPE("seed " << seed);
    const ir::Program program = RandomProgram(seed).make();
    const std::vector<values::Value> args = {f64_value(3), i64_value(2), some_f64s({5}, seed), some_f64s({5}, seed + 1)};
    check_round_trip(program, "main", args);
  }
}

BOOST_AUTO_TEST_CASE(derivatives) {
  for (unsigned seed = 0; seed < how_many(); ++seed) {
    BOOST_TEST_INFO_SCOPE("seed " << seed);
    ir::Program program = ad::testing::RandomDifferentiable(seed).make();
    const std::string entry = ad::add_derivative_entry(program, "f", {}, true);
    const ir::Program derived = run_pipeline(derive_passes(), std::move(program));
    const std::int64_t n = 4;
    std::vector<values::Value> args = {f64_value(0.3), some_f64s({n}, seed), some_f64s({n, 3}, seed + 1)};
    for (const values::Value& seed_of_result : std::vector<values::Value>(args)) args.push_back(seed_of_result);
    check_round_trip(derived, entry, args);
  }
}

BOOST_AUTO_TEST_SUITE_END()
