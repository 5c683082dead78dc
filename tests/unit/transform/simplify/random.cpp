#include "tests/unit/transform/random_program.hpp"
#include "transform/simplify/early_copies.hpp"
#include "transform/simplify/simplify.hpp"

namespace random_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

BOOST_AUTO_TEST_SUITE(random_programs)

BOOST_AUTO_TEST_CASE(keep_their_meaning_and_do_not_grow) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const Program p = RandomProgram(seed).make();
      const auto simplify = [](Program q) { return boustro::simplify::simplify(std::move(q)); };
      const Program q = after(simplify, p, random_arguments(seed));
      BOOST_TEST(statements(q) <= statements(p));
      BOOST_TEST((simplify(q) == q));
    }
  }
}

BOOST_AUTO_TEST_CASE(keep_their_meaning_without_early_copies) {
  int changed = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const auto without = [&](Program q) {
        changed += boustro::simplify::remove_early_copies(q);
        return q;
      };
      after(without, RandomProgram(seed).make(), random_arguments(seed));
    }
  }
  BOOST_TEST(changed > 20);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace random_tests
