// Rules of reduce, scan and reduce_by_index by numbers: see rules.cpp.
#include "tests/unit/transform/ad/rule_cases.hpp"

namespace boustro::ad::testing {

namespace {

Value f32s(const std::vector<double>& elements) {
  Value value = Value::zeros(PrimType::f32, {static_cast<std::int64_t>(elements.size())});
  for (std::size_t i = 0; i < elements.size(); ++i)
    value.set_element(static_cast<std::int64_t>(i), PrimValue::of_float(PrimType::f32, elements[i]));
  return value;
}

}  // namespace

BOOST_AUTO_TEST_CASE(reduce_add) {
  check_sizes("entry f [n] (xs: [n]f64): f64 = f64.sum xs");
  check("entry f [n][m] (xss: [n][m]f64): [m]f64 = reduce (map2 (+)) (replicate m 0) xss", {matrix(3, 2)});
}

BOOST_AUTO_TEST_CASE(reduce_min) {
  for (const char* text : {"entry f [n] (xs: [n]f64): f64 = f64.minimum (map f64.sin xs)",
                           "entry f [n] (xs: [n]f64): f64 = 2 * f64.maximum xs"}) {
    check_sizes(text, {1, 2, 7});
    check_sizes(text, {0}, at_kink);
  }
  check("entry f [n] (xs: [n]f64): f64 = reduce f64.max xs[0] xs", {some_f64s(4)});
}

BOOST_AUTO_TEST_CASE(first_of_equal_minima_gets_the_adjoint) {
  const Program program = differentiated(compiled("entry f [n] (xs: [n]f64) = vjp f64.minimum xs 1"));
  BOOST_TEST((run_entry(program, "f", {f64s({2, 1, 3, 1})}).at(0) == f64s({0, 1, 0, 0})));
  const double inf = std::numeric_limits<double>::infinity();
  BOOST_TEST((run_entry(program, "f", {f64s({inf, inf})}).at(0) == f64s({0, 0})));
}

BOOST_AUTO_TEST_CASE(reduce_mul) {
  check_sizes("entry f [n] (xs: [n]f64): f64 = f64.product xs");
  for (const auto& xs : {f64s({2, 0, 3}), f64s({0, 0, 3}), f64s({0})})
    check("entry f [n] (xs: [n]f64): f64 = f64.product xs", {xs}, {.step = 1e-4});
  check("entry f [n][m] (xss: [n][m]f64): [m]f64 = reduce (map2 (*)) (replicate m 1) xss", {matrix(3, 2)});
}

BOOST_AUTO_TEST_CASE(reduce_general) {
  check_sizes("entry f [n] (xs: [n]f64): f64 = reduce (\\x y -> x + y + x * y) 0 xs");
  check("entry f [n] (xs: [n]f64) (ys: [n]f64) = reduce (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs ys)",
        {some_f64s(4), some_f64s(4, 1)});
  check("entry f [n] (xs: [n]f64) (w: f64): f64 = reduce (\\x y -> x + y + w * x * y) 0 xs", {some_f64s(4), f64_value(0.7)});
}

/// A neutral element has a tangent even where elements have none.
BOOST_AUTO_TEST_CASE(active_neutral_elements) {
  const std::string op = "(\\a b -> a + b + a * b)", numbers = "(map f64.i64 is)";
  const Value is = i64s({1, 3, 2});
  check("entry f [n] (x: f64) (is: [n]i64): f64 = reduce " + op + " x " + numbers, {f64_value(0.7), is}, {.vjp = false});
  check("entry f [n] (x: f64) (is: [n]i64): [n]f64 = scan " + op + " x " + numbers, {f64_value(0.7), is}, {.vjp = false});
  check("entry f [n] (x: f64) (is: [n]i64) = (reduce (+) x " + numbers + ", scan (+) x " + numbers + ")", {f64_value(0.7), is},
        {.chunks = false});
}

/// Adjoints that others hold, too, are not updated in place.
BOOST_AUTO_TEST_CASE(adjoints_that_are_shared) {
  check("entry f [n] (xs: [n]f64) = let ys = copy xs let a = xs[0] in (ys, a * a)", {some_f64s(3)});
  check("entry f [n][m] (xss: [n][m]f64) = let a = xss[0, 1] let zss = transpose xss in (zss, a * a)", {matrix(2, 3)});
  check("entry f (xss: [2][3]f64) = let a = xss[0, 1] let ys: [6]f64 = flatten xss in (ys, a * a)", {matrix(2, 3)});
  check("entry f [n] (xs: [n]f64) (y: f64) = let a = xs[0] * y in (y, a * a, xs, a)", {some_f64s(3), f64_value(0.3)});
  for (const bool c : {false, true})  // the adjoint of ys is that of as, or that of bs
    check("entry f [n] (xs: [n]f64) (c: bool) = let as = map f64.sin xs let bs = map f64.cos xs let as[0] = 1 let bs[1] = 2\n"
          "let ys = if c then as else bs in map (\\y -> y * y) ys", {some_f64s(3), Value::of(PrimValue::of_bool(c))});
}

/// It comes out of an inner branch as the adjoint of one array, and out of the other branch as that of another.
BOOST_AUTO_TEST_CASE(adjoints_that_branches_hand_on) {
  const auto flag = [](bool value) { return Value::of(PrimValue::of_bool(value)); };
  for (const bool c : {false, true})
    for (const bool d : {false, true})
      check("entry f [n] (xs: [n]f64) (ys: [n]f64) (c: bool) (d: bool) =\n"
            "let us = map f64.sin xs let vs = map f64.cos ys let us[0] = 1 let vs[1] = 2 let a = us[1] * vs[0]\n"
            "let zs = if c then (if d then map f64.sin us else us) else vs in (map (\\z -> z * z) zs, a)",
            {some_f64s(3), some_f64s(3, 1), flag(c), flag(d)});
}

BOOST_AUTO_TEST_CASE(scans) {
  check_sizes("entry f [n] (xs: [n]f64): [n]f64 = scan (+) 0 xs");
  check_sizes("entry f [n] (xs: [n]f64): [n]f64 = scan (*) 1 xs");
  check_sizes("entry f [n] (xs: [n]f64): [n]f64 = scan f64.max (-f64.inf) xs");
  check("entry f [n] (xs: [n]f64) (ys: [n]f64) = unzip (scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs ys))",
        {some_f64s(4), some_f64s(4, 1)});
  check("entry f [n][m] (xss: [n][m]f64): [n][m]f64 = scan (map2 (+)) (replicate m 0) xss", {matrix(3, 2)});
  check("entry f [n][m] (xss: [n][m]f64): [n][m]f64 = scan (map2 (*)) (replicate m 1) xss", {matrix(3, 2)});
  check("entry f [n] (xs: [n]f64) (w: f64): [n]f64 = scan (\\x y -> x + y + w * x * y) 0 xs", {some_f64s(4), f64_value(0.7)});
}

BOOST_AUTO_TEST_CASE(scans_of_tuples) {
  const std::string matrices = "def mul (a: f64, b: f64, c: f64, d: f64) (e: f64, f: f64, g: f64, h: f64) =\n"
                               "(a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)\n";
  check(matrices + "entry f [n] (a: [n]f64) (b: [n]f64) (c: [n]f64) (d: [n]f64) =\n"
                   "unzip4 (scan mul (1, 0, 0, 1) (zip4 a b c d))",
        {some_f64s(5), some_f64s(5, 1), some_f64s(5, 2), some_f64s(5, 3)});
  // A recurrence of vectors: six components.
  check(matrices +
            "def apply (a: f64, b: f64, c: f64, d: f64) (x: f64, y: f64) = (a * x + b * y, c * x + d * y)\n"
            "entry f [n] (a: [n]f64) (b: [n]f64) (c: [n]f64) (d: [n]f64) (x: [n]f64) =\n"
            "scan (\\(v1, m1) (v2, m2) -> let (p, q) = apply m2 v1 in ((p + v2.0, q + v2.1), mul m2 m1)) ((0, 0), (1, 0, 0, 1))\n"
            "(map5 (\\a b c d x -> ((x, x * x), (a, b, c, d))) a b c d x) |> map (.0) |> unzip",
        {some_f64s(5), some_f64s(5, 1), some_f64s(5, 2), some_f64s(5, 3), some_f64s(5, 4)});
  // Sums, and the sum of all products of two: entries that are 1 beside others that vary, of one type and of two.
  check("entry f [n] (ps: [n]f64) (qs: [n]f64) =\n"
        "unzip3 (scan (\\(p1, q1, s1) (p2, q2, s2) -> (p1 + p2, q1 + q2, s1 + s2 + p1 * q2)) (0, 0, 0) (zip3 ps qs (map2 (*) ps qs)))",
        {some_f64s(7), some_f64s(7, 1)});
  check("entry f [n] (ps: [n]f32) (qs: [n]f64) =\n"
        "unzip3 (scan (\\(p1, q1, s1) (p2, q2, s2) -> (p1 + p2, q1 + q2, s1 + s2 + f64.f32 p1 * q2)) (0, 0, 0) (zip3 ps qs qs))",
        {f32s({1, 2, 3, 4, 5, 6, 7}), some_f64s(7, 1)}, {.step = 1.0 / 256, .tolerance = 1e-4});
  // Components that have nothing to do with each other, and of different types.
  check("entry f [n] (xs: [n]f64) (ys: [n]f32) =\n"
        "unzip3 (scan (\\(a, b, c) (d, e, f) -> (a + d, b * e, c + f)) (0, 1, 0) (zip3 xs (map (\\x -> x * x) xs) (map2 (\\x y -> x * f64.f32 y) xs ys)))",
        {some_f64s(5), f32s({1, 2, 3, 4, 5})}, {.step = 1.0 / 256, .tolerance = 1e-4});
  check("entry f [n] (xs: [n]f64) (ys: [n]f64) (fs: [n]bool) = scan (\\(x, a) (y, b) -> (if b then y else x * y, a || b)) (1, false)\n"
        "(zip (map2 (*) xs ys) fs) |> map (.0)",
        {some_f64s(5), some_f64s(5, 1), Value::zeros(PrimType::boolean, {5})});
}

BOOST_AUTO_TEST_CASE(some_components_of_scans) {
  const std::string recurrence = "unzip (scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs ys))";
  check("entry f [n] (xs: [n]f64) (ys: [n]f64): [n]f64 = let (_, bs) = " + recurrence + " in bs", {some_f64s(5), some_f64s(5, 2)});
  check("entry f [n] (xs: [n]f64) (ys: [n]f64): [n]f64 = let (as, _) = " + recurrence + " in as", {some_f64s(5), some_f64s(5, 2)});
  for (const std::string wanted : {"ps", "qs", "ss", "(ps, ss)"})
    check("entry f [n] (xs: [n]f64) (ys: [n]f64) = let (ps, qs, ss) = unzip3 (scan (\\(p1, q1, s1) (p2, q2, s2) -> (p1 + p2, q1 + q2, s1 + s2 + p1 * q2)) (0, 0, 0)"
          " (zip3 xs ys (map2 (*) xs ys))) in " + wanted, {some_f64s(5), some_f64s(5, 2)});
}

BOOST_AUTO_TEST_CASE(scans_of_rows) {
  check("entry f [n][m] (xss: [n][m]f64): [n][m]f64 = scan (map2 (\\x y -> x + y + x * y)) (replicate m 0) xss", {matrix(3, 2)});
  check("entry f [n][m] (xss: [n][m]f64) (ws: [m]f64): [n][m]f64 =\n"
        "scan (\\xs ys -> map3 (\\x y w -> x + y + w * x * y) xs ys ws) (replicate m 0) xss", {matrix(3, 2), some_f64s(2, 1)});
  check("entry f [n][m] (xss: [n][m]f64) (yss: [n][m]f64) =\n"
        "unzip (scan (\\(as, bs) (cs, ds) -> unzip (map4 (\\a b c d -> (a * c, b * c + d)) as bs cs ds)) (replicate m 1, replicate m 0) (zip xss yss))",
        {matrix(3, 2), matrix(3, 2, 1)});
  // Linear functions x -> as[0] * x + as[1] as rows: the operator looks at more than two elements at a time.
  check("entry f [n] (xss: [n][2]f64): [n][2]f64 =\n"
        "scan (\\as bs -> map3 (\\i a b -> as[0] * b + (if i == 0 then 0 else a)) (iota 2) as bs) [1, 0] xss", {matrix(3, 2)});
  // Complex numbers as rows.
  check("entry f [n] (zs: [n][2]f64): [n][2]f64 = let is = iota 2 in\n"
        "scan (\\as bs -> map3 (\\i a b -> if i == 0 then a * b - as[1 - i] * bs[1 - i] else a * bs[1 - i] + as[1 - i] * b) is as bs) [1, 0] zs",
        {matrix(4, 2)});
  const std::string matmul =
      "def matmul [n] (a: [n][n]f64) (b: [n][n]f64) : [n][n]f64 = map (\\x -> map (\\y -> f64.sum (map2 (*) x y)) (transpose b)) a\n"
      "def one (n: i64) = tabulate_2d n n (\\i j -> f64.bool (i == j))\n";
  for (const std::int64_t n : {0, 1, 2, 4})
    check(matmul + "entry f [n][k] (xs: [n][k][k]f64) = scan matmul (one k) xs", {some_f64s(n * 4, 0, {n, 2, 2})});
  check(matmul + "entry f [n][k] (xs: [n][k][k]f64) = reduce matmul (one k) xs", {some_f64s(12, 0, {3, 2, 2})});
}

/// The operator's map yields its results in another order, and reads two arrays from outside.
BOOST_AUTO_TEST_CASE(operators_on_rows_of_tuples) {
  TestProgram p;
  FunctionMaker f = p.function("f");
  const Name n = f.size("n"), m = f.size("m");
  const Type row = ir::array(PrimType::f64, {m}), real = ir::scalar(PrimType::f64);
  const Name xss = f.param("xss", ir::array(PrimType::f64, {n, m})), yss = f.param("yss", ir::array(PrimType::f64, {n, m}));
  const Name vs = f.param("vs", row), ws = f.param("ws", row);
  const Lambda op = f.lambda({{"as", row}, {"bs", row}, {"cs", row}, {"ds", row}}, [&](Builder& b, const std::vector<Name>& rows) {
    const auto times = [](Builder& inner, const Atom& x, const Atom& y) { return inner.binop("t", BinOpKind::mul, x, y); };
    const std::vector<std::pair<std::string, Type>> params{{"a", real}, {"b", real}, {"c", real}, {"d", real}, {"v", real}, {"w", real}};
    const Lambda fn = b.lambda(params, [&](Builder& inner, const std::vector<Name>& q) {  // b d  and  a + c + v w w a c
      const Atom factor = times(inner, q[4], times(inner, q[5], q[5]));
      const Atom sum = inner.binop("s", BinOpKind::add, q[0], q[2]);
      return std::vector<Atom>{times(inner, q[1], q[3]),
                               inner.binop("s", BinOpKind::add, sum, times(inner, factor, times(inner, q[0], q[2])))};
    });
    const auto results = b.let_all({"bs", "as"}, Map{m, fn, {rows[0], rows[1], rows[2], rows[3], vs, ws}, {}});
    return std::vector<Atom>{results[1], results[0]};
  });
  const Name zeros = f.let("zeros", Replicate{{m}, f64(0)}), ones = f.let("ones", Replicate{{m}, f64(1)});
  const auto results = f.let_all({"as", "bs"}, Reduce{n, op, {zeros, ones}, {xss, yss}, false});
  f.returns({f.let("as", Copy{results[0]}), f.let("bs", Copy{results[1]})});
  check_derivative(p.program, "f", {matrix(3, 2), matrix(3, 2, 1), some_f64s(2, 2), some_f64s(2, 3)});
}

BOOST_AUTO_TEST_CASE(histograms) {
  const Value is = i64s({0, 2, -1, 2, 3, 1, 2});
  const auto text = [](const std::string& op, const std::string& neutral) {
    return "entry f [n][m] (ds: [m]f64) (is: [n]i64) (vs: [n]f64): [m]f64 = reduce_by_index (copy ds) " + op + " " + neutral +
           " is (map (\\x -> x * x) vs)";
  };
  check(text("(+)", "0"), {some_f64s(3), is, some_f64s(7, 1)});
  check(text("(*)", "1"), {some_f64s(3), is, some_f64s(7, 1)});
  check(text("f64.min", "f64.inf"), {some_f64s(3), is, some_f64s(7, 1)});
  check(text("f64.max", "(-f64.inf)"), {some_f64s(3), is, some_f64s(7, 1)});
  check(text("(*)", "1"), {f64s({0, 1, 2}), is, f64s({1, 2, 3, 0, 4, 5, 0})}, {.step = 1e-4});
}

/// An adjoint that others hold, too, is not updated in place.
BOOST_AUTO_TEST_CASE(histograms_whose_adjoint_is_shared) {
  check("entry f [n][m] (ds: [m]f64) (is: [n]i64) (vs: [n]f64) =\n"
        "let a = ds[0] let ys = reduce_by_index (copy ds) (+) 0 is vs in (ys, a * a)",
        {some_f64s(3), i64s({0, 2, 1}), some_f64s(3, 1)});
  check("entry f [n][m] (ds: *[m]f64) (is: [n]i64) (vs: [n]f64) =\n"
        "let a = ds[0] * ds[1] let ys = reduce_by_index ds (+) 0 is vs in (ys, a * a)",
        {some_f64s(3), i64s({0, 2, 1}), some_f64s(3, 1)});
}

BOOST_AUTO_TEST_CASE(histograms_of_any_operator) {
  const Value is = i64s({0, 2, -1, 2, 3, 1, 2});
  const auto text = [](const std::string& op, const std::string& neutral) {
    return "entry f [n][m] (ds: [m]f64) (is: [n]i64) (vs: [n]f64) (w: f64): [m]f64 = reduce_by_index (copy ds) " + op + " " +
           neutral + " is (map (\\x -> x * x * w) vs)";
  };
  const std::string joined = text("(\\x y -> x + y + x * y)", "0"), with_free = text("(\\x y -> x + y + w * x * y)", "0");
  for (const auto& op : {joined, with_free}) {
    check(op, {some_f64s(3), is, some_f64s(7, 1), f64_value(0.7)});
    check(op, {some_f64s(0), is, some_f64s(7, 1), f64_value(0.7)});
    check(op, {some_f64s(1), i64s({}), f64s({}), f64_value(0.7)});
    check(op, {some_f64s(257), i64s({255, 3, 256, 255, 257, 0, 256, 0}), some_f64s(8, 1), f64_value(0.7)}, {.seeds = false});
  }
  check("entry f [n][m] (ds: [m](f64, f64)) (is: [n]i64) (vs: [n](f64, f64)) =\n"
        "unzip (reduce_by_index (copy ds) (\\(a, b) (c, d) -> (a + c, b + d + a * c)) (0, 0) is (map (\\(x, y) -> (x * y, y)) vs))",
        {some_f64s(3), some_f64s(3, 1), is, some_f64s(7, 2), some_f64s(7, 3)});
  check("entry f [n][m][k] (ds: [m][k]f64) (is: [n]i64) (vs: [n][k]f64) =\n"
        "reduce_by_index (copy ds) (map2 (*)) (replicate k 1) is (map (map f64.sin) vs)",
        {matrix(3, 2), is, matrix(7, 2, 1)});
  check("entry f [n][m][k][l] (ds: [m][k][l]f64) (is: [n]i64) (vs: [n][k][l]f64) =\n"
        "reduce_by_index (copy ds) (map2 (map2 f64.max)) (replicate k (replicate l (-f64.inf))) is vs",
        {some_f64s(6, 0, {3, 2, 1}), is, some_f64s(14, 1, {7, 2, 1})});
  // Values that do not vary, and values out of bounds that the operator would refuse.
  check("entry f [n][m] (ds: [m]f64) (is: [n]i64) = reduce_by_index (copy ds) (\\x y -> x + y + x * y) 0 is (map f64.i64 is)",
        {some_f64s(3), is});
  check("entry f [n][m] (ds: [m]f64) (is: [n]i64) (vs: [n]f64) =\n"
        "reduce_by_index (zip ds (replicate m 0)) (\\(a, i) (b, j) -> (a + b + a * b, assert (i + j < 100) (i + j))) (0, 0) is\n"
        "(map2 (\\i v -> (v * v, if i < 0 || i >= m then 60i64 else i)) is vs) |> map (.0)",
        {some_f64s(3), i64s({0, 3, 2, -1, 3}), some_f64s(5, 1)});
  check("entry f [n][m][k] (ds: [m][k]f64) (is: [n](i64, i64)) (vs: [n]f64) = reduce_by_index_2d (copy ds) (*) 1 is vs",
        {matrix(2, 3), i64s({0, 1, 0, -1, 1, 2, 0}), i64s({0, 2, 0, 1, 2, 3, 0}), some_f64s(7, 1)});
  check("entry f [n][m][k] (ds: [m][k]f64) (is: [n](i64, i64)) (vs: [n]f64) =\n"
        "reduce_by_index_2d (copy ds) (\\x y -> x + y + x * y) 0 is vs",
        {matrix(2, 3), i64s({0, 1, 0, -1, 1, 2, 0}), i64s({0, 2, 0, 1, 2, 3, 0}), some_f64s(7, 1)});
}

/// Products with zeros among them: the second derivative by two of them is the product of the others.
BOOST_AUTO_TEST_CASE(second_derivatives_of_products) {
  const auto hessian = [](const std::string& product, const std::vector<double>& xs) {
    const Program program = differentiated(compiled(
        "def product (xs: [3]f64): f64 = " + product + "\n"
        "entry f (xs: [3]f64) = (jmp (\\xs -> vjp product xs 1) xs (tabulate_2d 3 3 (\\i j -> f64.bool (i == j))),\n"
        "mjp (\\xs -> vjp product xs 1) xs (tabulate_2d 3 3 (\\i j -> f64.bool (i == j))), jvp (\\xs -> (vjp2 product xs 1).0) xs [1, 0, 0])"));
    return run_entry(program, "f", {f64s(xs)});
  };
  for (const std::string product : {"reduce (*) 1 xs", "(reduce_by_index [1] (*) 1 [0, 0, 0] xs)[0]", "(reduce (map2 (*)) [1] (map (\\x -> [x]) xs))[0]"})
    for (const std::vector<double>& x : {std::vector<double>{0, 2, 3}, {2, 0, 0}, {0, 0, 0}, {2, 3, 5}}) {
      const auto results = hessian(product, x);
      const Value expected = f64s({0, x[2], x[1], x[2], 0, x[0], x[1], x[0], 0}, {3, 3});
      BOOST_TEST((results[0] == expected));
      BOOST_TEST((results[1] == expected));
      BOOST_TEST((results[2] == f64_value(x[1] * x[2])));
    }
}

/// Products of others are not quotients, which an underflow or overflow of the whole product would spoil.
BOOST_AUTO_TEST_CASE(products_that_underflow) {
  for (const std::string product : {"reduce (*) 1 xs", "(reduce_by_index [1] (*) 1 [0, 0, 0, 0] xs)[0]"}) {
    const Program program = differentiated(compiled("entry f (xs: [4]f64) = vjp (\\xs -> " + product + ") xs 1"));
    BOOST_TEST((run_entry(program, "f", {f64s({0x1p-600, 0x1p-600, 1, 1})}).at(0) == f64s({0x1p-600, 0x1p-600, 0, 0})));
    BOOST_TEST((run_entry(program, "f", {f64s({std::numeric_limits<double>::infinity(), 0.5, 1, 1})}).at(0).element(0).as_float() == 0.5));
  }
}

/// The logarithm of sums of exponentials has a value where one of two elements is the neutral one, but none for two of them.
BOOST_AUTO_TEST_CASE(histograms_that_begin_with_the_neutral_element) {
  check("def lse (a: f64) (b: f64) = let m = f64.max a b in m + f64.log (f64.exp (a - m) + f64.exp (b - m))\n"
        "entry f [n] (is: [n]i64) (xs: [n]f64) = reduce_by_index (replicate 2 (-f64.inf)) lse (-f64.inf) is xs |> map f64.exp",
        {i64s({1, 0, 1, 3, 1}), some_f64s(5)});
}

/// The norm of each bin's values: it has no derivative at (0, 0), where the program never takes it.
BOOST_AUTO_TEST_CASE(histograms_by_operators_without_derivative_at_the_neutral_element) {
  check("entry f [n] (is: [n]i64) (vs: [n]f64) (w: f64) (ds: [4]f64): [4]f64 =\n"
        "reduce_by_index (map2 (*) [0, 1, 1, 0] ds) (\\x y -> f64.sqrt (x * x + w * y * y)) 0 is vs",
        {i64s({3, 1, 4, 1, -1}), some_f64s(5), f64_value(1), some_f64s(4, 1)});
  check("entry f [n] (is: [n]i64) (vs: [n]f64): [3]f64 =\n"
        "reduce_by_index (replicate 3 0) (\\x y -> f64.sqrt (x * x + y * y)) 0 is vs",
        {i64s({2, 1, 3, 1, -1}), some_f64s(5)});
}

/// Two operators on what one function computes, as fusion leaves them, and one.
BOOST_AUTO_TEST_CASE(fused_histograms) {
  TestProgram p;
  FunctionMaker f = p.function("f");
  const Name n = f.size("n"), m = f.size("m");
  const Type real = ir::scalar(PrimType::f64), integer = ir::scalar(PrimType::i64);
  const Name sums = f.param("sums", ir::array(PrimType::f64, {m})), products = f.param("products", ir::array(PrimType::f64, {m}));
  const Name is = f.param("is", ir::array(PrimType::i64, {n})), xs = f.param("xs", ir::array(PrimType::f64, {n}));
  const Lambda fn = f.lambda({{"i", integer}, {"x", real}}, [&](Builder& b, const std::vector<Name>& q) {
    const Atom next = b.binop("next", BinOpKind::add, q[0], i64(1));
    return std::vector<Atom>{q[0], b.math("s", MathFn::sin, {q[1]}), next, b.binop("p", BinOpKind::mul, q[1], q[1])};
  });
  const Lambda next_cell = f.lambda({{"i", integer}, {"x", real}}, [&](Builder& b, const std::vector<Name>& q) {
    return std::vector<Atom>{b.binop("next", BinOpKind::add, q[0], i64(1)), b.math("s", MathFn::sin, {q[1]})};
  });
  const auto copied = [&](const Name& array) { return f.let("cells", Copy{array}); };
  const ReduceByIndex fused{n,
                            {{{m}, {copied(sums)}, binop_lambda(f, BinOpKind::add, PrimType::f64), {f64(0)}},
                             {{m}, {copied(products)}, binop_lambda(f, BinOpKind::mul, PrimType::f64), {f64(1)}}},
                            fn,
                            {is, xs}};
  const auto results = f.let_all({"sums", "products"}, fused);
  const ReduceByIndex single{n, {{{m}, {copied(sums)}, binop_lambda(f, BinOpKind::add, PrimType::f64), {f64(0)}}}, next_cell, {is, xs}};
  f.returns({results[0], results[1], f.let("more", single)});
  check_derivative(p.program, "f", {some_f64s(3), some_f64s(3, 1), i64s({0, 2, -1, 2, 1}), some_f64s(5, 2)});
}

/// What the destination held is read again, so its cells are restored: those that the function writes, not those of its operands.
BOOST_AUTO_TEST_CASE(fused_histograms_of_what_is_read_before) {
  TestProgram p;
  FunctionMaker f = p.function("f");
  const Name n = f.size("n"), m = f.size("m");
  const Type real = ir::scalar(PrimType::f64), integer = ir::scalar(PrimType::i64);
  const Name cells = f.param("cells", ir::array(PrimType::f64, {m})), is = f.param("is", ir::array(PrimType::i64, {n}));
  const Name xs = f.param("xs", ir::array(PrimType::f64, {n})), own = f.let("cells", Copy{cells});
  const Name squares = f.let("squares", Map{m, f.lambda({{"x", real}}, [](Builder& b, const std::vector<Name>& q) {
    return std::vector<Atom>{b.binop("square", BinOpKind::mul, q[0], q[0])};
  }), {own}, {}});
  const Lambda next_cell = f.lambda({{"i", integer}, {"x", real}}, [](Builder& b, const std::vector<Name>& q) {
    return std::vector<Atom>{b.binop("next", BinOpKind::add, q[0], i64(1)), b.math("s", MathFn::sin, {q[1]})};
  });
  const ReduceByIndex sums{n, {{{m}, {own}, binop_lambda(f, BinOpKind::add, PrimType::f64), {f64(0)}}}, next_cell, {is, xs}};
  f.returns({f.let("sums", sums), squares});
  check_derivative(p.program, "f", {some_f64s(4), i64s({0, 2, -1, 0}), some_f64s(4, 1)});
}

/// One without derivative, whose function is not the identity: its destination is read again as it was.
BOOST_AUTO_TEST_CASE(fused_histograms_of_integers) {
  TestProgram p;
  FunctionMaker f = p.function("f");
  const Name n = f.size("n"), m = f.size("m");
  const Type integer = ir::scalar(PrimType::i64);
  const Name x = f.param("x", ir::scalar(PrimType::f64)), cells = f.param("cells", ir::array(PrimType::i64, {m}));
  const Name is = f.param("is", ir::array(PrimType::i64, {n})), own = f.let("cells", Copy{cells});
  const Name products = f.let("products", Map{m, f.lambda({{"k", integer}}, [&](Builder& b, const std::vector<Name>& q) {
    return std::vector<Atom>{b.binop("product", BinOpKind::mul, b.convert("k", PrimType::f64, q[0]), x)};
  }), {own}, {}});
  const Lambda next_cell = f.lambda({{"i", integer}}, [](Builder& b, const std::vector<Name>& q) {
    return std::vector<Atom>{b.binop("next", BinOpKind::add, q[0], i64(1)), b.binop("twice", BinOpKind::mul, q[0], i64(2))};
  });
  const ReduceByIndex counts{n, {{{m}, {own}, binop_lambda(f, BinOpKind::add, PrimType::i64), {i64(0)}}}, next_cell, {is}};
  f.returns({f.let("counts", counts), products});
  check_derivative(p.program, "f", {f64_value(0.7), i64s({3, 1, 4, 1}), i64s({0, 2, -1, 1})});
}

}  // namespace boustro::ad::testing
