// Sorts by some bits, as the evaluator does them and as loops.
#include "transform/parallel/in_order/sort_loops.hpp"

#include "tests/unit/transform/inspect.hpp"

namespace sort_loops_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace parallel = boustro::parallel;

namespace {

std::size_t sorts_in(const Body& body) {
  std::size_t count = 0;
  for (const Stm& stm : body.stms) {
    count += std::holds_alternative<Sort>(stm.exp) ? 1 : 0;
    for_each_body(stm.exp, [&](const Body& inner) { count += sorts_in(inner); });
  }
  return count;
}

struct ByBits : TestProgram {
  FunctionMaker f = function("main");
  Name n = f.size("n");
  Name xs = f.param("xs", integers({n})), first = f.param("first", integer), end = f.param("end", integer);

  boustro::values::Value sorted(const std::vector<std::int64_t>& values, std::int64_t first_bit, std::int64_t end_bit) {
    const auto expected = run_entry(program, "main", {i64s(values), i64_value(first_bit), i64_value(end_bit)});
    Program looped = program;
    parallel::sort_by_loops(looped, true);
    BOOST_TEST(verify(looped).empty());
    BOOST_TEST(sorts_in(looped.functions[0].body) == 0u);
    BOOST_TEST((run_entry(looped, "main", {i64s(values), i64_value(first_bit), i64_value(end_bit)}) == expected));
    return expected.at(0);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(sorts)

BOOST_FIXTURE_TEST_CASE(those_with_equal_bits_keep_their_order, ByBits) {
  f.returns({f.let("ys", Sort{first, end, xs})});
  BOOST_TEST(verify(program).empty());
  BOOST_TEST((sorted({0x31, 0x02, 0x43, 0x34, 0x05, 0x16, 0x47}, 4, 7) == i64s({0x02, 0x05, 0x16, 0x31, 0x34, 0x43, 0x47})));
  BOOST_TEST((sorted({3, 1, 2, 7, 0, 6}, 0, 1) == i64s({2, 0, 6, 3, 1, 7})));
  BOOST_TEST((sorted({3, 1, 2, 7, 0, 6}, 1, 2) == i64s({1, 0, 3, 2, 7, 6})));  // bits from `end` on do not count
  BOOST_TEST((sorted({256, 255, 7, 255}, 0, 9) == i64s({7, 255, 255, 256})));
  BOOST_TEST((sorted({1ll << 62, 0, 5ll << 60}, 60, 63) == i64s({0, 1ll << 62, 5ll << 60})));
  BOOST_TEST((sorted({}, 0, 5) == i64s({})));
}

BOOST_FIXTURE_TEST_CASE(a_host_s_sorts_stay, ByBits) {
  const Name ys = f.let("ys", Sort{first, end, xs});
  const Name zss = f.let("zss", Replicate{{int_atom(2)}, ys});
  const Lambda sort = f.lambda({{"zs", integers({n})}}, [&](Builder& b, const std::vector<Name>& zs) {
    return std::vector<Atom>{b.let("sorted", Sort{int_atom(0), first, zs[0]})};
  });
  f.returns({f.let("sorted", Map{int_atom(2), sort, {zss}, {}})});
  BOOST_TEST(verify(program).empty());
  Program looped = program;
  parallel::sort_by_loops(looped, false);
  BOOST_TEST(verify(looped).empty());
  BOOST_TEST(sorts_in(looped.functions[0].body) == 1u);
  const Arguments arguments{i64s({0x21, 0x12, 0x10, 0x33}), i64_value(4), i64_value(6)};
  BOOST_TEST((run_entry(looped, "main", arguments) == run_entry(program, "main", arguments)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sort_loops_tests
