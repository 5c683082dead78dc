// What a program becomes: Futhark text in, after the passes of `boustro derive`, and text as people would write it out.
#include "transform/raise/raise.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/transform/raise/raised.hpp"

using namespace boustro::raise::testing;

BOOST_AUTO_TEST_SUITE(raise_folding)

BOOST_AUTO_TEST_CASE(what_is_used_once_goes_into_its_use) {
  becomes(R"(
entry main (x: f64) (y: f64) = let z = x * y let w = z + f64.sin x in (w * w, z)
)",
          R"(
entry main (x: f64) (y: f64) : (f64, f64) =
  let z = x * y
  let w = z + f64.sin x
  in (w * w, z)
)");
}
BOOST_AUTO_TEST_CASE(folded_constants_have_their_names) {
  becomes(R"(
entry main (x: f64) = x * f64.log (2 * f64.pi) + f64.sqrt 2 - 2 * f64.pi
)",
          R"(
entry main (x: f64) : f64 =
  x * f64.log (2 * f64.pi) + f64.sqrt 2 - 2 * f64.pi
)");
  becomes(R"(
entry main (x: f64) : f64 = x * 3.14159265
)",
          R"(
entry main (x: f64) : f64 =
  x * 3.14159265
)");
}
BOOST_AUTO_TEST_CASE(but_not_where_it_would_be_computed_more_often) {
  becomes(R"(
entry main [n] (xs: [n]f64) (y: f64) = let z = f64.exp y in map (\x -> x * z / (x + 1)) xs
)",
          R"(
entry main [n] (xs: [n]f64) (y: f64) : *[n]f64 =
  let z = f64.exp y
  in map (\x -> x * z / (x + 1)) xs
)");
  becomes(R"(
entry main (n: i64) (x: f64) = let y = f64.exp x in loop z = 1 for i < n do z * y
)",
          R"(
entry main (n: i64) (x: f64) : f64 =
  let y = f64.exp x
  in loop z = 1 for i < n do z * y
)");
}
BOOST_AUTO_TEST_CASE(into_a_branch) {
  becomes(R"(
entry main (c: bool) (x: f64) = let y = f64.exp x in if c then y else x
)",
          R"(
entry main (c: bool) (x: f64) : f64 =
  if c then f64.exp x else x
)");
}
BOOST_AUTO_TEST_CASE(not_past_what_consumes_what_it_reads) {
  becomes(R"(
entry main [n] (xs: *[n]f64) = let x = xs[0] let ys = xs with [0] = 7 in (ys, x + 1)
)",
          R"(
entry main [n] (xs: *[n]f64) : (*[n]f64, f64) =
  let x = xs[0]
  in (xs with [0] = 7, x + 1)
)");
  becomes(R"(
entry main [n] (xs: *[n]f64) (is: [n]i64) = let ys = map (+ 1) xs in scatter xs is ys
)",
          R"(
entry main [n] (xs: *[n]f64) (is: [n]i64) : *[n]f64 =
  let ys = map (+ 1) xs
  in scatter xs is ys
)");
}
BOOST_AUTO_TEST_CASE(an_update_may_read_what_it_writes_to) {
  becomes(R"(
entry main [n] (xs: *[n]f64) = xs with [0] = xs[1] * 2
)",
          R"(
entry main [n] (xs: *[n]f64) : *[n]f64 =
  xs with [0] = xs[1] * 2
)");
}
BOOST_AUTO_TEST_CASE(long_arguments_are_piped) {
  becomes(R"(
entry main [n] [m] (xss: [n][m]f64) (weights: [m]f64) (start: f64) =
  let weighted xs = f64.sum (map2 (\x weight -> f64.exp (x * weight - start)) xs weights)
  in f64.sum (map (\xs -> start + f64.log (weighted xs)) xss)
)",
          R"(
entry main [n] [m] (xss: [n][m]f64) (weights: [m]f64) (start: f64) : f64 =
  map (\xs -> start + f64.log (f64.sum (map2 (\x y -> f64.exp (x * y - start)) xs weights))) xss
  |> f64.sum
)");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(raise_naming)

