// Loops whose arrays change size: reverse mode runs them again to come to an earlier state.
#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"

namespace boustro::ad::testing {

namespace {

/// Of functions of xs: [n]f64 that yield a number.
const Case resized_loops[] = {
    {"twice the size", "f64.sum (loop (ys: []f64) = xs for i < 3 do ys ++ map (\\y -> y * y * 0.5 + f64.i64 i) ys)"},
    {"half the size",
     "f64.sum (loop (ys: []f64) = xs while length ys > 1 do let k = length ys / 2\n"
     "in map2 (\\a b -> a * b + 1) (take k ys) (drop (length ys - k) ys))"},
    {"as many as are left", "f64.sum (loop (ys: []f64) = xs for i < 3 do filter (> 0.3) (map (\\y -> y * y + 0.1) ys))"},
    {"other sizes meanwhile", "let (ys, z) = loop (ys: []f64, z) = (xs, 1) for i < 4 do (map (* z) (ys ++ ys[0:i % 2]), z + ys[0]) in z * f64.sum ys"},
    {"free variables", "let (zs: []f64) = map f64.sin xs in f64.sum (loop (ys: []f64) = xs for i < 2 do map (* zs[i]) ys ++ map (+ xs[0]) zs)"},
    {"updates in place",
     "f64.sum (loop (ys: *[]f64) = copy xs for i < 3 do let ys = ys with [0] = ys[0] * ys[length ys - 1]\n"
     "let ys = ys with [length ys - 1] = ys[0] + ys[i] in ys ++ [ys[0] * 2])"},
    {"rows", "f64.sum (flatten (loop (yss: [][n]f64) = [xs] for i < 2 do yss ++ map (map (* yss[0, 1])) yss))"},
    {"other types of steps", "f64.sum (loop (ys: []f64) = xs for i < 3i8 do map (* ys[i64.i8 i]) ys ++ [ys[1]])"},
    {"in a loop", "f64.sum (loop zs = xs for j < 3 do map (* f64.sum (loop (ys: []f64) = zs for i < j do ys ++ map (* 0.5) ys)) xs)"},
    {"in a map", "f64.sum (map (\\x -> f64.sum (loop (ys: []f64) = [x, 2] for i < i64.f64 (x * 4) do ys ++ [ys[0] * x])) xs)"},
    {"in itself", "f64.sum (loop (ys: []f64) = xs for i < 2 do loop (zs: []f64) = ys for j < i + 1 do zs ++ [zs[j] * ys[i]])"},
    {"never", "f64.sum (loop (ys: []f64) = map (* 2) xs for i < 0 do ys ++ ys)"},
    {"sizes as numbers", "let (ys, k) = loop (ys: []f64, k) = (xs, 0) for i < 2 do (ys ++ ys, k + length ys) in f64.i64 k * ys[0] * ys[k - 1]"},
};

std::string number_function(const Case& c) { return std::string("entry f [n] (xs: [n]f64): f64 =\n") + c.body; }

}  // namespace

BOOST_AUTO_TEST_CASE(loops_that_change_sizes) {
  for (const Case& c : resized_loops)
    for (const std::int64_t n : {3, 5})
      BOOST_TEST_CONTEXT(c.name << ", size " << n)
        check_derivative(compiled(number_function(c)), "f", {some_f64s(n)}, {.step = 1e-6, .tolerance = 1e-5, .seeds = n == 3});
}

BOOST_AUTO_TEST_CASE(loops_that_change_sizes_twice) {
  for (const Case& c : resized_loops) BOOST_TEST_CONTEXT(c.name) {
      const std::string text = number_function(c) + "\nentry g [n] (xs: [n]f64): [n]f64 = vjp f xs (f64.cos xs[0])";
      check_derivative(differentiated(compiled(text)), "g", {some_f64s(3)}, {.step = 1e-6, .tolerance = 1e-5, .seeds = false});
    }
}

}  // namespace boustro::ad::testing
