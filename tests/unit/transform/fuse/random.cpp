#include "tests/unit/transform/random_program.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/simplify/simplify.hpp"

using namespace boustro::ir;
using namespace boustro::ir::testing;

BOOST_AUTO_TEST_SUITE(random_programs)

BOOST_AUTO_TEST_CASE(keep_their_meaning) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const auto runs = random_arguments(seed);
      const Program p = boustro::simplify::simplify(RandomProgram(seed).make());
      const Program r = after(boustro::fuse::reduce_accumulators, p, runs);
      const Program f = after(boustro::fuse::fuse, boustro::simplify::simplify(r), runs);
      const Program q =
          after([](Program s) { return boustro::simplify::simplify(std::move(s)); }, f, runs);
      after(boustro::fuse::fuse, q, runs);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
