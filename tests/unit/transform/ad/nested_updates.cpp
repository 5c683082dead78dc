// Updates in place in nests whose inner parts differ in size: what is saved then is stored with room for the largest. What that
// costs is counted in tests/cost.
#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"

namespace boustro::ad::testing {

namespace {

/// Of functions of xs: [n]f64 that yield [n]f64.
const Case nested_updates[] = {
    {"trip count by number",
     "loop ys = copy xs for i < n do loop ys for j < i % 4 do ys with [(i + j) % n] = ys[i] * ys[(i + j + 1) % n]"},
    {"of another integer type",
     "loop ys = copy xs for i < i32.i64 n do loop ys for j < i % 3 do\n"
     "ys with [(i64.i32 (i + j)) % n] = ys[i64.i32 i] * ys[i64.i32 (i + j + 1) % n]"},
    {"three loops",
     "loop ys = copy xs for i < n do loop ys for j < i % 3 do loop ys for k < (i + j) % 3 do\n"
     "ys with [(i + j + k) % n] = ys[i] * ys[(i + j + k + 1) % n]"},
    {"trip count carried",
     "(loop (ys, k) = (copy xs, 1) for i < n do\n"
     "(loop ys for j < k do ys with [(i + j) % n] = ys[i] * ys[(i + j + 1) % n], (k * 5 + i) % 4)).0"},
    {"trip count read from the array",
     "loop ys = copy xs for i < n do loop ys for j < i64.f64 (10 * ys[i]) % 4 do\n"
     "ys with [(i + j) % n] = ys[i] * ys[(i + j + 1) % n]"},
    {"trip count of a branch",
     "loop ys = copy xs for i < n do let k = if ys[i] < 0.7 then i % 3 else 2 in loop ys for j < k do\n"
     "ys with [(i + j) % n] = ys[i] * ys[(i + j + 1) % n]"},
    {"slices by number",
     "loop ys = copy xs for i < n do let k = i % 3 let zs = map (* ys[i]) (take k ys) in ys with [0:k] = zs"},
    {"slices and loops",
     "loop ys = copy xs for i < n do let k = i % 3 let zs = map (* ys[i]) (take k ys) let ys[0:k] = zs\n"
     "in loop ys for j < k do ys with [j] = ys[j] * ys[k]"},
    {"while in a loop",
     "loop ys = copy xs for i < n do (loop (ys, j) = (ys, 0) while j < i % 3 do\n"
     "(ys with [(i + j) % n] = ys[i] * ys[(i + j + 1) % n], j + 1)).0"},
    {"while in a while",
     "(loop (ys, i) = (copy xs, 0) while i < n do ((loop (ys, j) = (ys, 0) while j < 3 do\n"
     "(ys with [(i + j) % n] = ys[i] * ys[(i + j + 1) % n], j + 1)).0, i + 1)).0"},
    {"while some element is large",
     "loop ys = copy xs for i < n do (loop (ys, j) = (ys, 0) while j < 3 && ys[j] < 10 do\n"
     "(ys with [(i + j) % n] = ys[i] * ys[(i + j + 1) % n], j + 1)).0"},
    {"in a function",
     "let g (ys: *[n]f64) (i: i64) : *[n]f64 = ys with [i] = ys[i] * ys[(i + 1) % n]\n"
     "in loop ys = copy xs for i < n do g (g ys i) ((i + 2) % n)"},
    {"loops in branches",
     "loop ys = copy xs for i < n do if ys[i] < 0.7 then loop ys for j < 2 do ys with [(i + j) % n] = ys[i] * ys[j]\n"
     "else loop ys for j < i % 2 do ys with [j] = ys[i] * ys[(i + j + 1) % n]"},
    {"never",
     "loop ys = copy xs for i < n do loop ys for j < i - n do ys with [j] = ys[i] * ys[j]"},
};

std::string array_function(const Case& c) { return std::string("entry f [n] (xs: [n]f64): [n]f64 =\n") + c.body; }

}  // namespace

BOOST_AUTO_TEST_CASE(updates_in_uneven_nests) {
  for (const Case& c : nested_updates)
    for (const std::int64_t n : {4, 7}) BOOST_TEST_CONTEXT(c.name << ", size " << n)
  check_derivative(compiled(array_function(c)), "f", {some_f64s(n)}, {.step = 1e-6, .tolerance = 1e-5, .seeds = n == 4});
}

BOOST_AUTO_TEST_CASE(updates_in_uneven_nests_twice) {
  for (const Case& c : nested_updates) BOOST_TEST_CONTEXT(c.name) {
      const std::string text = array_function(c) + "\nentry g [n] (xs: [n]f64): [n]f64 = vjp f xs (map f64.cos xs)";
      check_derivative(differentiated(compiled(text)), "g", {some_f64s(4)}, {.step = 1e-6, .tolerance = 1e-5, .seeds = false});
    }
}

BOOST_AUTO_TEST_CASE(updates_of_rows_in_triangles) {
  const char* const triangle =
      "entry f [n] (xss: [n][n]f64): [n][n]f64 = loop yss = copy xss for i < n do\n"
      "loop yss for j < i do yss with [j] = map2 (\\x y -> x * y + yss[j, i]) yss[i] yss[j]";
  check_derivative(compiled(triangle), "f", {some_f64s(16, 0, {4, 4})}, {.tolerance = 1e-5});
  const char* const in_map =
      "entry f [n] (xss: [n][n]f64): [n][n]f64 = map (\\xs -> loop ys = copy xs for i < n do\n"
      "loop ys for j < i do ys with [j] = ys[i] * ys[j]) xss";
  check_derivative(compiled(in_map), "f", {some_f64s(16, 0, {4, 4})}, {.tolerance = 1e-5});
}

}  // namespace boustro::ad::testing