BOOST_AUTO_TEST_CASE(scopes_that_do_not_meet_share_names) {
  becomes(R"(
entry main [n] (xs: [n]f64) (ys: [n]f64) = (map (\x -> x * x + 1) xs, map (\x -> x - x * x) ys)
)",
          R"(
entry main [n] (xs: [n]f64) (ys: [n]f64) : (*[n]f64, *[n]f64) =
  (map (\x -> x * x + 1) xs, map (\x -> x - x * x) ys)
)");
}
BOOST_AUTO_TEST_CASE(what_is_needed_is_not_hidden) {
  becomes(R"(
entry main [n] (y: f64) (xs: [n]f64) = map (\x -> map (\y' -> x * y' + y) xs) xs
)",
          R"(
entry main [n] (y: f64) (xs: [n]f64) : *[n][n]f64 =
  map (\x -> map (\y' -> x * y' + y) xs) xs
)");
  becomes(R"(
entry main [n] (x: f64) (xs: [n]f64) = let f x = x * x + 1 in f x + f64.sum (map (\y -> f (y + x)) xs)
)",
          R"(
def f (x: f64) : f64 =
  x * x + 1

entry main [n] (x: f64) (xs: [n]f64) : f64 =
  f x + f64.sum (map (\y -> f (y + x)) xs)
)");
}
BOOST_AUTO_TEST_CASE(sizes_keep_their_names) {
  becomes(R"(
entry main [n] (xs: [n]f64) = let n = n * n in f64.i64 n * xs[0] + f64.i64 (n + 1)
)",
          R"(
entry main [n] (xs: [n]f64) : f64 =
  let n2 = n * n
  in f64.i64 n2 * xs[0] + f64.i64 (n2 + 1)
)");
}
BOOST_AUTO_TEST_CASE(arrays_keep_theirs_when_they_are_updated) {
  becomes(R"(
entry main [n] (xs: *[n]f64) = let xs = xs with [0] = 1 let s = f64.sum xs let xs = xs with [1] = s in xs with [2] = f64.sum xs * s
)",
          R"(
entry main [n] (xs: *[n]f64) : *[n]f64 =
  let xs[0] = 1
  let s = f64.sum xs
  let xs[1] = s
  in xs with [2] = f64.sum xs * s
)");
}
BOOST_AUTO_TEST_CASE(names_of_the_language_are_mended) {
  becomes(R"(
entry main (map: f64) (f64: f64) (sum: f64) = map * f64 + sum
)",
          R"(
entry main (map_: f64) (f64_: f64) (sum: f64) : f64 =
  map_ * f64_ + sum
)");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(raise_idioms)

BOOST_AUTO_TEST_CASE(reductions) {
  becomes(R"(
entry main [n] (xs: [n]f32) = (f32.sum xs, f32.product xs, f32.minimum xs, f32.maximum xs, reduce (+) 1 xs)
)",
          R"(
entry main [n] (xs: [n]f32) : (f32, f32, f32, f32, f32) =
  (f32.sum xs, f32.product xs, f32.minimum xs, f32.maximum xs, reduce (+) 1 xs)
)");
  becomes(R"(
entry main [n] (xs: [n]i8) (cs: [n]bool) = (i8.sum xs, i8.minimum xs, i8.maximum xs, reduce i8.max 0 xs, and cs, or cs)
)",
          R"(
