// Random programs mean the same as nests, for both machines, and no other parallel operator is left.
#include "tests/unit/transform/random_program.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/parallel/parallel.hpp"
#include "transform/simplify/simplify.hpp"

namespace random_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
using boustro::parallel::Machine;

namespace {

int operators_left(const Program& p) {
  return count<Map>(p) + count<Reduce>(p) + count<Scan>(p) + count<MapReduce>(p) +
         count<MapScan>(p) + count<ReduceByIndex>(p) + count<Scatter>(p);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(random_programs)

BOOST_AUTO_TEST_CASE(keep_their_meaning_as_nests) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const auto runs = random_arguments(seed);
      const Program simple = boustro::simplify::simplify(RandomProgram(seed).make());
      const Program fused = boustro::simplify::simplify(boustro::fuse::fuse(simple));
      for (const Program& p : {simple, fused}) {
        for (const Machine machine : {Machine::gpu, Machine::cpu}) {
          const Program q =
              after([&](Program s) { return boustro::parallel::flatten(std::move(s), machine); }, p,
                    runs);
          BOOST_TEST(operators_left(q) == 0);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace random_tests
