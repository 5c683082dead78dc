#include "transform/ir/print.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/transform/program_builder.hpp"
#include "transform/ir/verify.hpp"

namespace print_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

const Type int_type = scalar(PrimType::i64);
const Type real_type = scalar(PrimType::f64);

/// The entry `main` that `fill` makes, printed.
template <typename Fill>
void prints(const std::string& expected, Fill fill) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  fill(f);
  for (const std::string& violation : verify(p.program)) BOOST_ERROR(violation);
  BOOST_TEST("\n" + to_string(p.program) == expected);
}

Lambda square(Builder& b) {
  return b.lambda({{"x", real_type}}, [](Builder& inner, const std::vector<Name>& q) {
    return std::vector<Atom>{inner.binop("y", BinOpKind::mul, q[0], q[0])};
  });
}

Atom i32(std::int64_t value) { return int_atom(value, PrimType::i32); }

}  // namespace

BOOST_AUTO_TEST_SUITE(print_programs)

BOOST_AUTO_TEST_CASE(sizes_are_implicit_and_fresh_results_unique) {
  prints(R"(
entry main [n] (xs: *[n]f64) (y: f64) : (f64, *[n]f64) =
  let x = xs[0]
  let z = x + y
  let ys = xs with [0] = z
  in (z, ys)
)",
         [](FunctionMaker& f) {
           const Name n = f.size("n");
           const Name xs = f.param("xs", array(PrimType::f64, {n}), true);
           const Name y = f.param("y", real_type);
           const Name x = f.index("x", xs, {i64(0)}, true);
           const Atom z = f.binop("z", BinOpKind::add, x, y);
           f.returns({z, f.let("ys", Update{xs, {i64(0)}, z, true})});
         });
}

BOOST_AUTO_TEST_CASE(names_are_mended_and_numbered_only_where_needed) {
  prints(R"(
entry main (map_: i64) (x: i64) : i64 =
  let y = map_ + x
  let y_1 = y * 2i64
  let a_b = -y_1
  in a_b
)",
         [](FunctionMaker& f) {
           const Name map = f.param("map", int_type), x = f.param("x", int_type);
           const Atom first = f.binop("y", BinOpKind::add, map, x);
           const Atom second = f.binop("y", BinOpKind::mul, first, i64(2));
           f.returns({f.unop("a.b", UnOpKind::neg, second)});
         });
}

BOOST_AUTO_TEST_CASE(scalar_operators) {
  prints(R"(
entry main (x: f64) : (f64, bool) =
  let a = f64.max x (-1.0f64)
  let b = f64.sin a
  let c = i32.f64 b
  let d = c // 2i32
  let e = f64.i32 d
  let f = e <= f64.inf
  let g = f && true
  in (e, g)
)",
         [](FunctionMaker& f) {
           const Name x = f.param("x", real_type);
           const Atom a = f.binop("a", BinOpKind::max, x, f64(-1));
           const Atom b = f.math("b", MathFn::sin, {a});
           const Atom c = f.convert("c", PrimType::i32, b);
           const Atom d = f.binop("d", BinOpKind::quot, c, i32(2));
           const Atom e = f.convert("e", PrimType::f64, d);
           const Atom le = f.cmp("f", CmpOpKind::le, e, f64(std::numeric_limits<double>::infinity()));
           f.returns({e, f.binop("g", BinOpKind::bit_and, le, PrimValue::of_bool(true))});
         });
}

BOOST_AUTO_TEST_CASE(scopes_that_carry_sizes) {
  prints(R"(
entry main (c: bool) : ?[k_1].*[k_1]i64 =
  let [k] (is: [k]i64) =
    if c then
      let two = iota 2
      in two
    else
      let three = iota 3
      in three
  let [k_1] (js_2: [k_1]i64) =
    loop [m] (js: [m]i64) = is for i < 5i64 do
      let m_1 = m + m
      let js_1 = concat js js :> [m_1]i64
      in js_1
  in js_2
)",
         [](FunctionMaker& f) {
           const Name c = f.param("c", scalar(PrimType::boolean));
           Builder small(f.names), large(f.names);
           const Name two = small.let("two", Iota{i64(2)}), three = large.let("three", Iota{i64(3)});
           const Param k = f.names.fresh_param("k", int_type);
           const Param is = f.names.fresh_param("is", array(PrimType::i64, {k.name}));
           f.let({k, is}, If{c, {small.stms, {i64(2), two}}, {large.stms, {i64(3), three}}});
           const Param end = f.names.fresh_param("k", int_type);
           const Param js = f.names.fresh_param("js", array(PrimType::i64, {end.name}));
           const Param m = f.names.fresh_param("m", int_type);
           const Param grown = f.names.fresh_param("js", array(PrimType::i64, {m.name}));
           Builder body(f.names);
           const Atom twice = body.binop("m", BinOpKind::add, m.name, m.name);
           const Name more = body.let("js", Concat{twice, {grown.name, grown.name}});
           const Name i = f.names.bind_fresh("i", int_type);
           f.let({end, js}, Loop{{{m, k.name}, {grown, is.name}},
                                 ForLoop{i, PrimType::i64, i64(5)},
                                 {body.stms, {twice, more}}});
           f.returns({end.name, js.name}, 1);
         });
}