entry main [n] (xs: [n]i8) (cs: [n]bool) : (i8, i8, i8, i8, bool, bool) =
  (i8.sum xs, i8.minimum xs, i8.maximum xs, reduce i8.max 0 xs, and cs, or cs)
)");
}
BOOST_AUTO_TEST_CASE(functions_and_sections) {
  becomes(R"(
entry main [n] (xs: [n]f64) = (map (+ 1) xs, map (1 /) xs, map (\x -> x - 1) xs, map f64.exp xs, map f64.neg xs, map (> 2) xs)
)",
          R"(
entry main [n] (xs: [n]f64) : (*[n]f64, *[n]f64, *[n]f64, *[n]f64, *[n]f64, *[n]bool) =
  (map (+ 1) xs, map (1 /) xs, map (\x -> x - 1) xs, map f64.exp xs, map f64.neg xs, map (> 2) xs)
)");
}
BOOST_AUTO_TEST_CASE(slices) {
  becomes(R"(
entry main [n] (xs: [n]f64) (k: i64) = (reverse xs, take k xs, xs[::2])
)",
          R"(
entry main [n] (xs: [n]f64) (k: i64) : ?[d].([n]f64, [k]f64, [d]f64) =
  let _ = assert (k == 0 || k >= 0 && k <= n) ()
  let d = (n + 1) // 2
  let n2 = (d - 1) * 2
  let _ = assert (d == 0 || d > 0 && (n > 0 && (n2 >= 0 && n2 < n))) ()
  let x = xs[0:0 + d * 2:2] :> [d]f64
  in (reverse xs, take k xs, x)
)");
}
BOOST_AUTO_TEST_CASE(tabulate) {
  becomes(R"(
entry main (n: i64) = tabulate n (\i -> f64.i64 i * 2)
)",
          R"(
entry main (n: i64) : *[n]f64 =
  tabulate n (\i -> f64.i64 i * 2)
)");
}
BOOST_AUTO_TEST_CASE(scalars) {
  becomes(R"(
entry main (x: f64) (y: f64) = (x + x, -(x + x), x != x, x < 1 && x > 0, x < 1 || y == y)
)",
          R"(
entry main (x: f64) (y: f64) : (f64, f64, bool, bool, bool) =
  let sum = 2 * x
  let holds = x < 1
  in (sum, -sum, f64.isnan x, holds && x > 0, holds || !f64.isnan y)
)");
}
BOOST_AUTO_TEST_CASE(indices) {
  becomes(R"(
entry main [n] (xs: [n][n]f64) = xs[1][2] + xs[n - 2, 0]
)",
          R"(
entry main [n] (xs: [n][n]f64) : f64 =
  xs[1, 2] + xs[n - 2, 0]
)");
}
BOOST_AUTO_TEST_CASE(additions_by_index) {
  becomes(R"(
entry main [n] [k] (dest: *[k]f64) (is: [n]i64) (xs: [n]f64) =
  core.with_add dest (\acc ->
    let (acc, _) = core.map (\acc (i, x) -> (core.update_1d acc i x, ())) acc (zip is xs)
    in core.finish acc)
)",
          R"(
entry main [n] [k] (dest: *[k]f64) (is: [n]i64) (xs: [n]f64) : *[k]f64 =
  reduce_by_index dest (+) 0 is xs
)");
  becomes(R"(
entry main [n] [k] (dest: *[k]f64) (is: [n]i64) (xs: [n]f64) =
  core.with_add dest (\acc ->
    let (acc, _) = core.map (\acc (i, x) -> (core.update_1d acc i (2 * x), ())) acc (zip is xs)
    in core.finish acc)
)",
          R"(
entry main [n] [k] (dest: *[k]f64) (is: [n]i64) (xs: [n]f64) : *[k]f64 =
  core.with_add dest (\acc ->
    let (acc, _) = core.map (\acc (i, x) -> (core.update_1d acc i (2 * x), ())) acc (zip is xs)
    in core.finish acc)
)");
}
BOOST_AUTO_TEST_CASE(winners_are_a_function_that_equal_ones_share) {
  becomes(R"(
entry main [n] (xs: [n]f64) (ys: [n]f64) = vjp (\(xs, ys) -> f64.minimum xs * f64.minimum ys) (xs, ys) 1
)",
          R"(
-- | The value and the index of the smallest element, the first of several; -1 if none is below f64.inf.
def argmin [n] (xs: [n]f64) : (f64, i64) =
  reduce_comm (\(x, i) (y, j) -> if y < x || x == y && j < i || f64.isnan x then (y, j) else (x, i))
              (f64.inf, -1) (zip xs (iota n))

entry main [n] (xs: [n]f64) (ys: [n]f64) : (*[n]f64, *[n]f64) =
  -- reverse_reduce_min, vjp
  let (minimum, winner) = argmin xs
  let (minimum2, winner2) = argmin ys
  let xs_adj = core.with_add (replicate n 0) (\xs_adj ->
    core.finish (core.update_1d xs_adj winner minimum2))
  let ys_adj = core.with_add (replicate n 0) (\ys_adj ->
    core.finish (core.update_1d ys_adj winner2 minimum))
  in (xs_adj, ys_adj)
)");
  becomes(R"(
entry main [n] (xs: [n]f64) = vjp f64.maximum xs 1
)",
          R"(
-- | The index of the largest element, the first of several; -1 if none is above -f64.inf.
def argmax [n] (xs: [n]f64) : i64 =
  (reduce_comm (\(x, i) (y, j) ->
                  if x < y || x == y && j < i || f64.isnan x then (y, j) else (x, i))
               (-f64.inf, -1) (zip xs (iota n))).1

