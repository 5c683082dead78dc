#include "tests/unit/transform/inspect.hpp"
#include "transform/fuse/fuse.hpp"

namespace spread_updates_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

/// For each row of xss, adds its squares to the row of sums that `is` names; the row may have a
/// second use, and a call may stand between the row and its use.
Program adding_rows(bool row_is_used_again, const std::vector<Arguments>& runs, bool calls = false) {
  TestProgram p;
  FunctionMaker callee = p.function("same");
  const Name same = callee.returns({callee.param("k", integer)});
  FunctionMaker f = p.function("main");
  const Name n = f.size("n"), m = f.size("m");
  const Name xss = f.param("xss", reals({n, m}));
  const Name is = f.param("is", array(PrimType::i64, {n}));
  const Name zeros = f.let("zeros", Replicate{{n, m}, f64(0)});
  Type type = reals({n, m});
  type.accumulator = true;
  const Lambda square = f.lambda({{"x", real}}, [](Builder& b, const std::vector<Name>& q) {
    return std::vector<Atom>{b.binop("square", BinOpKind::mul, q[0], q[0])};
  });
  const Lambda fn = f.lambda({{"acc", type}}, [&](Builder& b, const std::vector<Name>& accs) {
    const Lambda each = b.lambda({{"acc", type}, {"xs", reals({m})}, {"i", integer}},
                                 [&](Builder& c, const std::vector<Name>& q) {
                                   const Name row =
                                       c.let("row", Map{m, rename(square, c.names), {q[1]}, {}});
                                   const Name i = calls ? c.let("i", Call{same, {q[2]}}) : q[2];
                                   Name acc = c.let("acc", UpdateAcc{q[0], {i}, row, false});
                                   if (row_is_used_again)
                                     acc = c.let("acc", UpdateAcc{acc, {int_atom(0)}, row, false});
                                   return std::vector<Atom>{acc};
                                 });
    return std::vector<Atom>{b.let("acc", Map{n, each, {xss, is}, {accs[0]}})};
  });
  f.returns({f.let("sums", WithAcc{{{zeros, AddUp{}}}, fn})});
  return after(boustro::fuse::spread_updates, p.program, runs);
}

/// For each row of xss, adds its squares to all of two arrays of sums.
Program adding_rows_twice(const std::vector<Arguments>& runs) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n"), m = f.size("m");
  const Name xss = f.param("xss", reals({n, m}));
  Type type = reals({m});
  type.accumulator = true;
  const std::vector<std::pair<std::string, Type>> accs(2, {"acc", type});
  const Lambda fn = f.lambda(accs, [&](Builder& b, const std::vector<Name>& outer) {
    auto params = accs;
    params.emplace_back("xs", reals({m}));
    const Lambda each = b.lambda(params, [&](Builder& c, const std::vector<Name>& q) {
      const Lambda square = c.lambda({{"x", real}}, [](Builder& e, const std::vector<Name>& x) {
        return std::vector<Atom>{e.binop("square", BinOpKind::mul, x[0], x[0])};
      });
      const Name row = c.let("row", Map{m, square, {q[2]}, {}});
      const Name first = c.let("acc", UpdateAcc{q[0], {}, row, false}), second = c.let("acc", UpdateAcc{q[1], {}, row, false});
      return std::vector<Atom>{first, second};
    });
    const auto added = b.let_all({"acc"}, Map{n, each, {xss}, {outer[0], outer[1]}});
    return std::vector<Atom>(added.begin(), added.end());
  });
  std::vector<AccumulatorInput> inputs;
  for (int k = 0; k < 2; ++k) inputs.push_back({f.let("zeros", Replicate{{m}, f64(k)}), AddUp{}});
  const auto sums = f.let_all({"sums"}, WithAcc{inputs, fn});
  f.returns({sums.begin(), sums.end()});
  return after(boustro::fuse::spread_updates, p.program, runs);
}

const std::vector<Arguments> row_runs = {{some_f64s({4, 3}), some_i64s({4}, 6)},
                                         {some_f64s({4, 0}), some_i64s({4}, 4)},
                                         {some_f64s({0, 3}), some_i64s({0}, 1)}};

}  // namespace

BOOST_AUTO_TEST_SUITE(spread)

BOOST_AUTO_TEST_CASE(rows_are_added_element_by_element) {
  const Program q = adding_rows(false, row_runs);
  BOOST_TEST(count<Map>(q) == 2);
  BOOST_TEST(count<Iota>(q) == 1);
}

BOOST_AUTO_TEST_CASE(rows_are_added_behind_calls) {
  const Program q = adding_rows(false, row_runs, true);
  BOOST_TEST(count<Iota>(q) == 1);
}

BOOST_AUTO_TEST_CASE(rows_are_added_to_several_arrays) {
  const Program q = adding_rows_twice({{some_f64s({4, 3})}, {some_f64s({4, 0})}, {some_f64s({0, 3})}});
  BOOST_TEST(count<Iota>(q) == 1);
  BOOST_TEST(count<UpdateAcc>(q) == 2);
}

BOOST_AUTO_TEST_CASE(row_with_another_use_stays) {
  const Program q = adding_rows(true, row_runs);
  BOOST_TEST(count<Iota>(q) == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace spread_updates_tests
