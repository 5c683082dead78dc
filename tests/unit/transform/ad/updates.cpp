// Updates in place: the return sweep takes them back, element by element, in every nest of loops
// and branches. What that costs is counted: it must grow with what the program writes, not with
// that times the size of the array.
#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"

namespace boustro::ad::testing {

namespace {

/// Bodies are those of functions of xs: [n]f64, n at least 4, that yield [n]f64.
const Case linear_cases[] = {
    {"one update", "loop ys = copy xs for i < n do ys with [i] = ys[i] * ys[(i + 1) % n]"},
    {"used again after it",
     "loop ys = copy xs for i < n do\n"
     "let ys[i] = ys[i] * ys[(i + 1) % n] let z = f64.sin ys[i] * ys[(i + 2) % n]\n"
     "in ys with [(i + 1) % n] = z * ys[i]"},
    {"in a branch",
     "loop ys = copy xs for i < n do if i % 3 == 0 then ys with [i] = ys[i] * ys[(i * 7) % n] else "
     "ys"},
    {"in both branches",
     "loop ys = copy xs for i < n do if ys[i] < 0.7 then ys with [i] = ys[i] * ys[(i * 7) % n]\n"
     "else let z = ys[i] * ys[i] let ys[(i + 1) % n] = z * ys[(i + 1) % n] in ys with [i] = z * "
     "ys[(i + 2) % n]"},
    {"used after a branch",
     "loop ys = copy xs for i < n do let a = ys[i] * ys[(i + 1) % n]\n"
     "let ys = if a < 0.5 then ys with [i] = a * ys[i] else ys in ys with [(i + 1) % n] = a * "
     "ys[i]"},
    {"in two loops",
     "loop ys = copy xs for i < n do loop ys for j < 3 do ys with [(i + j) % n] = ys[i] * ys[(i + "
     "j + 1) % n]"},
    {"in two loops, around others",
     "loop ys = copy xs for i < n do let ys[i] = ys[i] * ys[(i + 1) % n]\n"
     "let ys = loop ys for j < 3 do let z = ys[(i + j) % n] * ys[i] in ys with [(i + j) % n] = "
     "f64.sin (z + ys[j])\n"
     "in ys with [(i + 1) % n] = f64.sin (ys[i] * ys[(i + 1) % n])"},
    {"while",
     "(loop (ys, i) = (copy xs, 0) while i < n do (ys with [i] = ys[i] * ys[(i + 1) % n], i + "
     "1)).0"},
    {"at computed places",
     "loop ys = copy xs for i < n do let j = i64.f64 (ys[i] * 1000) % n in ys with [j] = ys[j] * "
     "ys[i] * 0.5 + ys[(j + 1) % n]"},
    {"two arrays",
     "let (ys, zs) = loop (ys, zs) = (copy xs, map f64.cos xs) for i < n do\n"
     "let a = ys[i] * zs[(i + 1) % n] let b = zs[i] * ys[(i + 1) % n] in (ys with [i] = a * b, zs "
     "with [(i + 2) % n] = b)\n"
     "in map2 (*) ys zs"},
    {"through another size",
     "loop ys = copy xs for i < n do let m = i64.max n 1 let zs = ys :> [m]f64\n"
     "in (zs with [i] = zs[i] * zs[(i + 1) % n]) :> [n]f64"},
    {"in a loop in the second branch",
     "loop ys = copy xs for i < n do if i % 2 == 0 then ys with [i] = ys[i] * ys[(i + 1) % n]\n"
     "else loop ys for j < 3 do ys with [(i + j) % n] = ys[i] * ys[(i + j + 1) % n]"},
    {"read in a branch",
     "let s = loop s = 0 for i < n do if i % 2 == 0 then s + xs[i] * xs[i] else s in map (* s) xs"},
    {"with a scalar",
     "let (ys, s) = loop (ys, s) = (copy xs, 1) for i < n do let s = s * ys[i] + 0.1 in (ys with "
     "[i] = s * ys[(i + 1) % n], s)\n"
     "in map (* s) ys"},
    {"cells of two dimensions",
     "let yss = loop yss = [xs, map f64.cos xs] for i < n do\n"
     "reduce_by_index_2d yss (+) 0 [(i % 2, i)] [yss[0, (i + 1) % n] * yss[1, i]]\n"
     "in map2 (*) yss[0] yss[1]"},
    {"scatter",
     "loop ys = copy xs for i < n do scatter ys [i, (i + 2) % n] [ys[i] * ys[(i + 1) % n], ys[(i + "
     "2) % n] * ys[i]]"},
};

std::string program_of(const Case& c) {
  return std::string("entry f [n] (xs: [n]f64): [n]f64 =\n") + c.body;
}

/// Elements and operations that vjp takes for n numbers.
double cost_of_vjp(const Program& program, std::int64_t n) {
  const Program derived = differentiated(DerivativeOf(program, "f").with_vjp("derivative", false));
  Counts counts;
  run_entry(derived, "derivative", {some_f64s(n), some_f64s(n, 1)}, {.counts = &counts});
  return static_cast<double>(counts.operations + counts.integer_operations + counts.elements_read +
                             counts.elements_written);
}

}  // namespace

BOOST_AUTO_TEST_CASE(updates_in_nests) {
  for (const Case& c : linear_cases)
    for (const std::int64_t n : {4, 7}) BOOST_TEST_CONTEXT(c.name << ", size " << n)
  check_derivative(compiled(program_of(c)), "f", {some_f64s(n)},
                   {.step = 1e-6, .tolerance = 1e-5, .seeds = n == 4});
}

BOOST_AUTO_TEST_CASE(updates_cost_what_they_write) {
  for (const Case& c : linear_cases) BOOST_TEST_CONTEXT(c.name) {
      const Program program = compiled(program_of(c));
      const double small = cost_of_vjp(program, 200), large = cost_of_vjp(program, 400);
      BOOST_TEST(large < 2.6 * small, large << " for 400 elements, " << small << " for 200");
    }
}

/// States that the return loop updates again: it copies one of them in each iteration, not all.
BOOST_AUTO_TEST_CASE(states_cost_what_they_hold) {
  const Program program = compiled(
      "entry f [n] (xs: [n]f64): [n]f64 = loop xs = copy xs for i < n do map f64.sin (xs with [i] = xs[i] * xs[i])");
  check_derivative(program, "f", {some_f64s(4)});
  const double small = cost_of_vjp(program, 30), large = cost_of_vjp(program, 60);
  BOOST_TEST(large < 4.5 * small, large << " for 60 elements, " << small << " for 30");
}

BOOST_AUTO_TEST_CASE(updates_of_rows) {
  const auto check = [](const std::string& text, const std::vector<Value>& args) {
    check_derivative(compiled(text), "f", args);
  };
  check(
      "entry f [n][m] (xss: [n][m]f64): [n][m]f64 =\n"
      "loop yss = copy xss for i < n - 1 do yss with [i + 1] = map2 (*) yss[i] yss[i + 1]",
      {some_f64s(12, 0, {4, 3})});
  check(
      "entry f [n][m] (xss: [n][m]f64): [n][m]f64 = loop yss = copy xss for i < n do\n"
      "loop yss for j < m do yss with [i, j] = yss[i, j] * yss[(i + 1) % n, (j + 1) % m]",
      {some_f64s(12, 0, {4, 3})});
  check(
      "entry f [n] (xs: [n]f64): [n]f64 = loop ys = copy xs for i < n do\n"
      "reduce_by_index ys (\\x y -> x + y + x * y) 0 [i, (i + 1) % n] [ys[(i + 2) % n], ys[i]]",
      {some_f64s(4)});
  check(
      "entry f [n] (xs: [n]f64): [n]f64 = "
      "loop ys = copy xs for i < n - 2 do let zs = map (\\y -> y * ys[i]) ys[i + 1:i + 3] in ys "
      "with [i + 1:i + 3] = zs",
      {some_f64s(5)});
  // Updated, then replaced as a whole.
  check("entry f [n] (xs: [n]f64): [n]f64 = loop ys = copy xs for i < n do let ys[i] = ys[0] * ys[i] in map f64.sin ys",
        {some_f64s(4)});
  // Read before loops that become others.
  for (const char* loop : {"(loop (ys, i) = (ys, 0) while i < n do (ys with [i] = ys[i] * ys[(i + 1) % n], i + 1)).0",
                           "#[stripmine(2)] loop ys for i < n do ys with [i] = ys[i] * ys[(i + 1) % n]"})
    check("entry f [n] (xs: [n]f64): [n]f64 = let ys = map f64.sin xs let s = f64.sum (map (\\y -> y * y) ys)\n"
              "let zs = " + std::string(loop) + " in map (* s) zs",
          {some_f64s(4)});
  // Trip counts that are computed in a branch, and negative ones.
  check(
      "entry f [n] (xs: [n]f64): [n]f64 = loop ys = copy xs for i < 3 do if ys[0] < 2\n"
      "then let k = i64.f64 (ys[1] * 4) in loop ys for j < k do ys with [j % n] = ys[(j + 1) % n] * ys[j % n] else ys",
      {some_f64s(4)});
  for (const std::int64_t k : {-3, 0, 2}) {
    check("entry f [n] (k: i64) (xs: [n]f64): [n]f64 = loop ys = copy xs for i < k do ys with [i] = ys[i] * ys[i + 1]",
          {i64_value(k), some_f64s(4)});
    check(
        "entry f [n] (k: i64) (xs: [n]f64): [n]f64 =\n"
        "loop ys = copy xs for i < 2 do loop ys for j < k do ys with [i + j] = ys[i] * ys[j + 1]",
        {i64_value(k), some_f64s(4)});
  }
  // Cells of two dimensions, all of which are read before.
  check(
      "entry f [n][m][k] (xss: [n][m]f64) (is: [k](i64, i64)) (vs: [k]f64) = let yss = copy xss\n"
      "let s = f64.sum (map (\\ys -> f64.sum (map (\\y -> y * y) ys)) yss)\n"
      "in map (map (* s)) (reduce_by_index_2d yss (\\x y -> x + y + x * y) 0 is vs)",
      {some_f64s(6, 0, {2, 3}), i64s({0, 1, 0}), i64s({2, 1, 2}), some_f64s(3, 1)});
  // A triangular nest, whose inner trip count changes.
  check(
      "entry f [n] (xss: [n][n]f64): [n][n]f64 = loop yss = copy xss for i < n do\n"
      "loop yss for j < i do yss with [i, j] = yss[i, j] * yss[j, i] + yss[j, j]",
      {some_f64s(16, 0, {4, 4})});
  check(
      "entry f [n][m] (xss: [n][m]f64): [n][m]f64 =\n"
      "map (\\xs -> loop ys = copy xs for i < m do ys with [i] = ys[i] * ys[(i + 1) % m]) xss",
      {some_f64s(12, 0, {4, 3})});
}

/// Arrays of equal elements that are read before they are consumed.
BOOST_AUTO_TEST_CASE(updates_of_constants) {
  for (const char* consumer : {"scatter ys (map (\\i -> (i * 2) % n) (iota n)) (map f64.sin xs)", "scatter ys (iota 3) [xs[1], xs[0] * xs[2], xs[0]]",
                               "reduce_by_index ys (\\x y -> x + y + x * y) 0 (map (% 2) (iota n)) xs", "reduce_by_index ys f64.max (-f64.inf) (map (% 3) (iota n)) (map (* 2) xs)",
                               "ys with [1] = xs[0] * xs[1]"})
    for (std::int64_t n = 4; n < 18; ++n)
      check_derivative(compiled(std::string("entry f [n] (xs: [n]f64): [n]f64 = let ys = replicate n xs[2]\n"
                                            "let s = f64.sum (map2 (\\x y -> x * x * y) xs ys) let zs = ") + consumer + " in map (* s) zs"),
                       "f", {some_f64s(n)});
}

BOOST_AUTO_TEST_CASE(updates_of_arrays_in_use_elsewhere) {
  const auto check = [](const std::string& text, const std::vector<Value>& args) {
    check_derivative(compiled(text), "f", args);
  };
  // The updated array is a result, so taking back must not touch it.
  check(
      "entry f [n] (xs: [n]f64) = let ys = map f64.sin xs let s = ys[0] * ys[1]\n"
      "let zs = loop zs = copy ys for i < n do zs with [i] = zs[i] * zs[(i + 1) % n] in (ys, zs, s "
      "* zs[0])",
      {some_f64s(4)});
  // A view of it is read before.
  check(
      "entry f [n] (xs: [n]f64) (c: bool) = let ys = map f64.sin xs let vs = reverse ys let s = "
      "f64.sum (map2 (*) vs ys)\n"
      "let ws = map (** 3) vs in let ys[0] = s * ys[1] let us = if c then ys with [1] = s * ys[0] "
      "else ys\n"
      "in (map2 (*) us ws, f64.sum us)",
      {some_f64s(4), Value::of(PrimValue::of_bool(true))});
  // Views of other kinds: a transposed array, one of two arrays.
  check(
      "entry f [n][m] (xss: [n][m]f64) = let yss = map (map f64.sin) xss let vss = transpose yss\n"
      "let s = f64.sum (map (\\vs -> f64.sum (map (\\v -> v * v) vs)) vss) let yss[0, 0] = s * yss[1, 0] in yss",
      {some_f64s(6, 0, {2, 3})});
  for (const std::int64_t n : {2, 3, 5, 7})
    check("entry f [n] (xs: [n]f64) = let ys = map f64.sin xs let vs = reverse ys\n"
          "let s = f64.sum (map (\\v -> v * v) vs) let ys[0] = s * ys[1] in ys",
          {some_f64s(n)});
  for (const bool c : {false, true})
    check(
        "entry f [n] (xs: [n]f64) (c: bool) = let ys = map f64.sin xs let zs = if c then ys else xs\n"
        "let s = f64.sum (map (\\z -> z * z) zs) let ys[0] = s * ys[1] in ys",
        {some_f64s(4), Value::of(PrimValue::of_bool(c))});
  // A branch updates what another branch in it, or a loop, may have handed on.
  for (const bool c : {false, true})
    for (const std::int64_t k : {0, 1})
      for (const char* other : {"if k == 0 then ys else map f64.cos ys", "loop zs = ys for _i < k do map f64.cos zs"})
        check(
            "entry f [n] (xs: [n]f64) (c: bool) (k: i64) = let ys = map f64.sin xs let s = f64.product ys\n"
            "let ws = if c then (let zs = " + std::string(other) + " let zs[0] = s * zs[1] in zs) else map f64.exp xs in map (* s) ws",
            {some_f64s(4), Value::of(PrimValue::of_bool(c)), i64_value(k)});
  // An inactive array, of indices, changes in a loop that has no derivative.
  check(
      "entry f [n] (xs: [n]f64) = let is = map (% n) (map (+ 1) (iota n)) let a = f64.sum (map "
      "(\\i -> xs[i] * xs[(i + 1) % n]) is)\n"
      "let js = loop is for i < n do is with [i] = (is[i] * 2 + i) % n in map (\\j -> a * xs[j] * "
      "xs[j]) js",
      {some_f64s(5)});
}

/// One of them is the loop's own without being updated in it, so that results may be updated one by one.
BOOST_AUTO_TEST_CASE(arrays_that_change_places) {
  const auto check = [](const std::string& text) { check_derivative(compiled(text), "f", {some_f64s(4)}); };
  check("entry f [n] (xs: [n]f64): ([n]f64, [n]f64) =\n"
        "let (a, b) = loop (a: *[n]f64, b: *[n]f64) = (copy xs, map f64.sin xs) for i < 3 do (map2 (*) b xs, a)\n"
        "let a = a with [1] = b[2] * a[0] in (a, b)");
  check("entry f [n] (xs: [n]f64): ([n]f64, [n]f64) =\n"
        "let zs = replicate n 0\n"
        "let (a, b) = loop (a: [n]f64, b: [n]f64) = (xs, zs) for i < 3 do if i % 2 == 0 then (map f64.sin b, zs) else (zs, map f64.cos a)\n"
        "in (map2 (*) xs a, b)");
}

}  // namespace boustro::ad::testing
