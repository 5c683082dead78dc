// Each rule of flattening where it applies, and where it must not.
#include "tests/unit/transform/inspect.hpp"
#include "transform/parallel/parallel.hpp"

namespace rules_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
using boustro::parallel::Machine;

namespace {

Program flat(const Program& p, const std::vector<Arguments>& runs, Machine machine = Machine::gpu) {
  return after([&](Program q) { return boustro::parallel::flatten(std::move(q), machine); }, p,
               runs);
}

/// The nests of the function's own statements.
std::vector<Nest> outermost(const Program& p) {
  std::vector<Nest> nests;
  for (const Stm& stm : p.functions[0].body.stms) {
    if (const auto* nest = std::get_if<Nest>(&stm.exp)) nests.push_back(*nest);
  }
  return nests;
}

/// A program over `xss: [n][m]f64`.
struct OverRows : TestProgram {
  FunctionMaker f = function("main");
  Name n = f.size("n"), m = f.size("m");
  Name xss = f.param("xss", array(PrimType::f64, {n, m}));
  std::vector<Arguments> runs = {
      {f64s({1, 2, 3, 4, 5, 6}, {2, 3})}, {f64s({}, {0, 2})}, {f64s({}, {2, 0})}};

  /// map (\xs -> body xs) xss
  template <typename Fill>
  Name map_rows(Fill fill) {
    const Lambda fn = f.lambda(
        {{"xs", array(PrimType::f64, {m})}},
        [&](Builder& b, const std::vector<Name>& p) { return std::vector<Atom>{fill(b, p[0])}; });
    return f.let("ys", Map{n, fn, {xss}, {}});
  }
  static Lambda square(Builder& b) {
    return b.lambda({{"x", scalar(PrimType::f64)}}, [](Builder& inner, const std::vector<Name>& p) {
      return std::vector<Atom>{inner.binop("y", BinOpKind::mul, p[0], p[0])};
    });
  }
};

Operator adding(Builder& b) {
  return {binop_lambda(b, BinOpKind::add, PrimType::f64), {f64(0)}, true};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rules)

BOOST_AUTO_TEST_CASE(perfect_nests_are_one_space_on_a_gpu) {
  OverRows p;
  p.f.returns({p.map_rows([&](Builder& b, const Name& xs) {
    return b.let("ys", Map{p.m, OverRows::square(b), {xs}, {}});
  })});
  const auto nests = outermost(flat(p.program, p.runs));
  BOOST_REQUIRE(nests.size() == 1);
  BOOST_TEST(nests[0].space.size() == 2u);
  BOOST_TEST((nests[0].over == Level::grid && nests[0].each == Level::thread));
}

BOOST_AUTO_TEST_CASE(workers_keep_rows_together) {
  OverRows p;
  p.f.returns({p.map_rows([&](Builder& b, const Name& xs) {
    return b.let("ys", Map{p.m, OverRows::square(b), {xs}, {}});
  })});
  const auto nests = outermost(flat(p.program, p.runs, Machine::cpu));
  BOOST_REQUIRE(nests.size() == 1);
  BOOST_TEST(nests[0].space.size() == 1u);
  BOOST_TEST((nests[0].over == Level::workers));
}

namespace {

/// exp of m, so many times one of the other.
Name exps(Builder& b, const Name& m, int count) {
  Name x = b.let("x", Convert{PrimType::i64, PrimType::f64, m});
  for (int k = 0; k < count; ++k) x = b.let("x", MathOp{MathFn::exp, PrimType::f64, {x}});
  return x;
}

/// The dimensions of each nest of a grid, at any depth.
std::vector<std::size_t> grids(const Body& body) {
  std::vector<std::size_t> result;
  for (const Stm& stm : body.stms) {
    const auto* nest = std::get_if<Nest>(&stm.exp);
    if (nest && nest->over == Level::grid) result.push_back(nest->space.size());
    for_each_body(stm.exp, [&](const Body& inner) {
      for (const std::size_t rank : grids(inner)) result.push_back(rank);
    });
  }
  return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_more_than_a_load_takes_is_computed_at_each_point_of_a_perfect_nest) {
  for (const int count : {1, 2, 3}) {
    OverRows p;
    p.f.returns({p.map_rows([&](Builder& b, const Name& xs) {
      const Name factor = exps(b, p.m, count);
      const Lambda scale = b.lambda({{"x", real}}, [&](Builder& inner, const std::vector<Name>& q) {
        return std::vector<Atom>{inner.binop("y", BinOpKind::mul, q[0], factor)};
      });
      return b.let("ys", Map{p.m, scale, {xs}, {}});
    })});
    const auto nests = outermost(flat(p.program, p.runs));
    BOOST_REQUIRE(nests.size() == 1);
    BOOST_TEST(nests[0].space.size() == (count == 1 ? 2u : 1u));
  }
}

/// What is added to a row of sums for each x is computed again for each element of the row, or stored before.
BOOST_AUTO_TEST_CASE(what_additions_need_is_stored_if_it_takes_longer_than_a_load) {
  for (const int count : {0, 1, 3}) {
    OverRows p;
    const Name sums = p.f.let("sums", Replicate{{p.m}, f64(0)});
    Type type = reals({p.m});
    type.accumulator = true;
    const Name indices = p.f.let("indices", Iota{p.n});
    const Lambda add = p.f.lambda({{"acc", type}}, [&](Builder& b, const std::vector<Name>& acc) {
      const Lambda each = b.lambda({{"acc", type}, {"i", integer}}, [&](Builder& in, const std::vector<Name>& q) {
        const Name x = exps(in, q[1], count), ts = in.let("ts", Iota{p.m});
        const Lambda to_cell = in.lambda({{"acc", type}, {"t", integer}}, [&](Builder& cell, const std::vector<Name>& r) {
          return std::vector<Atom>{cell.let("acc", UpdateAcc{r[0], {r[1]}, x, false})};
        });
        return std::vector<Atom>{in.let("acc", Map{p.m, to_cell, {ts}, {q[0]}})};
      });
      return std::vector<Atom>{b.let("acc", Map{p.n, each, {indices}, {acc[0]}})};
    });
    p.f.returns({p.f.let("added", WithAcc{{{sums, AddUp{}}}, add})});
    const Program q = flat(p.program, p.runs);
    using Ranks = std::vector<std::size_t>;
    const auto expected = count < 3 ? Ranks{2, 1} : Ranks{1, 2, 1};  // it becomes sums
    BOOST_TEST(grids(q.functions[0].body) == expected, boost::test_tools::per_element());
  }
}

/// Each row of a matrix goes to a row of maxima, and to a row of sums in the other case, which is no addition to a cell any more.
BOOST_AUTO_TEST_CASE(accumulators_by_other_operators_stay) {
  for (const bool adds : {false, true}) {
    OverRows p;
    const Name start = p.f.let("start", Replicate{{p.m}, f64(0)});
    Type type = reals({p.m});
    type.accumulator = true;
    const Lambda add = p.f.lambda({{"acc", type}}, [&](Builder& b, const std::vector<Name>& acc) {
      const Lambda each = b.lambda({{"acc", type}, {"xs", array(PrimType::f64, {p.m})}}, [&](Builder& in, const std::vector<Name>& q) {
        const Name ts = in.let("ts", Iota{p.m});
        const Lambda to_cell =
            in.lambda({{"acc", type}, {"x", real}, {"t", integer}}, [&](Builder& cell, const std::vector<Name>& r) {
              return std::vector<Atom>{cell.let("acc", UpdateAcc{r[0], {r[2]}, r[1], false})};
            });
        return std::vector<Atom>{in.let("acc", Map{p.m, to_cell, {q[1], ts}, {q[0]}})};
      });
      return std::vector<Atom>{b.let("acc", Map{p.n, each, {p.xss}, {acc[0]}})};
    });
    AccumulatorKind kind = AddUp{};
    if (!adds) kind = Combine{binop_lambda(p.f, BinOpKind::max, PrimType::f64), f64(0)};
    p.f.returns({p.f.let("combined", WithAcc{{{start, kind}}, add})});
    const auto expected = adds ? std::vector<std::size_t>{2, 1} : std::vector<std::size_t>{2};
    BOOST_TEST(grids(flat(p.program, p.runs).functions[0].body) == expected, boost::test_tools::per_element());
  }
}

/// Of two arrays, in one map that checks each element, too: nothing is left that would check if each became a nest of its own.
BOOST_AUTO_TEST_CASE(cheap_additions_stay_with_checks_beside_them) {
  for (const bool checks : {false, true}) {
    OverRows p;
    Type type = reals({p.m});
    type.accumulator = true;
    const std::vector<std::pair<std::string, Type>> accs(2, {"acc", type});
    const Name indices = p.f.let("indices", Iota{p.n});
    const Lambda add = p.f.lambda(accs, [&](Builder& b, const std::vector<Name>& outer) {
      auto params = accs;
      params.emplace_back("i", integer);
      const Lambda each = b.lambda(params, [&](Builder& in, const std::vector<Name>& q) {
        if (checks) in.assert_that(in.cmp("good", CmpOpKind::lt, q[2], i64(1)), "too many");
        std::vector<Atom> added;
        for (std::size_t k = 0; k < 2; ++k) {
          const Name ts = in.let("ts", Iota{p.m});
          const Lambda to_cell = in.lambda({{"acc", type}, {"t", integer}}, [&](Builder& cell, const std::vector<Name>& r) {
            return std::vector<Atom>{cell.let("acc", UpdateAcc{r[0], {r[1]}, f64(1), false})};
          });
          added.emplace_back(in.let("acc", Map{p.m, to_cell, {ts}, {q[k]}}));
        }
        return added;
      });
      const auto done = b.let_all({"acc"}, Map{p.n, each, {indices}, {outer[0], outer[1]}});
      return std::vector<Atom>(done.begin(), done.end());
    });
    std::vector<AccumulatorInput> inputs;
    for (int k = 0; k < 2; ++k) inputs.push_back({p.f.let("sums", Replicate{{p.m}, f64(0)}), AddUp{}});
    const auto sums = p.f.let_all({"sums"}, WithAcc{inputs, add});
    p.f.returns({sums.begin(), sums.end()});
    const Program q = flat(p.program, checks ? std::vector<Arguments>{{f64s({1, 2}, {1, 2})}} : p.runs);
    const auto expected = checks ? std::vector<std::size_t>{1} : std::vector<std::size_t>{2, 1, 2, 1};
    BOOST_TEST(grids(q.functions[0].body) == expected, boost::test_tools::per_element());
    BOOST_TEST(count<Assert>(q) == static_cast<int>(checks));
  }
}

BOOST_AUTO_TEST_CASE(a_space_that_depends_on_the_outer_index_stays_inside) {
  OverRows p;
  const Lambda fn =
      p.f.lambda({{"i", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& at) {
        const Name counted = b.let("is", Iota{at[0]});
        const Lambda twice = b.lambda(
            {{"k", scalar(PrimType::i64)}}, [](Builder& inner, const std::vector<Name>& q) {
              return std::vector<Atom>{inner.binop("y", BinOpKind::add, q[0], q[0])};
            });
        const Name row = b.let("row", Map{at[0], twice, {counted}, {}});
        return std::vector<Atom>{b.let(
            "sum",
            Reduce{at[0], binop_lambda(b, BinOpKind::add, PrimType::i64), {i64(0)}, {row}, true})};
      });
  const Name indices = p.f.let("indices", Iota{p.n});
  p.f.returns({p.f.let("sums", Map{p.n, fn, {indices}, {}})});
  const auto nests = outermost(flat(p.program, p.runs));
  BOOST_REQUIRE(nests.size() == 1);
  BOOST_TEST(nests[0].space.size() == 1u);
}

BOOST_AUTO_TEST_CASE(columns_of_vectorised_reductions_are_dimensions) {
  OverRows p;
  const Type row = array(PrimType::f64, {p.m});
  const Lambda op =
      p.f.lambda({{"a", row}, {"b", row}}, [&](Builder& b, const std::vector<Name>& q) {
        return std::vector<Atom>{b.let(
            "sums", Map{p.m, binop_lambda(b, BinOpKind::add, PrimType::f64), {q[0], q[1]}, {}})};
      });
  const Name zeros = p.f.let("zeros", Replicate{{p.m}, f64(0)});
  p.f.returns({p.f.let("sum", Reduce{p.n, op, {zeros}, {p.xss}, true})});
  const auto nests = outermost(flat(p.program, p.runs));
  BOOST_REQUIRE(nests.size() == 1);
  BOOST_TEST((nests[0].space == Shape{p.m, p.n}));
  BOOST_TEST(nests[0].outs[0].rank == 1);
}

BOOST_AUTO_TEST_CASE(reductions_with_results_beside_them_are_taken_apart_on_a_gpu) {
  OverRows p;
  const Lambda fn = p.f.lambda(
      {{"xs", array(PrimType::f64, {p.m})}}, [&](Builder& b, const std::vector<Name>& q) {
        const Name sum = b.let("sum", Reduce{p.m, adding(b).op, {f64(0)}, {q[0]}, true});
        return std::vector<Atom>{sum, sum};
      });
  const auto results =
      p.f.let_all({"total", "sums"}, MapReduce{p.n, {adding(p.f)}, fn, {p.xss}, {}});
  p.f.returns({results.begin(), results.end()});
  BOOST_TEST(outermost(flat(p.program, p.runs)).size() == 2u);
  BOOST_TEST(outermost(flat(p.program, p.runs, Machine::cpu)).size() == 1u);
}

BOOST_AUTO_TEST_CASE(operators_with_variables_of_the_program_combine_chunks_of_neighbours) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n");
  const Name as = f.param("as", array(PrimType::f64, {n})),
             bs = f.param("bs", array(PrimType::f64, {n}));
  const Name k = f.param("k", scalar(PrimType::f64));
  // Composition of x -> a + k b x: associative, not commutative.
  const Type real = scalar(PrimType::f64);
  const Lambda op = f.lambda({{"a", real}, {"b", real}, {"c", real}, {"d", real}},
                             [&](Builder& b, const std::vector<Name>& q) {
                               const Atom factor = b.binop("factor", BinOpKind::mul, q[3], k);
                               const Atom scaled = b.binop("scaled", BinOpKind::mul, factor, q[0]);
                               return std::vector<Atom>{b.binop("r", BinOpKind::add, q[2], scaled),
                                                        b.binop("s", BinOpKind::mul, q[1], factor)};
                             });
  const auto results = f.let_all({"r"}, Reduce{n, op, {f64(0), f64(1)}, {as, bs}, false});
  f.returns({results.begin(), results.end()});
  std::vector<Arguments> runs;
  for (const std::size_t size : {0u, 1u, 2u, 63u, 65u, 200u}) {
    std::vector<double> a(size), b(size);
    for (std::size_t i = 0; i < size; ++i)
      a[i] = static_cast<double>(i % 7), b[i] = i % 3 == 0 ? 1.0 : -1.0;
    runs.push_back(
        {f64s(a, {static_cast<std::int64_t>(size)}), f64s(b, {static_cast<std::int64_t>(size)}), f64_value(1)});
  }
  const auto nests = outermost(flat(p.program, runs));
  BOOST_REQUIRE(nests.size() == 3);
  BOOST_TEST((nests[0].over == Level::grid && nests[1].over == Level::grid &&
              nests[2].over == Level::grid));
}

BOOST_AUTO_TEST_CASE(points_that_take_long_are_stored_before_a_library_combines_them) {
  OverRows p;
  const auto total = [&](const Atom& count) {
    const Lambda fn = p.f.lambda(
        {{"xs", array(PrimType::f64, {p.m})}}, [&](Builder& b, const std::vector<Name>&) {
          const Name row = b.let("row", Replicate{{count}, f64(2)});
          return std::vector<Atom>{b.let("sum", Reduce{count, adding(b).op, {f64(0)}, {row}, true})};
        });
    return p.f.let("total", MapReduce{p.n, {adding(p.f)}, fn, {p.xss}, {}});
  };
  const Name short_sums = total(i64(4)), long_sums = total(p.m);
  p.f.returns({short_sums, long_sums});
  BOOST_TEST(outermost(flat(p.program, p.runs)).size() == 3u);
}

BOOST_AUTO_TEST_CASE(calls_of_functions_on_scalars_stand_in_points_and_between_nests) {
  TestProgram p;
  FunctionMaker g = p.function("twice");
  const Name x = g.param("x", scalar(PrimType::f64));
  const Name twice = g.returns({g.binop("y", BinOpKind::add, x, x)});
  p.program.functions.back().entry.reset();
  FunctionMaker f = p.function("main");
  const Name n = f.size("n");
  const Name xs = f.param("xs", array(PrimType::f64, {n}));
  const Lambda fn =
      f.lambda({{"x", scalar(PrimType::f64)}}, [&](Builder& b, const std::vector<Name>& q) {
        return std::vector<Atom>{b.let("y", Call{twice, {q[0]}})};
      });
  const Name sums = f.let("sums", MapScan{n, {adding(f)}, fn, {xs}});
  const Name factor = f.let("factor", Call{twice, {f64(3)}});
  const Lambda scale =
      f.lambda({{"s", scalar(PrimType::f64)}}, [&](Builder& b, const std::vector<Name>& q) {
        return std::vector<Atom>{b.binop("z", BinOpKind::mul, q[0], factor)};
      });
  f.returns({f.let("zs", Map{n, scale, {sums}, {}})});
  const Program q =
      after([](Program r) { return boustro::parallel::flatten(std::move(r), Machine::gpu); },
            p.program, {});
  BOOST_TEST(count<Nest>(q) == 1);
}

/// reduce_by_index (bins, counts) op ne is xss for rows of two: `op` on a row and a number, each by itself or not.
void histogram_of_pairs(bool independent, std::size_t grids) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n"), k = f.size("k"), d = f.size("d");
  const Type row = array(PrimType::f64, {d}), real = scalar(PrimType::f64);
  const Name is = f.param("is", array(PrimType::i64, {n})),
             xss = f.param("xss", array(PrimType::f64, {n, d}));
  const Name bins = f.param("bins", array(PrimType::f64, {k, d}), true),
             most = f.param("most", array(PrimType::f64, {k}), true);
  const Lambda op = f.lambda(
      {{"a", row}, {"m", real}, {"b", row}, {"l", real}},
      [&](Builder& b, const std::vector<Name>& q) {
        const Name sums =
            b.let("sums", Map{d, binop_lambda(b, BinOpKind::add, PrimType::f64), {q[0], q[2]}, {}});
        const Atom larger =
            b.binop("larger", independent ? BinOpKind::max : BinOpKind::add, q[1], q[3]);
        return std::vector<Atom>{sums, independent ? larger : Atom(b.index("x", sums, {i64(0)}))};
      });
  const Lambda fn = f.lambda(
      {{"bin", scalar(PrimType::i64)}, {"xs", row}}, [&](Builder& b, const std::vector<Name>& q) {
        const Name twice = b.let(
            "twice", Map{d, binop_lambda(b, BinOpKind::add, PrimType::f64), {q[1], q[1]}, {}});
        return std::vector<Atom>{q[0], twice, b.index("first", q[1], {i64(0)})};
      });
  const Name zeros = f.let("zeros", Replicate{{d}, f64(0)});
  const auto results =
      f.let_all({"r"}, ReduceByIndex{n, {{{k}, {bins, most}, op, {zeros, f64(0)}}}, fn, {is, xss}});
  f.returns({results.begin(), results.end()});
  const Program q = flat(p.program, {{i64s({0, 1, 0, 5}), f64s({1, 2, 3, 4, 5, 6, 7, 8}, {4, 2}),
                                      f64s({10, 20, 30, 40}, {2, 2}), f64s({1, 9})}});
  std::size_t found = 0;
  for (const Nest& nest : outermost(q))
    found += nest.over == Level::grid && nest.outs[0].kind == OutKind::histogram;
  BOOST_TEST(found == grids);
}

BOOST_AUTO_TEST_CASE(histograms_of_rows_and_tuples_add_number_by_number) {
  histogram_of_pairs(true, 2);
}
BOOST_AUTO_TEST_CASE(histograms_whose_components_depend_on_each_other_are_combined_in_chunks) {
  histogram_of_pairs(false, 0);
}

BOOST_AUTO_TEST_CASE(a_reader_of_a_scan_becomes_its_epilogue) {
  for (const bool backwards : {false, true}) {
    TestProgram p;
    FunctionMaker f = p.function("main");
    const Name n = f.size("n");
    const Name xs = f.param("xs", array(PrimType::f64, {n})),
               ys = f.param("ys", array(PrimType::f64, {n}));
    Name sums = f.let("sums", Scan{n, adding(f).op, {f64(0)}, {xs}});
    if (backwards) {
      const Atom last = f.binop("last", BinOpKind::sub, n, i64(1));
      sums = f.let("reversed", Index{sums, {Slice{last, n, i64(-1)}}, false});
    }
    const Lambda product = binop_lambda(f, BinOpKind::mul, PrimType::f64);
    f.returns({f.let("zs", Map{n, product, {sums, ys}, {}})});
    const auto nests =
        outermost(flat(p.program, {{f64s({1, 2, 3}), f64s({5, 7, 11})}, {f64s({}), f64s({})}}));
    BOOST_REQUIRE(nests.size() == 1);
    BOOST_TEST(nests[0].outs[0].epilogue.has_value());
  }
}

BOOST_AUTO_TEST_CASE(a_scan_that_is_also_a_result_is_stored) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n");
  const Name xs = f.param("xs", array(PrimType::f64, {n}));
  const Name sums = f.let("sums", Scan{n, adding(f).op, {f64(0)}, {xs}});
  f.returns({sums, f.let("zs", Map{n, OverRows::square(f), {sums}, {}})});
  const auto nests = outermost(flat(p.program, {{f64s({1, 2, 3})}}));
  BOOST_REQUIRE(nests.size() == 2);
  BOOST_TEST(!nests[0].outs[0].epilogue.has_value());
}

