#include "tests/unit/transform/inspect.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/simplify/simplify.hpp"

namespace accumulators_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

/// with_acc over zeros of `cells` in a map over xs that adds x to the cell that `cell` gives.
Program accumulating(const std::function<Atom(Builder&, Name k, Name i, Name x)>& cell,
                     bool in_bounds, const std::vector<Arguments>& runs) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n");
  const Name xs = f.param("xs", reals({n}));
  const Name k = f.param("k", integer);
  const Name zeros = f.let("zeros", Replicate{{n}, f64(0)});
  const Name is = f.let("is", Iota{n});
  Type type = reals({n});
  type.accumulator = true;
  const Lambda fn = f.lambda({{"acc", type}}, [&](Builder& b, const std::vector<Name>& accs) {
    const Lambda each = b.lambda(
        {{"acc", type}, {"i", integer}, {"x", real}}, [&](Builder& c, const std::vector<Name>& q) {
          const Atom at = cell(c, k, q[1], q[2]);
          return std::vector<Atom>{c.let("acc", UpdateAcc{q[0], {at}, q[2], in_bounds})};
        });
    return std::vector<Atom>{b.let("acc", Map{n, each, {is, xs}, {accs[0]}})};
  });
  f.returns({f.let("sums", WithAcc{{{zeros, AddUp{}}}, fn})});
  return after(
      [](Program q) {
        return boustro::simplify::simplify(boustro::fuse::reduce_accumulators(std::move(q)));
      },
      p.program, runs);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(accumulators)

const std::vector<Arguments> runs = {
    {some_f64s({5}), i64_value(2)}, {some_f64s({1}), i64_value(0)}, {some_f64s({3}), i64_value(9)}};

BOOST_AUTO_TEST_CASE(one_cell_becomes_a_reduction) {
  const Program q = accumulating([](Builder&, Name k, Name, Name) { return k; }, false, runs);
  BOOST_TEST(count<Reduce>(q) == 1);
  BOOST_TEST(count<Map>(q) == 0);
}

BOOST_AUTO_TEST_CASE(cell_that_an_empty_map_does_not_have_is_left_alone) {
  const auto last = [](Builder&, Name k, Name, Name) { return Atom(k); };
  const std::vector<Arguments> empty = {{some_f64s({0}), i64_value(0)},
                                        {some_f64s({2}), i64_value(1)}};
  BOOST_TEST(count<Reduce>(accumulating(last, true, empty)) == 1);
}

BOOST_AUTO_TEST_CASE(cell_of_ones_own_becomes_a_map) {
  const Program q = accumulating([](Builder&, Name, Name i, Name) { return i; }, true, runs);
  BOOST_TEST(count<WithAcc>(q) == 0);
  BOOST_TEST(count<UpdateAcc>(q) == 0);
}

BOOST_AUTO_TEST_CASE(cells_chosen_by_data_stay) {
  const Program q = accumulating(
      [](Builder& b, Name, Name i, Name) { return b.binop("half", BinOpKind::quot, i, i64(2)); },
      true, runs);
  BOOST_TEST(count<UpdateAcc>(q) == 1);
  BOOST_TEST(count<Reduce>(q) == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace accumulators_tests