BOOST_AUTO_TEST_CASE(shapes) {
  prints(R"(
entry main [n] [m] (xss: [n][m]f64) : (*[m][n]f64, *[2]f64, *[n][m]f64) =
  let nm = n * m
  let flat = flatten xss :> [nm]f64
  let back = (unflatten (flat :> [n * m]f64) : [n][m]f64)
  let flipped = transpose back
  let part = flat[1:3] :> [2]f64
  let zeros = replicate n (replicate m 0.0f64)
  let blank = (core.scratch n : [n][m]f64)
  let copied = copy flipped
  let part_copy = copy part
  in (copied, part_copy, zeros)
)",
         [](FunctionMaker& f) {
           const Name n = f.size("n"), m = f.size("m");
           const Name xss = f.param("xss", array(PrimType::f64, {n, m}));
           const Atom nm = f.binop("nm", BinOpKind::mul, n, m);
           const Name flat = f.let("flat", Reshape{{nm}, xss});
           const Name back = f.let("back", Reshape{{n, m}, flat});
           const Name flipped = f.let("flipped", Rearrange{{1, 0}, back});
           const Name part = f.let("part", Index{flat, {Slice{i64(1), i64(2), i64(1)}}, true});
           const Name zeros = f.let("zeros", Replicate{{n, m}, f64(0)});
           f.let("blank", Scratch{PrimType::f64, {n, m}});
           f.returns({f.let("copied", Copy{flipped}), f.let("part_copy", Copy{part}), zeros});
         });
}

BOOST_AUTO_TEST_CASE(permutations_are_products_of_transposes) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name x = f.param("x", array(PrimType::f64, {i64(2), i64(3), i64(5)}));
  BOOST_TEST(to_string(Exp(Rearrange{{0, 2, 1}, x})) == "map transpose x_2");
  BOOST_TEST(to_string(Exp(Rearrange{{1, 2, 0}, x})) == "map transpose (transpose x_2)");
}

BOOST_AUTO_TEST_CASE(parallel_operators) {
  prints(R"(
entry main [n] (xs: [n]f64) (is: [n]i64) : (*[n]f64, *[n]f64, f64, *[n]f64, *[n]f64) =
  let (as, bs) = unzip (map2 (\(x: f64) (i: i64) ->
    let y = f64.i64 i
    in (y, x)) xs is)
  let squares = map (\(x_1: f64) -> x_1 * x_1) xs
  let total = reduce (+) 0.0f64 squares
  let (ms, ns) = unzip (scan (\(a: f64, b: f64) (c: f64, d: f64) ->
    let y_3 = a * c
    in (y_3, d)) (1.0f64, 0.0f64) (zip as bs))
  in (as, bs, total, ms, ns)
)",
         [](FunctionMaker& f) {
           const Name n = f.size("n");
           const Name xs = f.param("xs", array(PrimType::f64, {n}));
           const Name is = f.param("is", array(PrimType::i64, {n}));
           const Lambda both = f.lambda({{"x", real_type}, {"i", int_type}}, [](Builder& b, const auto& q) {
             return std::vector<Atom>{b.convert("y", PrimType::f64, q[1]), q[0]};
           });
           const auto pair = f.let_all({"as", "bs"}, Map{n, both, {xs, is}, {}});
           const Name squares = f.let("squares", Map{n, square(f), {xs}, {}});
           const Name total = f.let("total", Reduce{n, binop_lambda(f, BinOpKind::add, PrimType::f64), {f64(0)}, {squares}});
           const Lambda op = f.lambda({{"a", real_type}, {"b", real_type}, {"c", real_type}, {"d", real_type}},
                                      [](Builder& b, const auto& q) {
                                        return std::vector<Atom>{b.binop("y", BinOpKind::mul, q[0], q[2]), q[3]};
                                      });
           const auto scanned = f.let_all({"ms", "ns"}, Scan{n, op, {f64(1), f64(0)}, {pair[0], pair[1]}});
           f.returns({pair[0], pair[1], total, scanned[0], scanned[1]});
         });
}

