#include "transform/fuse/fuse.hpp"

#include "tests/unit/transform/inspect.hpp"
#include "transform/simplify/simplify.hpp"

namespace fuse_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

Program fused(const Program& p, const std::vector<Arguments>& runs = {}) {
  return after(
      [](Program q) { return boustro::simplify::simplify(boustro::fuse::fuse(std::move(q))); }, p,
      runs);
}

/// A program over `xs: [n]f64` and `k: i64`.
struct OverArray : TestProgram {
  FunctionMaker f = function("main");
  Name n = f.size("n");
  Name xs = f.param("xs", reals({n}));
  std::vector<Arguments> runs = {{some_f64s({0})}, {some_f64s({1})}, {some_f64s({5})}};

  Program fused_into(std::vector<Atom> results) {
    f.returns(std::move(results));
    return fused(program, runs);
  }
  Name map(BinOpKind kind, const Name& a, const Name& b) {
    return f.let("ms", Map{n, binop_lambda(f, kind, PrimType::f64), {a, b}, {}});
  }
  Name sum(const Name& a) {
    return f.let("sum",
                 Reduce{n, binop_lambda(f, BinOpKind::add, PrimType::f64), {f64(0)}, {a}, true});
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(fusion)

BOOST_AUTO_TEST_CASE(map_into_map) {
  OverArray p;
  const Name ys = p.map(BinOpKind::mul, p.xs, p.xs);
  const Program q = p.fused_into({p.map(BinOpKind::add, ys, p.xs)});
  BOOST_TEST(count<Map>(q) == 1);
  BOOST_TEST(q.functions[0].body.stms[0].pattern.size() == 1u);
}

BOOST_AUTO_TEST_CASE(map_into_reduce) {
  OverArray p;
  const Program q = p.fused_into({p.sum(p.map(BinOpKind::mul, p.xs, p.xs))});
  BOOST_TEST(count<Map>(q) == 0);
  BOOST_TEST(count<MapReduce>(q) == 1);
}

BOOST_AUTO_TEST_CASE(map_that_is_also_returned_is_computed_once) {
  OverArray p;
  const Name ys = p.map(BinOpKind::mul, p.xs, p.xs);
  const Program q = p.fused_into({p.sum(ys), ys});
  BOOST_TEST(q.functions[0].body.stms.size() == 1u);
  BOOST_TEST(count<MapReduce>(q) == 1);
}

BOOST_AUTO_TEST_CASE(map_into_scan) {
  OverArray p;
  const Name ys = p.map(BinOpKind::mul, p.xs, p.xs);
  const Name zs =
      p.f.let("zs", Scan{p.n, binop_lambda(p.f, BinOpKind::add, PrimType::f64), {f64(0)}, {ys}});
  const Program q = p.fused_into({zs});
  BOOST_TEST(count<MapScan>(q) == 1);
  BOOST_TEST(statements(q) == 3);
}

BOOST_AUTO_TEST_CASE(independent_reductions_share_a_traversal) {
  OverArray p;
  const Name most = p.f.let(
      "most",
      Reduce{p.n, binop_lambda(p.f, BinOpKind::max, PrimType::f64), {f64(-100)}, {p.xs}, true});
  const Program q = p.fused_into({p.sum(p.xs), most});
  BOOST_TEST(q.functions[0].body.stms.size() == 1u);
}

BOOST_AUTO_TEST_CASE(independent_scans_stay_apart) {
  OverArray p;
  const auto scan = [&](BinOpKind kind) {
    return p.f.let("zs", Scan{p.n, binop_lambda(p.f, kind, PrimType::f64), {f64(0)}, {p.xs}});
  };
  const Name sums = scan(BinOpKind::add), most = scan(BinOpKind::max);
  BOOST_TEST(count<Scan>(p.fused_into({sums, most})) == 2);
}

BOOST_AUTO_TEST_CASE(a_total_is_not_an_element) {
  // map (/ total) xs needs all of the sum before any of the map.
  OverArray p;
  const Name total = p.sum(p.xs);
  const Name ys = p.f.let("ys", Replicate{{p.n}, total});
  const Program q = p.fused_into({p.map(BinOpKind::add, p.xs, ys)});
  BOOST_TEST(count<Reduce>(q) == 1);
  BOOST_TEST(count<Map>(q) == 1);
}

BOOST_AUTO_TEST_CASE(neighbours_are_not_elements) {
  // map (\i -> ys[n - 1 - i]) (iota n) reads other elements than its own.
  OverArray p;
  const Name ys = p.map(BinOpKind::mul, p.xs, p.xs);
  const Name is = p.f.let("is", Iota{p.n});
  const Lambda fn =
      on_scalars(p.f, {PrimType::i64, PrimType::f64}, [&](Builder& b, const std::vector<Name>& q) {
        const Atom last = b.binop("last", BinOpKind::sub, p.n, i64(1));
        const Atom at = b.binop("at", BinOpKind::sub, last, q[0]);
        const Name y = b.index("y", ys, {at}, true);
        return std::vector<Atom>{b.binop("z", BinOpKind::sub, y, q[1])};
      });
  const Program q = p.fused_into({p.f.let("zs", Map{p.n, fn, {is, ys}, {}})});
  BOOST_TEST(count<Map>(q) == 2);
}

namespace {

/// Backwards: as[n - 1 : -1 : -1].
Name reversed(OverArray& p, const Name& as) {
  Builder& b = p.f;
  const Atom last = b.binop("last", BinOpKind::sub, p.n, i64(1));
  return p.f.let("backwards", Index{as, {Slice{last, p.n, i64(-1)}}, false});
}

}  // namespace

BOOST_AUTO_TEST_CASE(map_goes_through_a_slice_into_its_consumer) {
  OverArray p;
  const Name ys = reversed(p, p.map(BinOpKind::mul, p.xs, p.xs));
  const Program q = p.fused_into(
      {p.f.let("zs", Scan{p.n, binop_lambda(p.f, BinOpKind::add, PrimType::f64), {f64(0)}, {ys}})});
  BOOST_TEST(count<Map>(q) == 0);
  BOOST_TEST(count<MapScan>(q) == 1);
}

BOOST_AUTO_TEST_CASE(maps_go_through_slices_one_after_the_other) {
  OverArray p;
  const Name ys = p.map(BinOpKind::mul, p.xs, p.xs);
  const Name zs = reversed(p, p.map(BinOpKind::add, ys, p.xs));
  const Program q = p.fused_into({p.sum(reversed(p, zs))});
  BOOST_TEST(count<Map>(q) == 0);
  BOOST_TEST(count<MapReduce>(q) == 1);
}

BOOST_AUTO_TEST_CASE(map_that_may_fail_keeps_the_elements_outside_of_a_slice) {
  // map (\k -> xs[k]) ks fails for a k out of bounds, also where ks[2:] leaves it out.
  for (const bool checked : {false, true}) {
    OverArray p;
    const Name ks = p.f.param("ks", integers({p.n}));
    p.runs = {{some_f64s({5}), some_i64s({5}, 5)}};
    const Lambda fn = on_scalars(p.f, {PrimType::i64}, [&](Builder& b, const std::vector<Name>& q) {
      return std::vector<Atom>{b.index("x", p.xs, {q[0]}, checked)};
    });
    const Name ys = p.f.let("ys", Map{p.n, fn, {ks}, {}});
    const Atom rest = static_cast<Builder&>(p.f).binop("rest", BinOpKind::sub, p.n, i64(2));
    const Name slice = p.f.let("slice", Index{ys, {Slice{i64(2), rest, i64(1)}}, false});
    const Name sum = p.f.let("sum", Reduce{rest, binop_lambda(p.f, BinOpKind::add, PrimType::f64), {f64(0)}, {slice}, true});
    BOOST_TEST(count<Map>(p.fused_into({sum})) == (checked ? 1 : 0));
  }
}

BOOST_AUTO_TEST_CASE(map_that_is_also_read_forwards_is_not_sliced) {
  OverArray p;
  const Name ys = p.map(BinOpKind::mul, p.xs, p.xs);
  const Program q = p.fused_into({p.map(BinOpKind::sub, ys, reversed(p, ys))});
  BOOST_TEST(count<Map>(q) == 2);
}

namespace {

/// xs[k:n] ++ xs[0:k]
Name rotated(OverArray& p, const Name& as, const Atom& k) {
  Builder& b = p.f;
  const Atom rest = b.binop("rest", BinOpKind::sub, p.n, k);
  const Name front = b.let("front", Index{as, {Slice{i64(0), k, i64(1)}}, false}),
             back = b.let("back", Index{as, {Slice{k, rest, i64(1)}}, false});
  return p.f.let("rotated", Concat{p.n, {back, front}});
}

/// Of k = n / 2.
Atom half(OverArray& p) { return static_cast<Builder&>(p.f).binop("half", BinOpKind::div, p.n, i64(2)); }

}  // namespace

BOOST_AUTO_TEST_CASE(rotated_array_is_read_where_it_is_needed) {
  OverArray p;
  const Atom k = half(p);
  const Program q = p.fused_into({p.map(BinOpKind::sub, rotated(p, p.xs, k), p.xs)});
  BOOST_TEST(count<Concat>(q) == 0);
  BOOST_TEST(count<Map>(q) == 1);
}

namespace {

/// A program over xs and ys, each of n or m elements of this shape, and both together.
struct OverTwoArrays : TestProgram {
  explicit OverTwoArrays(Shape inner) : inner(std::move(inner)) {}

  Shape inner;
  FunctionMaker f = function("main");
  Name n = f.size("n"), m = f.size("m");
  Name xs = f.param("xs", reals(of(n))), ys = f.param("ys", reals(of(m)));
  Atom all = static_cast<Builder&>(f).binop("all", BinOpKind::add, n, m);
  Name joined = f.let("joined", Concat{all, {xs, ys}});

  Shape of(const Name& size) const {
    Shape shape{size};
    shape.insert(shape.end(), inner.begin(), inner.end());
    return shape;
  }
  Name sum(const Name& array) {
    return f.let("sum", Reduce{all, binop_lambda(f, BinOpKind::add, PrimType::f64), {f64(0)}, {array}, true});
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(concatenation_of_two_arrays_is_read_where_it_is_needed) {
  OverTwoArrays p({});
  p.f.returns({p.sum(p.joined)});
  const Program q = fused(p.program, {{some_f64s({2}), some_f64s({3})}, {some_f64s({0}), some_f64s({1})}, {some_f64s({1}), some_f64s({0})}});
  BOOST_TEST(count<Concat>(q) == 0);
  BOOST_TEST(count<MapReduce>(q) == 1);
}

BOOST_AUTO_TEST_CASE(rows_of_two_arrays_stay_stored) {
  OverTwoArrays p({i64(2)});
  const Lambda fn = p.f.lambda({{"row", reals({i64(2)})}}, [](Builder& b, const std::vector<Name>& row) {
    return std::vector<Atom>{b.index("y", row[0], {i64(1)})};
  });
  p.f.returns({p.sum(p.f.let("zs", Map{p.all, fn, {p.joined}, {}}))});
  BOOST_TEST(count<Concat>(fused(p.program, {{some_f64s({2, 2}), some_f64s({1, 2})}})) == 1);
}

BOOST_AUTO_TEST_CASE(concatenation_that_is_needed_itself_is_stored) {
  OverArray p;
  const Atom k = half(p);
  const Name both = rotated(p, p.xs, k);
  const Program q = p.fused_into({p.map(BinOpKind::sub, both, p.xs), both});
  BOOST_TEST(count<Concat>(q) == 1);
}

BOOST_AUTO_TEST_CASE(concatenation_that_is_read_by_index_is_stored) {
  OverArray p;
  const Atom k = half(p);
  const Name both = rotated(p, p.xs, k);
  const Lambda fn = on_scalars(p.f, {PrimType::f64}, [&](Builder& b, const std::vector<Name>& x) {
    return std::vector<Atom>{b.binop("z", BinOpKind::add, x[0], b.index("y", both, {i64(0)}, true))};
  });
  const Program q = p.fused_into({p.f.let("zs", Map{p.n, fn, {both}, {}})});
  BOOST_TEST(count<Concat>(q) == 1);
}

BOOST_AUTO_TEST_CASE(part_of_equal_elements_that_is_written_is_read_where_it_is_needed) {
  for (const std::int64_t start : {0, 2}) {
    OverArray p;
    const Atom written_count = static_cast<Builder&>(p.f).binop("count", BinOpKind::sub, p.n, i64(start));
    const Name part = p.f.let("part", Index{p.xs, {Slice{i64(0), written_count, i64(1)}}, false});
    const Name doubled = p.f.let("ys", Map{written_count, binop_lambda(p.f, BinOpKind::add, PrimType::f64), {part, part}, {}});
    const Name equal = p.f.let("equal", Replicate{{p.n}, f64(7)});
    const Name written = p.f.let("written", Update{equal, {Slice{i64(start), written_count, i64(1)}}, doubled, false});
    p.runs = {{some_f64s({2})}, {some_f64s({5})}};
    const Program q = p.fused_into({p.map(BinOpKind::mul, written, p.xs)});
    BOOST_TEST(count<Update>(q) == 0);
    BOOST_TEST(count<Replicate>(q) == 0);
  }
}

BOOST_AUTO_TEST_CASE(part_of_equal_elements_that_is_needed_itself_is_written) {
  OverArray p;
  const Name equal = p.f.let("equal", Replicate{{p.n}, f64(7)});
  const Name part = p.f.let("part", Index{p.xs, {Slice{i64(0), i64(2), i64(1)}}, false});
  const Name written = p.f.let("written", Update{equal, {Slice{i64(0), i64(2), i64(1)}}, part, false});
  p.runs = {{some_f64s({2})}, {some_f64s({5})}};
  const Program q = p.fused_into({p.map(BinOpKind::mul, written, p.xs), written});
  BOOST_TEST(count<Update>(q) == 1);
}

BOOST_AUTO_TEST_CASE(sliced_map_does_not_move_past_an_update_of_what_it_reads) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n");
  const Name us = f.param("us", reals({n}), true);
  const Name ys = f.let("ys", Map{n, binop_lambda(f, BinOpKind::mul, PrimType::f64), {us, us}, {}});
  const Name vs = f.let("vs", Update{us, {i64(0)}, f64(9), true});
  const Name zs = f.let("zs", Index{ys, {Slice{i64(0), n, i64(1)}}, true});
  f.returns({zs, vs});
  fused(p.program, {{some_f64s({3})}});
}

BOOST_AUTO_TEST_CASE(reads_do_not_move_past_updates) {
  // let ys = map f us  let vs = us with [0] = 9  let total = sum ys + vs[0]
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n");
  const Name us = f.param("us", reals({n}), true);
  const Name ys = f.let("ys", Map{n, binop_lambda(f, BinOpKind::mul, PrimType::f64), {us, us}, {}});
  const Name vs = f.let("vs", Update{us, {i64(0)}, f64(9), true});
  const Name v = f.index("v", vs, {i64(0)}, true);
  const Lambda fn = on_scalars(f, {PrimType::f64}, [&](Builder& b, const std::vector<Name>& q) {
    return std::vector<Atom>{b.binop("z", BinOpKind::add, q[0], v)};
  });
  f.returns({f.let("zs", Map{n, fn, {ys}, {}}), vs});
  const Program q = fused(p.program, {{some_f64s({3})}});
  BOOST_TEST(count<Map>(q) == 2);
}

BOOST_AUTO_TEST_CASE(widths_that_differ_do_not_mix) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n"), m = f.size("m");
  const Name xs = f.param("xs", reals({n})), ys = f.param("ys", reals({m}));
  const auto square = [&](const Name& width, const Name& as) {
    return f.let("s", Map{width, binop_lambda(f, BinOpKind::mul, PrimType::f64), {as, as}, {}});
  };
  const Name a = square(n, xs), b = square(m, ys);
  f.returns({a, b});
  BOOST_TEST(count<Map>(fused(p.program, {{some_f64s({3}), some_f64s({2})}})) == 2);
}

BOOST_AUTO_TEST_CASE(inner_traversals_merge_too) {
  // map (\row -> sum (map (* 2) row)) xss
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n"), m = f.size("m");
  const Name xss = f.param("xss", reals({n, m}));
  const Lambda fn = f.lambda({{"row", reals({m})}}, [&](Builder& b, const std::vector<Name>& q) {
    const Name sq =
        b.let("sq", Map{m, binop_lambda(b, BinOpKind::mul, PrimType::f64), {q[0], q[0]}, {}});
    return std::vector<Atom>{b.let(
        "sum", Reduce{m, binop_lambda(b, BinOpKind::add, PrimType::f64), {f64(0)}, {sq}, true})};
  });
  f.returns({f.let("sums", Map{n, fn, {xss}, {}})});
  const Program q =
      fused(p.program, {{some_f64s({3, 2})}, {some_f64s({0, 2})}, {some_f64s({2, 0})}});
  BOOST_TEST(count<MapReduce>(q) == 1);
  BOOST_TEST(count<Map>(q) == 1);
}

BOOST_AUTO_TEST_CASE(map_into_reduce_by_index) {
  OverArray p;
  const Name is = p.f.let("is", Iota{p.n});
  const Lambda halves =
      on_scalars(p.f, {PrimType::i64}, [](Builder& b, const std::vector<Name>& q) {
        return std::vector<Atom>{b.binop("half", BinOpKind::quot, q[0], i64(2))};
      });
  const Name bins = p.f.let("bins", Map{p.n, halves, {is}, {}});
  const Name dest = p.f.let("dest", Replicate{{p.n}, f64(0)});
  const Lambda same = on_scalars(
      p.f, {PrimType::i64, PrimType::f64},
      [](Builder&, const std::vector<Name>& q) { return std::vector<Atom>{q[0], q[1]}; });
  const Histogram histogram{
      {p.n}, {dest}, binop_lambda(p.f, BinOpKind::add, PrimType::f64), {f64(0)}};
  const Program q =
      p.fused_into({p.f.let("hist", ReduceByIndex{p.n, {histogram}, same, {bins, p.xs}})});
  BOOST_TEST(count<Map>(q) == 0);
  BOOST_TEST(count<BinOp>(q) == 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fuse_tests
