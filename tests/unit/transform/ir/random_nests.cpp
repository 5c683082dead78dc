// Random nests evaluate as loops around their combinations do, in whatever order their points run.
#include "tests/unit/transform/random_nests.hpp"

#include "frontend/source/diagnostics.hpp"

namespace random_nests_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

std::vector<boustro::values::Value> run_against(const Program& program, const Arguments& args, unsigned adversary) {
  EvaluateOptions options;
  options.adversary = adversary;
  return run_entry(program, "main", args, options);
}

/// main dest = a nest over 8 points, of which number i stores i at place `index(i)`, and reads what `read` adds.
template <typename Index, typename Read>
Program storing(Index index, Read read) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name dest = f.param("dest", integers({i64(8)}), true);
  Nest nest{Level::thread, Level::thread, {i64(8)}, {}, {}, {}};
  nest.point = f.lambda({{"i", integer}}, [&](Builder& b, const std::vector<Name>& at) {
    const Atom value = read(b, dest, at[0]);
    return std::vector<Atom>{index(b, at[0]), value};
  });
  Out out;
  out.kind = OutKind::scatter;
  out.rank = 1;
  out.bins = {i64(8)};
  out.destinations = {dest};
  nest.outs = {out};
  f.returns({f.let("r", nest)});
  return p.program;
}

Atom itself(Builder&, const Name& i) { return i; }

}  // namespace

BOOST_AUTO_TEST_SUITE(random_nests)

BOOST_AUTO_TEST_CASE(mean_what_loops_mean) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      RandomNest nest(seed);
      check_verified(nest.program());
      const Arguments args = nest.arguments();
      const auto expected = nest.expected(args);
      BOOST_CHECK(run_entry(nest.program(), "main", args) == expected);
      BOOST_CHECK(run_against(nest.program(), args, 0) == expected);
      BOOST_CHECK(run_against(nest.program(), args, seed + 1) == expected);
    }
  }
}

BOOST_AUTO_TEST_CASE(two_points_that_store_in_one_cell_are_noticed) {
  const Program p = storing([](Builder& b, const Name& i) { return b.binop("half", BinOpKind::div, i, i64(2)); },
                            [](Builder&, const Name&, const Name& i) { return Atom(i); });
  const Arguments args = {some_i64s({8}, 100)};
  BOOST_CHECK(run_entry(p, "main", args) != run_against(p, args, 0));
}

BOOST_AUTO_TEST_CASE(a_point_that_reads_what_another_stores_is_noticed) {
  const Program p = storing(itself, [](Builder& b, const Name& dest, const Name& i) {
    const Atom next = b.binop("next", BinOpKind::bit_xor, i, i64(1));
    return Atom(b.index("x", dest, {next}));
  });
  BOOST_TEST(!verify(p).empty());
  for (const unsigned adversary : {0u, 1u})
    BOOST_CHECK_THROW(run_against(p, {some_i64s({8}, 100)}, adversary), boustro::source::InternalError);
}

BOOST_AUTO_TEST_CASE(memory_that_nothing_was_written_to_shows) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name blank = f.let("blank", Scratch{PrimType::f64, {i64(3)}});
  f.returns({f.let("total", Reduce{i64(3), binop_lambda(f, BinOpKind::add, PrimType::f64), {f64(0)}, {blank}})});
  BOOST_TEST(std::isnan(run_against(p.program, {}, 0)[0].element(0).as_float()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace random_nests_tests