BOOST_AUTO_TEST_CASE(fused_forms_come_apart) {
  prints(R"(
entry main [n] (xs: [n]f64) : (f64, *[n]f64) =
  let (total_terms, ys) = unzip (map (\(x_1: f64) ->
    let square = x_1 * x_1
    in (square, x_1)) xs)
  let total = reduce (+) 0.0f64 total_terms
  in (total, ys)
)",
         [](FunctionMaker& f) {
           const Name n = f.size("n");
           const Name xs = f.param("xs", array(PrimType::f64, {n}));
           const Lambda fn = f.lambda({{"x", real_type}}, [](Builder& b, const auto& q) {
             return std::vector<Atom>{b.binop("square", BinOpKind::mul, q[0], q[0]), q[0]};
           });
           const auto results =
               f.let_all({"total", "ys"},
                         MapReduce{n, {{binop_lambda(f, BinOpKind::add, PrimType::f64), {f64(0)}, false}}, fn, {xs}, {}});
           f.returns({results[0], results[1]});
         });
}

BOOST_AUTO_TEST_CASE(accumulators_are_calls_into_core) {
  prints(R"(
entry main [n] (dest: *[n]f64) (is: [n]i64) : *[n]f64 =
  let sums = core.with_add dest (\(acc: *core.acc ([n]f64)) ->
    let (acc_3, _) = core.map (\(acc_1: *core.acc ([n]f64)) (i: i64) ->
      let acc_2 = core.update_1d acc_1 i 1.0f64
      in (acc_2, ())) acc is
    in core.finish acc_3)
  in sums
)",
         [](FunctionMaker& f) {
           const Name n = f.size("n");
           const Name dest = f.param("dest", array(PrimType::f64, {n}), true);
           const Name is = f.param("is", array(PrimType::i64, {n}));
           Type acc_type = array(PrimType::f64, {n});
           acc_type.accumulator = true;
           const Lambda fn = f.lambda({{"acc", acc_type}}, [&](Builder& b, const std::vector<Name>& outer) {
             const Lambda inner = b.lambda({{"acc", acc_type}, {"i", int_type}}, [](Builder& c, const auto& q) {
               return std::vector<Atom>{c.let("acc", UpdateAcc{q[0], {q[1]}, f64(1), false})};
             });
             return std::vector<Atom>{b.let("acc", Map{n, inner, {is}, {outer[0]}})};
           });
           f.returns({f.let("sums", WithAcc{{{dest, AddUp{}}}, fn})});
         });
}

BOOST_AUTO_TEST_CASE(derivatives) {
  prints(R"(
entry main (x: f64) (y: f64) : (f64, f64, f64) =
  let (z_1, (x_adj, y_adj)) = vjp2 (\(a: f64, b: f64) -> a * b) (x, y) 1.0f64
  in (z_1, x_adj, y_adj)
)",
         [](FunctionMaker& f) {
           const Name x = f.param("x", real_type), y = f.param("y", real_type);
           const Lambda product = f.lambda({{"a", real_type}, {"b", real_type}}, [](Builder& b, const auto& q) {
             return std::vector<Atom>{b.binop("z", BinOpKind::mul, q[0], q[1])};
           });
           const auto results = f.let_all({"z", "x_adj", "y_adj"}, Vjp{product, {x, y}, {f64(1)}, {}});
           f.returns({results[0], results[1], results[2]});
         });
}

BOOST_AUTO_TEST_CASE(provenance_follows_the_first_line) {
  boustro::source::SourceMap sources;
  const auto file = sources.add("area.fut", "def a = 1\ndef b = 2\n");
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name x = f.param("x", real_type);
  f.origin = {{{file, 10, 13}}, "reverse_mul", Sweep::reverse};
  f.returns({f.binop("y", BinOpKind::mul, x, x)});
  const std::string text = to_string(p.program, {true, &sources});
  BOOST_TEST(text == "entry main (x: f64) : f64 =\n  let y = x * x  -- reverse_mul, area.fut:2\n  in y\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace print_tests
