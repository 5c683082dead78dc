#include "transform/raise/raise.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/transform/raise/raised.hpp"

using namespace boustro::raise::testing;

BOOST_AUTO_TEST_SUITE(folding)
BOOST_AUTO_TEST_CASE(a) {
  becomes("entry main (x: f64) (y: f64) = let z = x * y let w = z + f64.sin x in (w * w, z)", "");
  becomes("entry main [n] (xs: [n]f64) (y: f64) = let z = f64.exp y in map (\\x -> x * (z + 1) / x) xs", "");
  becomes("entry main [n] (xs: *[n]f64) = let x = xs[0] let ys = xs with [0] = 7 in (ys, x + 1)", "");
  becomes("entry main [n] (xs: *[n]f64) = xs with [0] = xs[1] * 2", "");
  becomes("entry main (c: bool) (x: f64) = let y = f64.exp x in if c then y else x", "");
  becomes("entry main (n: i64) (x: f64) = let y = f64.exp x in loop z = 1 for i < n do z * y", "");
}
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(naming)
BOOST_AUTO_TEST_CASE(b) {
  becomes("entry main [n] (xs: [n]f64) (ys: [n]f64) = (map (\\x -> x * x + 1) xs, map (\\x -> x - x * x) ys)", "");
  becomes("entry main [n] (xs: *[n]f64) = let xs = xs with [0] = 1 let xs = xs with [1] = 2 in xs with [2] = f64.sum (copy xs)", "");
  becomes("entry main [n] (x: f64) (xs: [n]f64) = map (\\y -> let z = y * x in z * z) xs", "");
  becomes("entry main (map': f64) (sum: f64) = f64.exp (map' * sum)", "");
}
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(idioms)
BOOST_AUTO_TEST_CASE(c) {
  becomes("entry main [n] (xs: [n]f32) = (f32.sum xs, f32.product xs, f32.minimum xs, f32.maximum xs, reduce (+) 1 xs)", "");
  becomes("entry main [n] (xs: [n]i8) (cs: [n]bool) = (i8.sum xs, i8.minimum xs, i8.maximum xs, reduce i8.max 0 xs, and cs, or cs)", "");
  becomes("entry main [n] (xs: [n]f64) = (map (+ 1) xs, map (1 /) xs, map (\\x -> x - 1) xs, map f64.exp xs, map f64.neg xs)", "");
  becomes("entry main [n] (xs: [n]f64) (k: i64) = (reverse xs, take k xs, tabulate n (\\i -> f64.i64 i * 2))", "");
  becomes("entry main (x: f64) = (x + x, x != x, if x < 1 then x > 0 else false)", "");
  becomes("entry main [n] [k] (dest: *[k]f64) (is: [n]i64) (xs: [n]f64) = core.with_add dest (\\acc -> let (acc, _) = core.map (\\acc (i, x) -> (core.update_1d acc i x, ())) acc (zip is xs) in core.finish acc)", "");
  becomes("entry main [n] (xs: [n]f64) (ys: [n]f64) = vjp (\\(xs, ys) -> f64.minimum xs * f64.minimum ys) (xs, ys) 1", "");
  becomes("entry main [n] (xs: [n][n]f64) = xs[1][2] + xs[n - 2, 0]", "");
}
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(literals)
BOOST_AUTO_TEST_CASE(d) {
  becomes("entry main (n: i64) = i64.sum (map i64.f32 (map (\\i -> if i32.i64 i > 3 then 0.1f32 else -2) (iota n)))", "");
  becomes("entry main (n: i64) (c: bool) : bool = let x = loop x = 5u8 for i < n do x * 3 in x == 7", "");
}
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(interface)
BOOST_AUTO_TEST_CASE(e) {
  becomes("entry main [n] (p: {x: f64, ys: [n]f64}) (a: f64, b: f64) : {s: f64, d: f64} = {s = p.x + a, d = f64.sum p.ys - b}", "");
  becomes("type point = {x: f64, y: f64}\n-- | The norm\n-- of a point.\nentry main (p: point) : f64 = f64.sqrt (p.x * p.x + p.y * p.y)", "");
  becomes("entry main [n] (xs: [n]i64) = filter (> 2) xs", "");
}
BOOST_AUTO_TEST_SUITE_END()
