#include "tests/unit/transform/inspect.hpp"
#include "transform/simplify/early_copies.hpp"
#include "transform/simplify/simplify.hpp"

namespace arrays_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

Program simplified(const Program& p, const std::vector<Arguments>& runs = {}) {
  return after([](Program q) { return boustro::simplify::simplify(std::move(q)); }, p, runs);
}

/// A program over `xs: [n]f64`.
struct OverArray : TestProgram {
  FunctionMaker f = function("main");
  Name n = f.size("n");
  Name xs = f.param("xs", reals({n}));
  std::vector<Arguments> runs = {{some_f64s({0})}, {some_f64s({1})}, {some_f64s({5})}};

  Program simple(std::vector<Atom> results) {
    f.returns(std::move(results));
    return simplified(program, runs);
  }
};

Lambda twice(Builder& b) {
  return on_scalars(b, {PrimType::f64}, [](Builder& inner, const std::vector<Name>& p) {
    return std::vector<Atom>{inner.binop("twice", BinOpKind::add, p[0], p[0])};
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(arrays)

BOOST_AUTO_TEST_CASE(map_over_replicate_takes_the_value) {
  OverArray p;
  const Name y = p.f.param("y", real);
  const Name ys = p.f.let("ys", Replicate{{p.n}, y});
  const Lambda product = binop_lambda(p.f, BinOpKind::mul, PrimType::f64);
  const Name zs = p.f.let("zs", Map{p.n, product, {p.xs, ys}, {}});
  p.f.returns({zs});
  const Program q =
      simplified(p.program, {{some_f64s({3}), f64_value(2)}, {some_f64s({0}), f64_value(2)}});
  BOOST_TEST(count<Replicate>(q) == 0);
  BOOST_TEST(statements(q) == 2);
}

BOOST_AUTO_TEST_CASE(identity_map_of_unshared_array_is_that_array) {
  OverArray p;
  const Name ys = p.f.let("ys", Map{p.n, twice(p.f), {p.xs}, {}});
  const Lambda same = on_scalars(p.f, {PrimType::f64}, [](Builder&, const std::vector<Name>& q) {
    return std::vector<Atom>{q[0]};
  });
  BOOST_TEST(count<Map>(p.simple({p.f.let("zs", Map{p.n, same, {ys}, {}})})) == 1);
}

/// Numbers at another place of an array that has been updated are read once.
BOOST_AUTO_TEST_CASE(updates_of_other_places_do_not_matter_to_reads) {
  const auto reads = [](std::int64_t written, std::int64_t read) {
    OverArray p;
    const Name ys = p.f.let("ys", Copy{p.xs});
    const Name x = p.f.index("x", ys, {i64(1)}, true);
    const Name zs = p.f.let("zs", Update{ys, {i64(written)}, f64(7), true});
    const Name y = p.f.index("y", zs, {i64(read)}, true);
    p.f.returns({p.f.binop("z", BinOpKind::sub, x, y), zs});
    return count<Index>(simplified(p.program, {{some_f64s({5})}, {some_f64s({3})}}));
  };
  BOOST_TEST(reads(0, 1) == 1);
  BOOST_TEST(reads(0, 2) == 2);
  BOOST_TEST(reads(2, 1) == 1);
}

BOOST_AUTO_TEST_CASE(copy_that_is_updated_stays_if_the_original_is_read) {
  OverArray p;
  const Name ys = p.f.let("ys", Map{p.n, twice(p.f), {p.xs}, {}});
  const Name zs = p.f.let("zs", Copy{ys});
  const Name us = p.f.let("us", Update{zs, {Slice{i64(0), p.n, i64(1)}}, p.xs, false});
  const Name vs = p.f.let("vs", Copy{us});
  const Program q = p.simple({ys, vs});
  BOOST_TEST(count<Map>(q) == 1);
}

BOOST_AUTO_TEST_CASE(fresh_arrays_that_are_updated_are_not_merged) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name as = f.let("as", Replicate{{i64(3)}, f64(0)});
  const Name bs = f.let("bs", Replicate{{i64(3)}, f64(0)});
  const Name cs = f.let("cs", Update{as, {i64(0)}, f64(1), false});
  const Name ds = f.let("ds", Update{bs, {i64(1)}, f64(2), false});
  f.returns({cs, ds});
  BOOST_TEST(count<Replicate>(simplified(p.program, {{}})) == 2);
}

BOOST_AUTO_TEST_CASE(next_values_that_are_updated_are_not_merged) {
  // loop (as, bs, s) = (copy xs, copy xs, 0) for i < 3 do
  //   let as[i] = 5 in (bs, replicate n 0, s + as[j])    beside a replicate n 0 that is read later
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n");
  const Name xs = f.param("xs", reals({n})), j = f.param("j", integer);
  const Name zeros = f.let("zeros", Replicate{{n}, f64(0)});
  const Param as = p.names.fresh_param("as", reals({n}), true), bs = p.names.fresh_param("bs", reals({n}), true);
  const Param sum = p.names.fresh_param("s", real);
  const Name i = p.names.bind_fresh("i", integer);
  Builder body(p.names);
  const Name changed = body.let("as", Update{as.name, {i}, f64(5), true});
  const Atom next = body.binop("s", BinOpKind::add, sum.name, body.index("a", changed, {j}, true));
  const Name fresh = body.let("fresh", Replicate{{n}, f64(0)});
  const Name start_as = f.let("as", Copy{xs}), start_bs = f.let("bs", Copy{xs});
  const auto r = f.let_all({"as_last", "bs_last", "s_last"}, Loop{{{as, start_as}, {bs, start_bs}, {sum, f64(0)}},
                                                                  ForLoop{i, PrimType::i64, i64(3)},
                                                                  {body.stms, {bs.name, fresh, next}}});
  f.returns({r[0], r[2], f.index("z", zeros, {j}, true)});
  simplified(p.program, {{some_f64s({4}), i64_value(2)}});
}

BOOST_AUTO_TEST_CASE(copies_that_are_read_early_go) {
  // let ys = copy xs let zs = copy ys let us = xs with [0] = ys[0] + zs[1], and then a sum of us, of ys or of zs
  for (const int late : {0, 1, 2}) {
    TestProgram p;
    FunctionMaker f = p.function("main");
    const Name n = f.size("n");
    const Name xs = f.let("xs", Map{n, twice(f), {f.param("xs", reals({n}))}, {}});
    const Name ys = f.let("ys", Copy{xs}), zs = f.let("zs", Copy{ys});
    const Atom sum = f.binop("sum", BinOpKind::add, f.index("y", ys, {i64(0)}, true), f.index("z", zs, {i64(1)}, true));
    const Name us = f.let("us", Update{xs, {i64(0)}, sum, true});
    const Name last = late == 1 ? ys : late == 2 ? zs : us;
    f.returns({us, f.let("total", Reduce{n, binop_lambda(f, BinOpKind::add, PrimType::f64), {f64(0)}, {last}})});
    const auto removed = [](Program q) {
      q = boustro::simplify::simplify(std::move(q));
      boustro::simplify::remove_early_copies(q);
      return boustro::simplify::simplify(std::move(q));
    };
    BOOST_TEST(count<Copy>(after(removed, p.program, {{some_f64s({3})}})) == (late ? 1 : 0));
  }
}

BOOST_AUTO_TEST_CASE(copies_that_leave_their_body_stay) {
  // loop (us, vs) = (copy xs, xs) for i < 2 do (us with [i] = 5, copy us): vs is the state before, and lives on
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n");
  const Name xs = f.param("xs", reals({n}));
  const Param us = p.names.fresh_param("us", reals({n}), true), vs = p.names.fresh_param("vs", reals({n}));
  const Name i = p.names.bind_fresh("i", integer);
  Builder body(p.names);
  const Name before = body.let("before", Copy{us.name});
  const Name changed = body.let("us", Update{us.name, {i}, f64(5), true});
  const Name start = f.let("start", Copy{xs});
  const auto r = f.let_all({"us_last", "vs_last"}, Loop{{{us, start}, {vs, xs}}, ForLoop{i, PrimType::i64, i64(2)}, {body.stms, {changed, before}}});
  f.returns({r[0], r[1]});
  const auto removed = [](Program q) {
    boustro::simplify::remove_early_copies(q);
    return q;
  };
  BOOST_TEST(count<Copy>(after(removed, p.program, {{some_f64s({3})}})) == 2);
}

BOOST_AUTO_TEST_CASE(fresh_arrays_that_are_read_are_merged) {
  OverArray p;
  const Name as = p.f.let("as", Map{p.n, twice(p.f), {p.xs}, {}});
  const Name bs = p.f.let("bs", Map{p.n, twice(p.f), {p.xs}, {}});
  const Lambda sum = binop_lambda(p.f, BinOpKind::add, PrimType::f64);
  BOOST_TEST(count<Map>(p.simple({p.f.let("cs", Map{p.n, sum, {as, bs}, {}})})) == 2);
}

BOOST_AUTO_TEST_CASE(read_before_an_update_stays_before_it) {
  // let y = xs[0] let ys = xs with [0] = 5 let z = ys[0]
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n");
  const Name xs = f.param("xs", reals({n}), true);
  const Name y = f.index("y", xs, {i64(0)}, true);
  const Name ys = f.let("ys", Update{xs, {i64(0)}, f64(5), true});
  const Name z = f.index("z", ys, {i64(0)}, true);
  f.returns({ys, f.binop("sum", BinOpKind::add, y, z)});
  simplified(p.program, {{some_f64s({2})}});
}

BOOST_AUTO_TEST_CASE(elements_that_are_written_again_before_anybody_reads_are_written_once) {
  // let as = xs with [i] = 5 let bs = as with [j] = 6 let ys = bs with [i] = 7; and with as[i] + .. in the place of 6
  for (const auto& [is_read, checked] : {std::pair(false, false), {true, false}, {false, true}}) {
    TestProgram p;
    FunctionMaker f = p.function("main");
    const Name n = f.size("n");
    const Name xs = f.param("xs", reals({n}), true), i = f.param("i", integer), j = f.param("j", integer);
    const Name as = f.let("as", Update{xs, {i}, f64(5), checked});
    const Atom value = is_read ? Atom(f.index("x", as, {j}, true)) : f64(6);
    const Name bs = f.let("bs", Update{as, {j}, value, true});
    f.returns({f.let("ys", Update{bs, {i}, f64(7), true})});
    const Program q = simplified(p.program, {{some_f64s({3}), i64_value(0), i64_value(2)}, {some_f64s({3}), i64_value(1), i64_value(1)}});
    BOOST_TEST(count<Update>(q) == (is_read || checked ? 3 : 2));
  }
}

BOOST_AUTO_TEST_CASE(index_of_iota_and_replicate_is_known) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name x = f.param("x", integer);
  const Name is = f.let("is", Iota{i64(10)}), xs = f.let("xs", Replicate{{i64(10)}, x});
  const Name a = f.index("a", is, {i64(3)}, true), b = f.index("b", xs, {i64(9)}, true);
  f.returns({f.binop("c", BinOpKind::add, a, b)});
  BOOST_TEST(statements(simplified(p.program, {{i64_value(4)}})) == 1);
}

namespace {

/// reduce (\\(a, b) (c, d) -> (a + c, b * d)) (0, 1) xs xs, with `b + c` in place of the product if its components need each other.
Program reduced_by_pairs(bool together) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n"), xs = f.param("xs", reals({n}));
  const std::vector<std::pair<std::string, Type>> four(4, {"a", real});
  const Lambda op = f.lambda(four, [&](Builder& b, const std::vector<Name>& x) {
    const Atom sum = b.binop("sum", BinOpKind::add, x[0], x[2]);
    return std::vector<Atom>{sum, b.binop("other", BinOpKind::mul, x[1], together ? sum : Atom(x[3]))};
  });
  const auto totals = f.let_all({"a", "b"}, Reduce{n, op, {f64(0), f64(1)}, {xs, xs}, false});
  f.returns({totals[0], totals[1]});
  return simplified(p.program, {{some_f64s({4})}, {some_f64s({0})}});
}

}  // namespace

