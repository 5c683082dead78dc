// Which arrays of a thread get a bound for their size, and what is computed for it.
#include "tests/unit/transform/inspect.hpp"
#include "transform/parallel/parallel.hpp"

namespace thread_sizes_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

/// map (\k -> body k) ks
struct OverCounts : TestProgram {
  FunctionMaker f = function("main");
  Name n = f.size("n"), most = f.param("most", integer);
  Name ks = f.param("ks", integers({n}));
  std::vector<Arguments> runs = {{i64_value(4), i64s({3, 0, 4, 1})}, {i64_value(0), i64s({})}};

  template <typename Fill>
  Program after_map(Fill fill) {
    const Lambda fn = f.lambda({{"k", integer}}, [&](Builder& b, const std::vector<Name>& p) {
      return std::vector<Atom>{fill(b, p[0])};
    });
    f.returns({f.let("totals", Map{n, fn, {ks}, {}})});
    return after(boustro::parallel::bound_thread_sizes, program, runs);
  }

  /// The last element of scan (+) 0 (iota k), or 0.
  static Atom last_of_scan(Builder& b, const Atom& k) {
    const Name xs = b.let("xs", Iota{k});
    const Name sums = b.let("sums", Scan{k, binop_lambda(b, BinOpKind::add, PrimType::i64), {i64(0)}, {xs}});
    const Atom last = b.binop("last", BinOpKind::sub, k, i64(1));
    const Atom some = b.cmp("some", CmpOpKind::lt, i64(0), k);
    Builder then(b.names);
    const Name element = then.index("x", sums, {last}, true);
    const Param result = b.names.fresh_param("x", integer);
    b.let({result}, If{some, {then.stms, {element}}, {{}, {i64(0)}}});
    return result.name;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(thread_sizes)

BOOST_AUTO_TEST_CASE(a_size_of_one_thread_is_bounded_by_the_largest_of_all) {
  OverCounts p;
  const Program q = p.after_map([](Builder& b, const Name& k) { return OverCounts::last_of_scan(b, k); });
  BOOST_TEST(count<MapReduce>(q) == 1);
  // The sizes alone are computed again.
  BOOST_TEST(count<Scan>(q) == 1);
}

BOOST_AUTO_TEST_CASE(what_the_host_can_bound_is_left_alone) {
  OverCounts p;
  const Program q = p.after_map([&](Builder& b, const Name& k) {
    const Atom least = b.binop("least", BinOpKind::min, k, p.most);
    return OverCounts::last_of_scan(b, b.binop("twice", BinOpKind::add, least, least));
  });
  BOOST_TEST((q == p.program));
}

BOOST_AUTO_TEST_CASE(sizes_may_depend_on_arrays_of_other_sizes) {
  OverCounts p;
  const Program q = p.after_map([](Builder& b, const Name& k) {
    return OverCounts::last_of_scan(b, OverCounts::last_of_scan(b, k));
  });
  // The second one needs an array of the first.
  BOOST_TEST(count<MapReduce>(q) == 2);
  BOOST_TEST(count<Scan>(q) == 3);
}

BOOST_AUTO_TEST_CASE(where_arrays_grow_by_what_they_hold_elements_come_in_order) {
  OverCounts p;
  const Program q = p.after_map([&](Builder& b, const Name& k) {
    const Param size = b.names.fresh_param("size", integer);
    Builder body(b.names);
    const Atom next = OverCounts::last_of_scan(body, size.name);
    const Param last = b.names.fresh_param("last", integer), j = b.names.fresh_param("j", integer);
    b.let({last}, Loop{{{size, k}}, ForLoop{j.name, PrimType::i64, i64(2)}, {body.stms, {next}}});
    return last.name;
  });
  BOOST_TEST(count<Map>(q) == 0);
  BOOST_TEST(count<Loop>(q) == 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace thread_sizes_tests