BOOST_AUTO_TEST_CASE(scalars_are_computed_as_early_as_they_can_be) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n");
  const Name xs = f.param("xs", array(PrimType::f64, {n}));
  const Name first = f.index("first", xs, {i64(0)}, true);
  const Name squares = f.let("squares", Map{n, OverRows::square(f), {xs}, {}});
  const Atom twice = f.binop("twice", BinOpKind::add, first, first);
  const Name pair = f.let("pair", ArrayLiteral{scalar(PrimType::f64), {twice, first}});
  // These two need the map, or can fail.
  const Name square = f.index("square", squares, {i64(0)});
  const Atom sum = f.binop("sum", BinOpKind::add, square, twice);
  const Atom whole = f.convert("whole", PrimType::i64, first);
  const Atom quotient = f.binop("quotient", BinOpKind::quot, i64(7), whole);
  f.returns({squares, pair, sum, quotient});
  const Program q = flat(p.program, {{f64s({2, 3})}, {f64s({-1})}});
  std::vector<std::string> order;
  for (const Stm& stm : q.functions[0].body.stms) order.push_back(stm.pattern[0].name.base);
  const std::vector<std::string> expected = {"first", "twice", "pair", "whole", "squares", "square", "sum", "quotient"};
  BOOST_TEST(order == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rules_tests