BOOST_AUTO_TEST_CASE(components_that_need_each_other_stay_together) {
  BOOST_TEST(count<Reduce>(reduced_by_pairs(false)) == 2);
  BOOST_TEST(count<Reduce>(reduced_by_pairs(true)) == 1);
}

BOOST_AUTO_TEST_CASE(element_of_a_literal_of_rows_is_known) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name x = f.param("x", real), i = f.param("i", integer);
  const Name row = f.let("row", ArrayLiteral{real, {x, f64(2)}}), other = f.let("other", ArrayLiteral{real, {f64(3), f64(4)}});
  const Name rows = f.let("rows", ArrayLiteral{reals({i64(2)}), {row, other}});
  f.returns({f.index("a", rows, {i64(0), i64(0)}, true), f.index("b", rows, {i64(1), i}, true)});
  const Program q = simplified(p.program, {{some_f64s({}), i64_value(1)}, {some_f64s({}), i64_value(0)}});
  BOOST_TEST(count<Index>(q) == 1);
  BOOST_TEST(count<ArrayLiteral>(q) == 3);  // i may be out of bounds
}

BOOST_AUTO_TEST_CASE(index_out_of_bounds_stays) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name is = f.let("is", Iota{i64(10)});
  f.returns({f.index("a", is, {i64(10)}, true)});
  BOOST_TEST(count<Index>(simplified(p.program)) == 1);
}

