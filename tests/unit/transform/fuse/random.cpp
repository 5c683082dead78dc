#include "tests/unit/transform/random_program.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/simplify/simplify.hpp"

namespace random_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

BOOST_AUTO_TEST_SUITE(random_programs)

BOOST_AUTO_TEST_CASE(keep_their_meaning) {
  const auto simplify = [](Program program) { return boustro::simplify::simplify(std::move(program)); };
  for (unsigned seed = 0; seed < 300; ++seed) {
    for (const bool whole_points : {false, true}) {
      const auto fuse = [&](Program program) { return boustro::fuse::fuse(std::move(program), whole_points); };
      BOOST_TEST_CONTEXT("seed " << seed << (whole_points ? ", whole points" : "")) {
        const auto runs = random_arguments(seed);
        const Program p = simplify(RandomProgram(seed).make());
        const Program r = after(boustro::fuse::reduce_accumulators, p, runs);
        const Program late = whole_points ? r : after([](Program p) { return boustro::fuse::late_updates(std::move(p)); }, r, runs);
        const Program f = after(fuse, simplify(late), runs);
        const Program q = after(simplify, f, runs);
        after(fuse, q, runs);
        if (whole_points) after(simplify, after(boustro::fuse::share_computations, q, runs), runs);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace random_tests
