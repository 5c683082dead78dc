#include "emit/plan/polish/slab_sizes.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"
#include "templates/slab_size_for.cuh"

namespace boustro::plan::slab_sizes_tests {
namespace {

const Expr n = var("n", PrimType::i64), k = var("k", PrimType::i64);

Expr most(const Expr& x, std::int64_t y) { return call("max", type(PrimType::i64), {x, lit(y)}); }
Expr least(const Expr& x, std::int64_t y) { return call("min", type(PrimType::i64), {x, lit(y)}); }
Expr size(std::int64_t enough, std::int64_t slabs, std::int64_t points) { return most(n / most(least(lit(enough) / most(k, 1), slabs), 1), points); }

std::string polished(const Expr& value) {
  Entry entry;
  entry.scratch.sizes = {Let{"size", type(PrimType::i64), value}};
  entry.body = {Let{"other", type(PrimType::i64), value + lit(1)}};
  call_slab_sizes(entry);
  BOOST_TEST(to_string(*std::get<Let>(entry.body[0].what).value) == to_string(*entry.scratch.sizes[0].value) + " + 1");
  return to_string(*entry.scratch.sizes[0].value);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(slab_sizes)

BOOST_AUTO_TEST_CASE(sizes_of_slabs_are_called_so) { BOOST_TEST(polished(size(1 << 22, 512, 64)) == "slab_size_for(n, k)"); }

BOOST_AUTO_TEST_CASE(other_numbers_stay) {
  for (const Expr& other : {size(1 << 20, 512, 64), size(1 << 22, 256, 64), size(1 << 22, 512, 32)}) BOOST_TEST(polished(other) == to_string(other));
}

/// The function is what stands there otherwise.
BOOST_AUTO_TEST_CASE(the_function_has_these_numbers) {
  for (const std::int64_t points : {0, 1, 63, 64, 1000, 32768, 1000000})
    for (const std::int64_t sums : {0, 1, 3, 8191, 8192, 8193, 1 << 22, 1 << 24}) {
      const std::int64_t slabs = std::max<std::int64_t>(std::min<std::int64_t>((1 << 22) / std::max<std::int64_t>(sums, 1), 512), 1);
      BOOST_TEST(slab_size_for(points, sums) == std::max<std::int64_t>(points / slabs, 64), points << " points, " << sums << " sums");
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::slab_sizes_tests