entry main [n] (xs: [n]f64) : *[n]f64 =
  -- vjp, reverse_reduce_min
  core.with_add (replicate n 0) (\xs_adj -> core.finish (core.update_1d xs_adj (argmax xs) 1))
)");
}
BOOST_AUTO_TEST_CASE(a_function_of_that_name_is_not_the_prelude_s) {
  becomes(R"(
entry reverse [n] (xs: [n]f64) (k: i64) : [n]f64 = xs[::-1]
)",
          R"(
entry reverse [n] (xs: [n]f64) (k: i64) : [n]f64 =
  let n2 = n - 1
  in xs[n2:n2 - n:-1] :> [n]f64
)");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(raise_literals)

BOOST_AUTO_TEST_CASE(have_no_suffix_where_the_type_is_known) {
  becomes(R"(
entry main (n: i64) = i64.sum (map i64.f32 (map (\i -> if i32.i64 i > 3 then 0.1f32 else -2) (iota n)))
)",
          R"(
entry main (n: i64) : i64 =
  i64.sum (map i64.f32 (tabulate n (\i -> if i32.i64 i > 3 then 0.1 else -2)))
)");
  becomes(R"(
entry main (x: f32) = (x * 16777217, x + 1e-45, x - 1e30, f32.inf * x, x ** -0.5)
)",
          R"(
entry main (x: f32) : (f32, f32, f32, f32, f32) =
  (x * 16777216.0, x + 1e-45, x - 1e+30, f32.inf * x, x ** -0.5)
)");
}
BOOST_AUTO_TEST_CASE(have_one_elsewhere) {
  becomes(R"(
entry main (n: i64) : bool = let x = loop x = 5u8 for i < n do x * 3 in x == 7
)",
          R"(
entry main (n: i64) : bool =
  let x = loop x = 5u8 for i < n do x * 3u8
  in x == 7u8
)");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(raise_interface)

BOOST_AUTO_TEST_CASE(records_and_tuples) {
  becomes(R"(
entry main [n] (p: {x: f64, ys: [n]f64}) (a: f64, b: f64) : ({s: f64, d: f64}, f64) = ({s = p.x + a, d = f64.sum p.ys - b}, a)
)",
          R"(
entry main [n]
           ({x = p_x, ys = p_ys}: {x: f64, ys: [n]f64})
           ((a, b): (f64, f64))
           : ({d: f64, s: f64}, f64) =
  ({d = f64.sum p_ys - b, s = p_x + a}, a)
)");
}
BOOST_AUTO_TEST_CASE(documentation) {
  becomes(R"(
-- | The norm
-- of a vector.
entry main [n] (xs: [n]f64) : f64 = f64.sqrt (f64.sum (map (\x -> x * x) xs))
)",
          R"(
-- | The norm
-- of a vector.
entry main [n] (xs: [n]f64) : f64 =
  f64.sqrt (f64.sum (map (\x -> x * x) xs))
)");
}
BOOST_AUTO_TEST_CASE(existential_sizes) {
  becomes(R"(
entry main [n] (xs: [n]i64) = filter (> 2) xs
)",
          R"(
entry main [n] (xs: [n]i64) : ?[k].*[k]i64 =
  let flags = map (> 2) xs
  let counts = scan (+) 0 (map i64.bool flags)
  let k = i64.min n (if n == 0 then 0 else counts[n - 1])
  in scatter (core.scratch k : [k]i64) (map2 (\x y -> if x then y - 1 else -1) flags counts) xs
)");
}
BOOST_AUTO_TEST_CASE(sizes_of_slices) {
  becomes(R"(
def f [n] (xs: [n]f64) : f64 = f64.sum xs / f64.i64 n
entry main [n] (xs: [n]f64) = f xs + f xs[1:]
)",
          R"(
entry main [n] (xs: [n]f64) : f64 =
  let n2 = n - 1
  let _ = assert (n2 == 0 || n >= 1) ()
  let xs2 = xs[1:1 + n2] :> [n2]f64
  in f64.sum xs / f64.i64 n + f64.sum xs2 / f64.i64 n2
)");
}

BOOST_AUTO_TEST_SUITE_END()