BOOST_AUTO_TEST_CASE(transposed_twice_is_untouched) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n"), m = f.size("m");
  const Name xss = f.param("xss", reals({n, m}));
  const Name t = f.let("t", Rearrange{{1, 0}, xss}), u = f.let("u", Rearrange{{1, 0}, t});
  f.returns({u, f.index("x", t, {i64(0), i64(1)}, true)});
  const Program q = simplified(p.program, {{some_f64s({2, 3})}});
  BOOST_TEST(count<Rearrange>(q) == 0);
}

namespace {

/// main (xsss: [n][2][3]f64): a map that sees each element as something else.
struct MapOfViews : TestProgram {
  FunctionMaker f = function("main");
  Name n = f.size("n"), xsss = f.param("xsss", reals({n, i64(2), i64(3)}));
  std::vector<Arguments> runs = {{some_f64s({2, 2, 3})}, {some_f64s({1, 2, 3})}};

  template <typename View>
  Name map_of(View view) {
    const Lambda fn = f.lambda({{"xss", reals({i64(2), i64(3)})}}, [&](Builder& b, const std::vector<Name>& params) {
      return std::vector<Atom>{b.let("view", view(params[0]))};
    });
    return f.let("ys", Map{n, fn, {xsss}, {}});
  }
  Name flattened() {
    return map_of([](const Name& xss) { return Reshape{{i64(6)}, xss}; });
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_map_of_views_is_a_view) {
  MapOfViews p;
  const Name flat = p.flattened(), transposed = p.map_of([](const Name& xss) { return Rearrange{{1, 0}, xss}; });
  p.f.returns({flat, transposed});
  const Program q = simplified(p.program, p.runs);
  BOOST_TEST(count<Map>(q) == 0);
  BOOST_TEST(count<Reshape>(q) == 1);
  BOOST_TEST(count<Rearrange>(q) == 1);
}

BOOST_AUTO_TEST_CASE(a_map_of_views_that_is_updated_is_a_copy) {
  MapOfViews p;
  const Name flat = p.flattened();
  const Name updated = p.f.let("zs", Update{flat, {i64(0), i64(0)}, f64(7), true});
  p.f.returns({updated, p.f.index("x", p.xsss, {i64(0), i64(0), i64(0)}, true)});
  const Program q = simplified(p.program, p.runs);
  BOOST_TEST(count<Map>(q) == 0);
  BOOST_TEST(count<Copy>(q) == 1);
}

namespace {

/// main (xss: [n][m]f64): unflatten (map2 (+) (flatten xss) (flatten xss)).
struct MapBetweenViews : TestProgram {
  FunctionMaker f = function("main");
  Name n = f.size("n"), m = f.size("m"), xss = f.param("xss", reals({n, m}));
  std::vector<Arguments> runs = {{some_f64s({2, 3})}, {some_f64s({1, 1})}};
  Name nm, sums, back;

