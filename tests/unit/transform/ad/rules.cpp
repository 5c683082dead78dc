// Each rule by numbers: see check_derivative.hpp. Programs are Futhark text, so that a rule sees what users make it see.
#include <fmt/format.h>

#include <cmath>
#include <tuple>
#include <utility>

#include "frontend/source/diagnostics.hpp"
#include "tests/unit/transform/ad/rule_cases.hpp"

namespace boustro::ad::testing::rules_tests {

BOOST_AUTO_TEST_CASE(scalar) {
  check("entry f (x: f64) (y: f64): f64 = x * y + f64.sin x / y - x ** y", {f64_value(0.7), f64_value(1.3)});
  check("entry f (x: f64) (y: f64): f64 = f64.max x y * f64.min x y + f64.abs (x - y)", {f64_value(0.7), f64_value(1.3)});
  // Locally constant in an operand that matters otherwise.
  check("entry f (x: f64) (y: f64): f64 = f64.copysign x y * y", {f64_value(0.7), f64_value(-0.3)});
}

BOOST_AUTO_TEST_CASE(scalar_functions) {
  for (const char* name : {"sqrt", "cbrt", "rsqrt", "exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p",
                           "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "atanh",
                           "sinpi", "cospi", "tanpi", "asinpi", "acospi", "atanpi", "erf", "erfc"})
    BOOST_TEST_CONTEXT(name) {
      check(std::string("entry f (x: f64): f64 = f64.") + name + " x", {f64_value(0.37)}, {.seeds = false});
    }
  check("entry f (x: f64): f64 = f64.acosh x", {f64_value(1.7)});
  check("entry f (x: f64) (y: f64): f64 = f64.atan2 x y + f64.hypot x y", {f64_value(0.7), f64_value(-0.3)});
  check("entry f (x: f64) (y: f64) (z: f64): f64 = f64.fma x y z + f64.lerp x y z", {f64_value(0.7), f64_value(-0.3), f64_value(0.2)});
}

BOOST_AUTO_TEST_CASE(power_at_corners) {
  const Program program = differentiated(compiled("entry f (x: f64) (y: f64) = vjp (\\(x, y) -> x ** y) (x, y) 1"));
  const auto at = [&](double x, double y) {
    const auto adjoints = run_entry(program, "f", {f64_value(x), f64_value(y)});
    return std::pair(adjoints.at(0).element(0).as_float(), adjoints.at(1).element(0).as_float());
  };
  BOOST_TEST((at(0, 1) == std::pair(1.0, 0.0)));
  BOOST_TEST((at(0, 0) == std::pair(0.0, 0.0)));
}

/// x ** 0 is 1 for all x, also where x ** -1 is too large for the type, and where x is not a number.
BOOST_AUTO_TEST_CASE(powers_near_zero) {
  using Case = std::tuple<PrimType, const char*, double>;
  for (const auto& [type, name, x] : {Case(PrimType::f16, "f16", 1e-6), Case(PrimType::f32, "f32", 1e-40), Case(PrimType::f64, "f64", 1e-310),
                                      Case(PrimType::f64, "f64", std::nan(""))}) {
    const Program program = differentiated(compiled(fmt::format("entry f (x: {0}) (y: {0}): {0} = vjp (\\x -> x ** y) x 1", name)));
    const auto value = [type = type](double number) { return values::Value::of(PrimValue::of_float(type, number)); };
    const double found = run_entry(program, "f", {value(x), value(0)}).at(0).element(0).as_float();
    BOOST_TEST(found == 0, name << " at " << x << ": " << found);
  }
}

/// d (y x ** (y - 1)) / dy = x ** (y - 1) (1 + y log x) by either mode, where the derivative by x itself is zero, too.
BOOST_AUTO_TEST_CASE(second_derivatives_of_powers) {
  const Program program = differentiated(compiled(
      "entry forward (x: f64) (y: f64): f64 = jvp (\\y -> vjp (\\x -> x ** y) x 1) y 1\n"
      "entry reverse (x: f64) (y: f64): f64 = vjp (\\y -> jvp (\\x -> x ** y) x 1) y 1"));
  for (const char* entry : {"forward", "reverse"})
    for (const auto& [x, y] : {std::pair(2.0, 0.0), std::pair(2.0, 1.0), std::pair(0.5, 3.0)}) {
      const double expected = std::pow(x, y - 1) * (1 + y * std::log(x));
      const double found = run_entry(program, entry, {f64_value(x), f64_value(y)}).at(0).element(0).as_float();
      BOOST_TEST(std::abs(found - expected) <= 1e-12, entry << " at " << x << " ** " << y << ": " << found);
    }
}

BOOST_AUTO_TEST_CASE(branches) {
  const std::string text = "entry f (x: f64) (y: f64): f64 = if x < y then x * y * y else f64.sin x";
  check(text, {f64_value(0.7), f64_value(1.3)});
  check(text, {f64_value(1.7), f64_value(1.3)});
}

BOOST_AUTO_TEST_CASE(calls) {
  check("#[noinline] def g (x: f64) (y: f64) = (x * y, f64.sin x)\n"
        "entry f (x: f64) (y: f64): f64 = let (a, b) = g x y let (c, d) = g b (a * x) in a * b + c * d",
        {f64_value(0.7), f64_value(1.3)});
}

BOOST_AUTO_TEST_CASE(calls_with_a_result_twice) {
  check("#[noinline] def g (x: f64) = let y = x * x in (y, f64.sin x, y)\n"
        "entry f (x: f64): f64 = let (a, b, c) = g x in a * f64.sin c + b", {f64_value(0.7)});
}

/// Derived functions differ by the rank of the seeds and by what is active.
BOOST_AUTO_TEST_CASE(calls_of_several_derivatives) {
  const Program program = differentiated(
      compiled("#[noinline] def g (x: f64) (y: f64): (f64, f64) = (x * y, x + 3 * y)\n"
               "entry f (x: f64) (y: f64) =\n"
               "  (vjp (\\x -> (g x y).0) x 1, vjp (\\y -> (g x y).0) y 1, vjp (\\y -> (g x y).1) y 1, mjp (\\x -> (g x y).0) x [1, 2],\n"
               "   jvp (\\x -> (g x y).0) x 1, jvp (\\y -> (g x y).0) y 1, jvp (\\y -> (g x y).1) y 1, jmp (\\x -> (g x y).0) x [1, 2])"));
  const auto results = run_entry(program, "f", {f64_value(5), f64_value(7)});
  for (const std::size_t mode : {0, 4}) {
    BOOST_TEST((results.at(mode) == f64_value(7)));
    BOOST_TEST((results.at(mode + 1) == f64_value(5)));
    BOOST_TEST((results.at(mode + 2) == f64_value(3)));
    BOOST_TEST((results.at(mode + 3) == f64s({7, 14})));
  }
}

/// The function works on its argument in place.
BOOST_AUTO_TEST_CASE(calls_that_consume) {
  check("#[noinline] def g [n] (xs: *[n]f64): [n]f64 = let s = f64.sum (map (\\x -> x * x) xs) let xs[0] = s * xs[1] in map f64.sin xs\n"
        "entry f [n] (xs: [n]f64): [n]f64 = g (copy xs)",
        {some_f64s(3)});
}

/// What yields an accumulator also yields values that the return sweep reads, and so runs again without the accumulator.
BOOST_AUTO_TEST_CASE(accumulators_beside_values) {
  const auto with_acc = [](const std::string& body) {
    return "entry f [n] (xs: [n]f64) (is: [n]i64): ([2]f64, f64) = core.with_add (replicate 2 0) (\\acc ->\n"
           "let acc = core.update_1d acc 1 (xs[is[1]] * xs[2]) let (acc, s) = " + body + " in (core.finish acc, s * s))";
  };
  const std::vector<Value> args{some_f64s(4), i64s({0, 1, -1, 1})};
  check(with_acc("let (acc, ys) = core.map (\\acc (x, i) -> (core.update_1d acc i (x * x), f64.sin x)) acc (zip xs is) in (acc, f64.product ys)"), args);
  check(with_acc("loop (acc, s) = (acc, 1) for i < n do (core.update_1d acc (i % 2) (xs[i] * s), s * f64.sin xs[i])"), args);
  check(with_acc("if xs[0] < 2 then (core.update_1d acc 0 xs[0], xs[0] * xs[1]) else (acc, 1)"), args);
  check(with_acc("let j = is[0] + is[1] in (core.update_1d acc 0 (xs[j] * xs[j]), xs[j])"), args);
  // An accumulator around a map with another one.
  check("entry f [n] (xs: [n]f64) (is: [n]i64): [n]f64 = core.with_add (map f64.sin xs) (\\acc ->\n"
        "let (acc, _) = core.map (\\acc (x, i) -> (core.update_1d acc i (x * f64.sum (map (\\j -> xs[j] * x) is[:1])), ())) acc (zip xs is)\n"
        "in core.finish acc)", args);
}

BOOST_AUTO_TEST_CASE(index_and_shapes) {
  check("entry f [n] (xs: [n]f64): f64 = xs[0] * xs[1] + xs[0]", {some_f64s(3)});
  check("entry f [n] (xs: [n]f64): [n]f64 = reverse xs", {some_f64s(5)});
  check("entry f [n][m] (xss: [n][m]f64): [m][n]f64 = map (map (** 2)) (transpose xss)", {matrix(3, 2)});
  // Weights tell elements apart: the derivative of a plain sum would not.
  const std::string weigh = "def weigh [n] (xs: [n]f64) = f64.sum (map2 (\\x i -> x * (1 + f64.i64 i)) xs (iota n))\n";
  check(weigh + "entry f [n][m] (xss: [n][m]f64): f64 = weigh (map f64.sin (flatten xss))", {matrix(3, 2)});
  check(weigh + "entry f [n] (xs: [n]f64) (y: f64): f64 = weigh (replicate 3 (y * xs[0]) ++ map (* 2) xs ++ [y, xs[1]])",
        {some_f64s(4), f64_value(0.3)});
  check(weigh + "entry f [n] (xs: [n]f64): f64 = weigh (xs ++ xs)", {some_f64s(3)});
  check(weigh + "entry f [n] (xs: [n]f64): f64 = let ys = map f64.sin xs in weigh (ys ++ xs ++ ys)", {some_f64s(3)});
  check(weigh + "entry f [n] (xs: [n]f64): f64 = weigh (map f64.i64 (iota 2) ++ map f64.sin xs)", {some_f64s(3)});
  check("entry f [n] (xs: [n]f64): [2][n]f64 = [xs, map (* 2) xs]", {some_f64s(4)});
  check("entry f [n] (xs: [n]f64): f64 = let ys = xs[1:4] in ys[0] * ys[2]", {some_f64s(5)});
  check(weigh + "entry f [n] (xs: [n]f64): f64 = weigh (map2 (*) (xs[::2] :> [3]f64) (xs[1::2] :> [3]f64))", {some_f64s(6)});
}

BOOST_AUTO_TEST_CASE(map) {
  check_sizes("entry f [n] (xs: [n]f64): [n]f64 = map f64.sin xs");
  check_sizes("entry f [n] (xs: [n]f64): [n]f64 = map (\\x -> x * x + 1) xs");
  check("entry f [n] (xs: [n]f64) (s: f64): [n]f64 = map (\\x -> x * s) xs", {some_f64s(4), f64_value(0.3)});
  check("entry f [n] (xs: [n]f64) = unzip (map (\\x -> let y = f64.sin x in (y, y)) xs)", {some_f64s(4)});
  check("entry f [n][m] (xss: [n][m]f64) = unzip (map (\\xs -> let a = xs[0] * xs[1] in (copy xs, a)) xss)", {matrix(3, 2)});
  check("entry f [n] (xs: [n]f64) (ys: [n]f64): [n]f64 = map2 (\\x y -> x * y) xs ys", {some_f64s(4), some_f64s(4, 1)});
  check("entry f [n][m] (xss: [n][m]f64) (ys: [m]f64): [n][m]f64 = map (\\xs -> map2 (*) xs ys) xss",
        {matrix(3, 2), some_f64s(2)});
  check("entry f [n][m] (xss: [n][m]f64) (ys: [n]f64): [n][m]f64 = map2 (\\xs y -> map (* y) xs) xss ys",
        {matrix(3, 2), some_f64s(3)});
}

/// What programs as users write them do in several steps.
BOOST_AUTO_TEST_CASE(several_dimensions_at_once) {
  TestProgram p;
  FunctionMaker f = p.function("f");
  const Name x = f.param("x", ir::scalar(PrimType::f64)), ys = f.param("ys", ir::array(PrimType::f64, {i64(2)}));
  const Name cube = f.param("cube", ir::array(PrimType::f64, {i64(2), i64(3), i64(4)}));
  f.returns({f.let("turned", Rearrange{{1, 2, 0}, cube}), f.let("xss", Replicate{{i64(2), i64(3)}, x}),
             f.let("ysss", Replicate{{i64(4), i64(1), i64(3)}, ys})});
  check_derivative(p.program, "f", {f64_value(0.3), some_f64s(2), some_f64s(24, 1, {2, 3, 4})});
}

/// A slice claims to be in bounds because of an assertion. Both run again together, since nobody may need the forward sweep;
/// an assertion about what is not computed again does not.
BOOST_AUTO_TEST_CASE(assertions_that_run_again) {
  const auto assertions = [](const std::string& fn) {
    const Program program = differentiated(compiled("entry f [n][m] (xs: [n]f64) (is: [m]i64) = vjp (\\xs -> " + fn + ") xs (replicate m 1)"));
    int count = 0;
    const std::function<void(const Body&)> visit = [&](const Body& body) {
      for (const Stm& stm : body.stms) {
        count += std::holds_alternative<Assert>(stm.exp);
        for_each_body(stm.exp, visit);
      }
    };
    for (const Function& function : program.functions) visit(function.body);
    return count;
  };
  BOOST_TEST(assertions("map (\\i -> f64.sum xs[i:i + 2]) is") == 2);
  BOOST_TEST(assertions("map (\\i -> f64.sum (map f64.sin xs[i * 2:i * 2 + i])) is") == 2);
  BOOST_TEST(assertions("map (\\i -> f64.sum (map (\\j -> f64.sin (f64.product xs[i + j:i + j + 2])) is)) is") == 2);
  BOOST_TEST(assertions("map (\\i -> assert (f64.sum (map (\\j -> f64.i64 (i + j)) is) > 0) (f64.sin xs[i])) is") == 1);
  BOOST_TEST(assertions("map (\\i -> let k = i64.sum (map (* i) is) in assert (k > 0) (f64.sin xs[i])) is") == 1);
  BOOST_TEST(assertions("map (\\i -> let s = #[recompute] loop s = 1 for j < 3 do s + f64.sum xs[i + j:i + j + 2] in s * s) is") == 3);
  BOOST_TEST(assertions("map (\\i -> let k = i64.sum (map (* i) is) in f64.sum (map f64.sin xs[k:k + 2])) is") == 2);
}

/// Nobody may need the forward sweep, which checks indices, so the return sweep writes nothing where they are out of bounds.
BOOST_AUTO_TEST_CASE(accumulators_trust_only_what_is_known) {
  const auto trusting = [](const std::string& fn) {
    const Program program = differentiated(
        compiled("entry f [n][m] (xss: [n][n]f64) (is: [m]i64) = vjp (\\xss -> map (\\i -> " + fn + ") is) xss (replicate m 1)"));
    int count = 0;
    const std::function<void(const Body&)> visit = [&](const Body& body) {
      for (const Stm& stm : body.stms) {
        const auto* update = std::get_if<UpdateAcc>(&stm.exp);
        count += update && update->in_bounds;
        for_each_body(stm.exp, visit);
      }
    };
    for (const Function& function : program.functions) visit(function.body);
    return count;
  };
  BOOST_TEST(trusting("xss[i, i + 1]") == 0);
  BOOST_TEST(trusting("f64.sum xss[i, 0:2]") == 0);
  BOOST_TEST(trusting("f64.sum (map f64.sum xss[i:i + 2])") == 1);
}

/// Maps of which a few elements are used.
BOOST_AUTO_TEST_CASE(map_sparse) {
  check("entry f [n] (xs: [n]f64): f64 = let ys = map f64.sin xs in ys[0] * ys[2] * ys[0]", {some_f64s(4)});
  check("entry f [n] (xs: [n]f64) (ys: [n]f64): f64 = let zs = map2 (\\x y -> x * f64.sin y) xs ys in zs[1]", {some_f64s(4), some_f64s(4, 1)});
  check("entry f [n][m] (xss: [n][m]f64): f64 = let yss = map (map f64.sin) xss in yss[1, 0] * yss[0, 1] + yss[1, 1]", {matrix(3, 2)});
}

BOOST_AUTO_TEST_CASE(map_with_free_arrays) {
  check("entry f [n][k] (xs: [n]f64) (is: [k]i64): [k]f64 = map (\\i -> xs[i] * xs[i + 1]) is",
        {some_f64s(5), i64s({0, 3, 3, 1})});
  check("entry f [n][m][k] (xss: [n][m]f64) (is: [k]i64): [k][k]f64 = map (\\i -> map (\\j -> xss[i, j] * xss[j, i]) is) is",
        {matrix(3, 3), i64s({0, 2, 1, 2})});
  check("entry f [n][m][k] (xss: [n][m]f64) (is: [k]i64): [k]f64 = map (\\i -> f64.sum (map (\\x -> x * x) xss[i])) is",
        {matrix(3, 2), i64s({0, 2, 2})});
  check("entry f [n] (xs: [n]f64): f64 = f64.sum (map (\\i -> f64.sum xs[i:i + 2]) (iota (n - 2)))", {some_f64s(5)});
  // One array that is free in both maps, and one that is made between them.
  check("entry f [n] (xs: [n]f64): [2]f64 = map (\\i -> let ws = map (\\x -> x * f64.i64 (i + 1)) xs\n"
        "in f64.sum (map (\\j -> xs[j] * xs[j] * ws[j] * ws[j] * ws[0]) (iota n))) (iota 2)", {some_f64s(3)});
  // Slices with strides, and indices after a slice.
  check("entry f [n] (xs: [n]f64): [2]f64 = map (\\i -> let ys = xs[i:i + 3:2] in ys[0] * ys[1] * ys[1]) (iota 2)", {some_f64s(5)});
  check("entry f [n][m] (xss: [n][m]f64): [2]f64 = map (\\i -> let ys = xss[i:i + 2, i + 1] in ys[0] * ys[1] * ys[1]) (iota 2)",
        {matrix(3, 3)});
  // A minimum that the neutral element wins.
  check("entry f [n] (xs: [n]f64): [2]f64 = map (\\i -> reduce f64.min 0 xs + xs[i]) (iota 2)", {some_f64s(3)});
  check("entry f [n][m] (a: [n][m]f64) (b: [m][n]f64) = map (\\x -> map (\\y -> f64.sum (map2 (*) x y)) (transpose b)) a",
        {matrix(3, 2), matrix(2, 3, 1)});
}

BOOST_AUTO_TEST_CASE(loops) {
  const std::string power = "entry f (n: i64) (x: f64): f64 = loop y = x for _i < n do y * f64.sin y + x";
  for (const std::int64_t n : {-1, 0, 1, 5}) check(power, {i64_value(n), f64_value(0.8)});
  check("entry f (n: i64) (x: f64): f64 = loop y = 0 for i < n do y + x * f64.i64 i", {i64_value(4), f64_value(0.8)});
  check("entry f [n] (xs: [n]f64): f64 = let (y, z) = loop (y, z) = (1, 0) for x in xs do (y * x, z + y) in y * z", {some_f64s(4)});
  check("entry f [n] (k: i64) (xs: [n]f64): [n]f64 = loop xs for _i < k do map (\\x -> x * f64.sum xs) xs",
        {i64_value(3), some_f64s(3)});
  check("entry f [n] (xs: [n]f64): f64 = f64.sum (map (\\x -> loop y = x for i < n do y * x + xs[i]) xs)", {some_f64s(3)});
  check("entry f (x: f64): f64 = loop y = x while y < 10 do y * y + 1", {f64_value(0.8)});
  // An adjoint that several names get, one of which is updated by a loop.
  check("entry f (x: f64) (y: f64): f64 = let z = x + y let a = loop a = 1 for _i < 3 do f64.sin (a * x * z) in x + y + a",
        {f64_value(0.7), f64_value(-0.3)});
  check("entry f (x: f64) (y: f64): f64 = let (a, b) = loop (a, b) = (x, y) for _i < 3 do let z = f64.sin (a * b) + a in (z, z) in a * f64.sin b",
        {f64_value(0.8), f64_value(0.6)});
}

BOOST_AUTO_TEST_CASE(stripmined_loops) {
  for (const char* depth : {"2", "3"})
    for (const std::int64_t n : {-1, 0, 1, 2, 5, 9, 10, 27})
      BOOST_TEST_CONTEXT(depth << " levels, " << n << " iterations") {
        check(std::string("entry f (n: i64) (x: f64): f64 = #[stripmine(") + depth +
                  ")] loop y = x for i < n do f64.sin (y * x) + 0.1 * f64.i64 i",
              {i64_value(n), f64_value(0.8)}, {.seeds = false});
      }
}

BOOST_AUTO_TEST_CASE(loops_with_more_levels_than_steps) {
  const Program program = differentiated(compiled(
      "entry f (n: i64) (x: f64) = vjp (\\x -> #[stripmine(64)] loop y = x for i < n do y + x * f64.i64 i) x 1"));
  for (const std::int64_t n : {0, 1, 5, 27})
    BOOST_TEST((run_entry(program, "f", {i64_value(n), f64_value(0.5)}).at(0) == f64_value(static_cast<double>(1 + n * (n - 1) / 2))));
}

/// States that the return sweep keeps at once: one for each chunk, and those of the longest chunk.
std::int64_t states_kept(std::int64_t n, int depth) {
  if (depth == 1) return n;
  const auto power = [](std::int64_t r, int k) {
    std::int64_t result = 1;
    while (k-- > 0) result *= r;
    return result;
  };
  std::int64_t root = 1;
  while (power(root, depth) < n) ++root;
  const std::int64_t chunk = power(root, depth - 1);
  return (n + chunk - 1) / chunk + states_kept(std::min(chunk, n), depth - 1);
}

/// Sums of booleans are `or`, products `and`.
BOOST_AUTO_TEST_CASE(adjoints_of_booleans) {
  const Program program = differentiated(compiled(
      "entry sums (b: bool) = vjp (\\b -> [b, b]) b [true, true]\n"
      "entry products (bs: [2]bool) = vjp (\\(bs: [2]bool) -> scan (&&) true bs) bs [false, true]"));
  const Value adjoint = run_entry(program, "sums", {Value::of(PrimValue::of_bool(true))}).at(0);
  BOOST_TEST(adjoint.element(0).as_bool());
  Value bs = Value::zeros(PrimType::boolean, {2});
  bs.set_element(0, PrimValue::of_bool(true));
  const Value adjoints = run_entry(program, "products", {bs}).at(0);
  BOOST_TEST(!adjoints.element(0).as_bool());
  BOOST_TEST(adjoints.element(1).as_bool());
}

/// Each step is taken once, and no more states are kept than the root of their number says: where roots are exact, too, and
/// for one step less and one more.
BOOST_AUTO_TEST_CASE(chunks_are_balanced) {
  for (const int depth : {2, 3}) {
    const Program program = differentiated(compiled(
        fmt::format("entry sum (n: i64) (x: f64) = vjp (\\x -> #[stripmine({0})] loop y = x for i < n do y + x * f64.i64 i) x 1\n"
                    "entry sines (n: i64) (x: f64) = vjp (\\x -> #[stripmine({0})] loop y = x for _i < n do f64.sin y) x 1", depth)));
    const auto run = [&](const char* entry, std::int64_t n, Counts& counts) {
      return run_entry(program, entry, {i64_value(n), f64_value(0.5)}, {.counts = &counts}).at(0).element(0).as_float();
    };
    Counts one;
    run("sines", 1, one);
    for (const std::int64_t n : {0, 1, 2, 7, 8, 9, 10, 24, 25, 26, 27, 28, 999, 1000, 1001, 15625, 1000000})
      BOOST_TEST_CONTEXT(depth << " levels, " << n << " iterations") {
        Counts sum, sines;
        BOOST_TEST(run("sum", n, sum) == static_cast<double>(1 + n * (n - 1) / 2));
        std::uint64_t most = 0;
        for (const ScopeCount& scope : sum.scopes) most = std::max(most, scope.executions);
        BOOST_TEST(most == static_cast<std::uint64_t>(std::max<std::int64_t>(n, 1)));
        if (n == 0) continue;
        run("sines", n, sines);
        BOOST_TEST(static_cast<std::int64_t>(sines.peak_elements - one.peak_elements) == states_kept(n, depth) - depth);
      }
  }
}

BOOST_AUTO_TEST_CASE(updates) {
  check("entry f [n] (xs: [n]f64) (v: f64): [n]f64 = let ys = copy xs in ys with [1] = v * ys[0]", {some_f64s(3), f64_value(0.3)});
  check("entry f [n] (xs: [n]f64): f64 =\n"
        "let ys = copy xs let a = f64.sum (map (\\y -> y * y) ys)\n"
        "let ys[0] = a * ys[1] let b = f64.sum (map (\\y -> y * y * y) ys)\n"
        "let ys[1] = b in a * b * f64.sum (map f64.sin ys)",
        {some_f64s(3)});
  check("entry f [n] (xs: [n]f64): [n]f64 = loop ys = copy xs for i < n do ys with [i] = ys[i] * ys[(i + 1) % n]", {some_f64s(4)});
  check("entry f [n] (xs: [n]f64) (c: bool): [n]f64 = let ys = copy xs let z = ys[0] * ys[1]\n"
        "in if c then let y = ys[0] * z in ys with [0] = y * ys[0] else ys",
        {some_f64s(3), Value::of(PrimValue::of_bool(true))});
  check("entry f [n][m] (xss: [n][m]f64) (vs: [m]f64): [n][m]f64 =\n"
        "let yss = copy xss let s = yss[0, 0] * yss[1, 0] let yss[1] = map (* s) vs in map (map f64.sin) yss",
        {matrix(2, 3), some_f64s(3, 1)});
}

/// What no rule knows is refused, not differentiated wrongly.
BOOST_AUTO_TEST_CASE(refusals) {
  const auto is_refused = [](const std::string& f, bool forward = false) {
    const std::string text = "entry f (x: f64) = " + std::string(forward ? "jvp" : "vjp") + " (\\x -> " + f + ") x 1";
    BOOST_TEST_CONTEXT(text) BOOST_CHECK_THROW(differentiated(compiled(text)), source::Refusal);
  };
  const std::string op = "(\\a b -> a + b + a * b)";
  is_refused("reduce " + op + " x [x, 2 * x]");
  is_refused("f64.sum (scan " + op + " x [x, 2 * x])");
  is_refused("f64.sum (map f64.sum (scan (\\(a: [2]f64) (b: [2]f64) -> [a[0] * b[0], a[1] * b[0] + b[1]]) [x, 0] [[x, x], [2, x]]))");
  is_refused("f64.sum (reduce_by_index (replicate 2 x) " + op + " x [0, 1] [x, x])");
  is_refused("f64.sum (core.with_add (replicate 2 x) (\\acc -> core.finish (\n"
             "(loop (acc, xs: []f64) = (acc, [x]) for _i < 3 do (core.update_1d acc 0 xs[0], xs ++ xs)).0)))");
  for (const bool forward : {false, true}) {
    is_refused("f64.sum (core.with_combine f64.max 0 (replicate 2 x) (\\acc -> core.finish (\n"
               "(loop (acc, y) = (acc, x) while y < 9 do (core.update_1d acc 0 (y * y), y + 1)).0)))", forward);
    is_refused("f64.i32 (i64.popc (i64.f64 x))", forward);
  }
}

/// Sizes have derivatives, though they are discrete: as Futhark defines them.
BOOST_AUTO_TEST_CASE(sizes) {
  const Program sizes =
      compiled("entry iotas (n: i64) (x: i64): i64 = vjp (\\n -> i64.sum (map (* x) (iota n))) n 1\n"
               "entry iotas_tan (n: i64) (x: i64): i64 = jvp (\\n -> i64.sum (map (* x) (iota n))) n 1\n"
               "entry copies (n: i64) (x: i64): i64 = vjp (\\n -> i64.sum (replicate n x)) n 1");
  for (std::int64_t n = 1; n <= 20; ++n) {
    Fired fired;
    const Program program = differentiated(sizes, fired);
    const auto at = [&](const char* entry) { return run_entry(program, entry, {i64_value(n), i64_value(3)}).at(0); };
    BOOST_TEST((at("iotas") == i64_value(3 * n)));
    BOOST_TEST((at("iotas_tan") == i64_value(3 * n)));
    BOOST_TEST((at("copies") == i64_value(0)));
    count_nonzero(fired);
  }
}

BOOST_AUTO_TEST_CASE(scatters) {
  check("entry f [n][m] (ds: [m]f64) (is: [n]i64) (vs: [n]f64): [m]f64 = scatter (copy ds) is (map (\\x -> x * x) vs)",
        {some_f64s(4), i64s({2, -1, 0, 7}), some_f64s(4, 1)});
  check("entry f [n][m] (ds: [m]f64) (is: [n]i64) (vs: [n]f64) = let es = copy ds let s = map (\\x -> x * x) es\n"
        "let es = scatter es is vs in map2 (*) s es",
        {some_f64s(4), i64s({2, -1, 0, 7}), some_f64s(4, 1)});
}

BOOST_AUTO_TEST_CASE(scatters_of_tuples) {
  check("entry f [n][m] (as: [m]f64) (bs: [m]f64) (is: [n]i64) (vs: [n]f64) (ws: [n]f64) =\n"
        "unzip (scatter (zip as bs) is (zip (map f64.sin vs) (map f64.cos ws)))",
        {some_f64s(4), some_f64s(4, 1), i64s({2, -1, 0}), some_f64s(3, 2), some_f64s(3, 3)});
}

BOOST_AUTO_TEST_CASE(equal_writes_get_the_adjoint_once) {
  const Program program = differentiated(compiled(
      "entry f (xs: [1]f64) = vjp (\\(xs: [1]f64) -> scatter [0, 0] [1, 1] [xs[0], xs[0]]) xs [1, 1]"));
  BOOST_TEST((run_entry(program, "f", {f64s({5})}).at(0) == f64s({1})));
}

BOOST_AUTO_TEST_CASE(nested_maps_with_reductions) {
  check("def dist [d] (p: [d]f64) (c: [d]f64) = f64.sum (map2 (\\x y -> (x - y) * (x - y)) p c)\n"
        "entry f [n][k][d] (points: [n][d]f64) (centres: [k][d]f64): f64 =\n"
        "points |> map (\\p -> f64.minimum (map (dist p) centres)) |> f64.sum",
        {matrix(5, 2), matrix(3, 2, 1)});
  check("entry f [n][m] (xss: [n][m]f64): [n]f64 =\n"
        "map (\\xs -> let m = f64.maximum xs in m + f64.log (f64.sum (map (\\x -> f64.exp (x - m)) xs))) xss",
        {matrix(3, 4)});
}

}  // namespace boustro::ad::testing::rules_tests
