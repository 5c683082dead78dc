#include "emit/profile/few_blocks.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::profile::few_blocks_tests {
namespace {

using plan::lit;
namespace runtime = plan::runtime;

const plan::Expr n = plan::var("n", values::PrimType::i64);

/// Inside of a loop, since most launches are somewhere.
plan::Program launching(const plan::Extents& grid) {
  plan::Entry entry;
  const plan::Launch launch{.kernel = "xs_kernel", .grid = grid, .block = {runtime::block_size()}};
  entry.body = {plan::For{.name = "i", .type = plan::type(values::PrimType::i64), .from = lit(0), .to = n, .body = {launch}}};
  plan::Program program;
  program.entries = {entry};
  return program;
}

run::Counts limited(const plan::Program& program, std::uint64_t blocks, const std::string& name = "xs_kernel") {
  std::vector<run::CountedWork> work{{"kernel", name, {}}};
  work[0].counts.launches = 3;
  work[0].counts.blocks = blocks;
  work[0].counts.threads = blocks * 256;
  limit_blocks(work, program);
  return work[0].counts;
}

}  // namespace

BOOST_AUTO_TEST_CASE(kernels_that_stride_get_no_more_blocks) {
  const plan::Program program = launching({runtime::few_blocks_for(n, lit(256))});
  BOOST_TEST(limited(program, 100000).blocks == 3u * 2048);
  BOOST_TEST(limited(program, 100000).threads == 3u * 2048 * 256);
  BOOST_TEST(limited(program, 100).blocks == 100u);
}

BOOST_AUTO_TEST_CASE(so_do_those_of_two_dimensions) {
  const plan::Expr width = plan::var("width", values::PrimType::u32);
  BOOST_TEST(limited(launching({width, runtime::few_blocks_for(n, lit(32), width)}), 100000).blocks == 3u * 2048);
}

BOOST_AUTO_TEST_CASE(others_get_as_many_as_they_need) {
  BOOST_TEST(limited(launching({runtime::blocks_for(n, lit(256))}), 100000).blocks == 100000u);
  BOOST_TEST(limited(launching({runtime::few_blocks_for(n, lit(256))}), 100000, "ys_kernel").blocks == 100000u);
}

}  // namespace boustro::profile::few_blocks_tests