  explicit MapBetweenViews(Sweep sweep) {
    f.origin.sweep = sweep;
    nm = std::get<Name>(f.binop("nm", BinOpKind::mul, n, m));
    const Name xs = f.let("xs", Reshape{{nm}, xss}), ys = f.let("ys", Reshape{{nm}, xss});
    sums = f.let("sums", Map{nm, binop_lambda(f, BinOpKind::add, PrimType::f64), {xs, ys}, {}});
    back = f.let("back", Reshape{{n, m}, sums});
  }
  Program returning(std::vector<Atom> results) {
    f.returns(std::move(results));
    return simplified(program, runs);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(maps_of_flat_arrays_are_maps_of_maps_in_derivatives) {
  MapBetweenViews p(Sweep::reverse);
  const Program q = p.returning({p.back});
  BOOST_TEST(count<Reshape>(q) == 0);
  BOOST_TEST(count<Map>(q) == 2);
}

BOOST_AUTO_TEST_CASE(maps_of_flat_arrays_stay_flat_in_programs) {
  MapBetweenViews p(Sweep::none);
  BOOST_TEST(count<Map>(p.returning({p.back})) == 1);
}

BOOST_AUTO_TEST_CASE(a_map_of_flat_arrays_with_other_uses_is_not_computed_twice) {
  MapBetweenViews p(Sweep::reverse);
  BOOST_TEST(count<Map>(p.returning({p.back, p.f.index("x", p.sums, {i64(0)}, true)})) == 1);
}

BOOST_AUTO_TEST_CASE(indices_of_slices_combine) {
  OverArray p;
  const Name ys = p.f.let("ys", Index{p.xs, {Slice{i64(1), i64(2), i64(1)}}, true});
  p.runs = {{some_f64s({4})}};
  const Program q = p.simple({p.f.index("y", ys, {i64(1)}, false)});
  BOOST_TEST(statements(q) == 1);
}

BOOST_AUTO_TEST_CASE(slice_of_equal_elements_has_equal_elements) {
  OverArray p;
  const Name y = p.f.param("y", real);
  const Name ys = p.f.let("ys", Replicate{{p.n}, y});
  const Name part = p.f.let("part", Index{ys, {Slice{i64(1), i64(2), i64(2)}}, false});
  p.f.returns({part});
  const Program q = simplified(p.program, {{some_f64s({5}), f64_value(2)}});
  BOOST_TEST(count<Index>(q) == 0);
  BOOST_TEST(count<Replicate>(q) == 1);
}

BOOST_AUTO_TEST_CASE(transposed_arrays_leave_maps) {
  OverArray p;
  const Name rows = p.f.param("rows", reals({p.n, i64(2)}));
  const Lambda fn = on_scalars(p.f, {PrimType::f64}, [&](Builder& b, const std::vector<Name>& x) {
    const Name columns = b.let("columns", Rearrange{{1, 0}, rows});
    const Lambda sum = b.lambda({{"column", reals({p.n})}}, [&](Builder& inner, const std::vector<Name>& column) {
      const Lambda shifted = binop_lambda(inner, BinOpKind::add, PrimType::f64);
      return std::vector<Atom>{inner.let("sum", Reduce{p.n, shifted, {x[0]}, {column[0]}, true})};
    });
    const Name sums = b.let("sums", Map{i64(2), sum, {columns}, {}});
    return std::vector<Atom>{b.index("z", sums, {i64(1)}, true)};
  });
  p.f.returns({p.f.let("ys", Map{p.n, fn, {p.xs}, {}})});
  const Program q = simplified(p.program, {{some_f64s({3}), some_f64s({3, 2})}});
  const auto& map = std::get<Map>(q.functions[0].body.stms.back().exp);
  BOOST_TEST(count<Rearrange>(map.fn.body) == 0);
}

BOOST_AUTO_TEST_CASE(invariants_leave_maps) {
  OverArray p;
  const Name y = p.f.param("y", real);
  const Lambda fn = on_scalars(p.f, {PrimType::f64}, [&](Builder& b, const std::vector<Name>& x) {
    const Atom root = b.math("root", MathFn::sqrt, {y});
    return std::vector<Atom>{b.binop("z", BinOpKind::mul, x[0], root)};
  });
  p.f.returns({p.f.let("zs", Map{p.n, fn, {p.xs}, {}})});
  const Program q = simplified(p.program, {{some_f64s({2}), f64_value(4)}});
  BOOST_TEST(std::holds_alternative<MathOp>(q.functions[0].body.stms[0].exp));
}

BOOST_AUTO_TEST_CASE(what_may_fail_stays_in_an_empty_map) {
  OverArray p;
  const Name k = p.f.param("k", integer);
  const Lambda fn = on_scalars(p.f, {PrimType::f64}, [&](Builder& b, const std::vector<Name>& x) {
    const Atom q = b.binop("q", BinOpKind::div, i64(10), k);
    const Atom first = b.index("first", p.xs, {i64(0)}, false);
    const Atom sum = b.binop("sum", BinOpKind::add, x[0], first);
    return std::vector<Atom>{b.binop("z", BinOpKind::mul, sum, b.convert("r", PrimType::f64, q))};
  });
  p.f.returns({p.f.let("zs", Map{p.n, fn, {p.xs}, {}})});
  const Program q =
      simplified(p.program, {{some_f64s({0}), i64_value(0)}, {some_f64s({3}), i64_value(2)}});
  BOOST_TEST(q.functions[0].body.stms.size() == 1u);
}

BOOST_AUTO_TEST_CASE(only_slices_between_numbers_inside_of_the_array_need_no_check) {
  struct Case {
    std::int64_t start, count, stride;
    bool fits;
  };
  for (const Case c : {Case{1, 2, 1, true}, {0, 4, 1, true}, {3, 4, -1, true}, {0, 2, 3, true}, {3, 1, 9, true}, {4, 0, 1, true},
                       {2, 3, 1, false}, {-1, 2, 1, false}, {3, 5, -1, false}, {0, 2, 4, false}, {4, 1, 1, false}, {5, 0, 1, false},
                       {0, -1, 1, false}, {1, 3, std::int64_t{1} << 62, false}}) {
    TestProgram p;
    FunctionMaker f = p.function("main");
    const Name xss = f.param("xss", reals({i64(2), i64(4)}), true);
    const Slice slice{i64(c.start), i64(c.count), i64(c.stride)};
    const Name part = f.let("part", Index{xss, {i64(1), slice}, true});
    const Name part_2 = f.let("part", Copy{part});
    f.returns({part_2, f.let("changed", Update{xss, {i64(0), slice}, part_2, true})});
    const Program q = simplified(p.program);
    bool index_checked = false, update_checked = false;
    for (const Stm& stm : q.functions[0].body.stms) {
      if (const auto* e = std::get_if<Index>(&stm.exp)) index_checked = e->checked;
      if (const auto* e = std::get_if<Update>(&stm.exp)) update_checked = e->checked;
    }
    BOOST_TEST_CONTEXT(c.start << " " << c.count << " " << c.stride) {
      BOOST_TEST(index_checked == !c.fits);
      BOOST_TEST(update_checked == !c.fits);
    }
  }
}

BOOST_AUTO_TEST_CASE(slices_of_arrays_of_unknown_size_stay_checked) {
  OverArray p;
  p.runs = {{some_f64s({1})}};
  const Program q = p.simple({p.f.let("part", Index{p.xs, {Slice{i64(0), i64(1), i64(1)}}, true})});
  BOOST_TEST(std::get<Index>(q.functions[0].body.stms.at(0).exp).checked);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(positions)

BOOST_AUTO_TEST_CASE(array_indexed_by_position_is_an_input) {
  OverArray p;
  const Name is = p.f.let("is", Iota{p.n});
  const Lambda fn = on_scalars(p.f, {PrimType::i64}, [&](Builder& b, const std::vector<Name>& q) {
    const Name x = b.index("x", p.xs, {q[0]}, true);
    return std::vector<Atom>{b.binop("y", BinOpKind::mul, x, x)};
  });
  const Program q = p.simple({p.f.let("ys", Map{p.n, fn, {is}, {}})});
  BOOST_TEST(count<Index>(q) == 0);
  BOOST_TEST(count<Iota>(q) == 0);
}

BOOST_AUTO_TEST_CASE(one_column_is_not_worth_whole_rows) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n"), m = f.size("m"), xss = f.param("xss", reals({n, m}));
  const Name is = f.let("is", Iota{n});
  const Lambda fn = on_scalars(f, {PrimType::i64}, [&](Builder& b, const std::vector<Name>& q) {
    return std::vector<Atom>{b.index("x", xss, {q[0], i64(1)}, true)};
  });
  f.returns({f.let("ys", Map{n, fn, {is}, {}})});
  const Program q = simplified(p.program, {{some_f64s({3, 2})}});
  BOOST_TEST(count<Index>(q) == 1);
  BOOST_TEST(count<Iota>(q) == 1);
}

BOOST_AUTO_TEST_CASE(other_positions_stay) {
  OverArray p;
  const Name is = p.f.let("is", Iota{p.n});
  const Lambda fn = on_scalars(p.f, {PrimType::i64}, [&](Builder& b, const std::vector<Name>& q) {
    const Atom last = b.binop("last", BinOpKind::sub, p.n, i64(1));
    const Atom at = b.binop("at", BinOpKind::sub, last, q[0]);
    return std::vector<Atom>{b.index("x", p.xs, {at}, true)};
  });
  BOOST_TEST(count<Index>(p.simple({p.f.let("ys", Map{p.n, fn, {is}, {}})})) == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace arrays_tests
