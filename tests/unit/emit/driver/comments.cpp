// What comments of emitted files say.
#include <sstream>

#include <boost/test/unit_test.hpp>

#include "workplace.hpp"

namespace boustro::driver {
namespace {

/// The comments of the CUDA program, each on one line.
std::string comments_of(const std::string& program) {
  Workplace place(program);
  TranslateOptions options;
  options.file = "program.fut";
  options.verify = VerifyWith::nothing;
  BOOST_REQUIRE(place.translate(options) == 0);
  std::istringstream text(place.read("program.cu"));
  std::string result;
  for (std::string line; std::getline(text, line);) {
    const auto comment = line.find("//");
    if (comment == std::string::npos) continue;
    auto begin = line.find_first_not_of("/", comment);
    // What goes on is indented by more than a paragraph of its own.
    const auto word = line.find_first_not_of(' ', std::min(begin, line.size()));
    const bool goes_on = word != std::string::npos && word - begin > 4;
    result += (goes_on ? " " : "\n") + (word == std::string::npos ? "" : line.substr(word));
  }
  return result;
}

void check_has(const std::string& comments, const std::string& line) {
  BOOST_TEST(comments.find("\n" + line + "\n") != std::string::npos, line << " is not in" << comments);
}

}  // namespace

BOOST_AUTO_TEST_CASE(comments_say_which_thread_computes_what) {
  check_has(comments_of("entry sums [n] [m] (xs: [n][m]f32) : [n]f32 = map f32.sum xs\n"),
            "grid    a row of threads (one threadIdx.y) per `i`, which share its sums");
  check_has(comments_of("entry sums [l] [n] [m] (xs: [l][n][m]f32) : [l][n]f32 = map (map f32.sum) xs\n"),
            "grid    a row of threads (one threadIdx.y) per `i` and `j`, which share its sums: `j` to blockIdx.x and threadIdx.y, `i` to blockIdx.y");
  check_has(comments_of("entry sums [n] [m] (xs: [n][m]f32) : [m]f32 = map f32.sum (transpose xs)\n"),
            "grid    a column of threads (one threadIdx.x) per `i`, which share its sums");
}

BOOST_AUTO_TEST_CASE(comments_say_which_block_computes_what) {
  const std::string product = comments_of("entry product [n] [m] [k] (xs: [n][k]f32) (ys: [k][m]f32) : [n][m]f32 =\n"
                                          "  map (\\x -> map (\\y -> f32.sum (map2 (*) x y)) (transpose ys)) xs\n");
  check_has(product, "grid    one block per tile of results: `i` to blockIdx.x and threadIdx.y, `j` to blockIdx.y and threadIdx.x");
  const std::string nearest = comments_of("entry nearest [n] [m] [k] (xs: [n][k]f32) (ys: [m][k]f32) : [n]f32 =\n"
                                          "  map (\\x -> f32.minimum (map (\\y -> f32.sum (map2 (\\a b -> (a - b) * (a - b)) x y)) ys)) xs\n");
  check_has(nearest, "grid    one block per tile_width points `i` (blockIdx.x, threadIdx.y), tile after tile of `j` (threadIdx.x)");
}

BOOST_AUTO_TEST_CASE(comments_of_functions_say_what_threads_contribute) {
  const std::string rows = comments_of("entry add [n] [k] [d] (sums: *[k][d]f32) (is: [n]i64) (xs: [n][d]f32) : *[k][d]f32 =\n"
                                       "  reduce_by_index sums (map2 (+)) (replicate d 0) is xs\n");
  check_has(rows, "Adds this thread's share to sums_out.");
  check_has(rows, "sums_out[is[i], j] += xs[i, j], if is[i] >= 0 and is[i] < k");
  check_has(rows, "Threads stride over `i` (blockIdx.x, threadIdx.y) and `j` (blockIdx.y, threadIdx.x).");
  check_has(rows, "grid    blocks stride over `i`; see add_sums_out");
  check_has(rows, "grid    one thread per `i` and `j`; see add_sums_out");
  const std::string elements = comments_of("entry most [n] [k] (largest: *[k]i32) (is: [n]i64) (xs: [n]i32) : *[k]i32 =\n"
                                           "  reduce_by_index largest i32.max i32.lowest is xs\n");
  check_has(elements, "Combines this thread's share with largest_out.");
  check_has(elements, "Threads stride over `i` (blockIdx.x, threadIdx.x).");
  check_has(elements, "grid    one thread per `i`; see combine_largest_out");
}

BOOST_AUTO_TEST_CASE(comments_name_all_indices_that_threads_take) {
  check_has(comments_of("entry turned [n] [m] [k] (xs: [m][n][k]f32) : [n][m][k]f32 = tabulate_3d n m k (\\i j t -> 2 * xs[j, i, t])\n"),
            "grid    one thread per `i`, `j` and `t`: `i` to blockIdx.x and threadIdx.y, `t` to blockIdx.y and threadIdx.x, `j` to blockIdx.z");
}

BOOST_AUTO_TEST_CASE(comments_of_scans_say_what_is_computed_from_them) {
  const std::string times = comments_of("entry scaled [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 = map2 (*) (scan (+) 0 xs) ys\n");
  check_has(times, "result[i] = r(i) * ys[i]");
  check_has(times, "where r(i) = xs[0] + ... + xs[i]");
  const std::string linear = comments_of("entry steps [n] (ds: [n]f64) (cs: [n]f64) : [n]f64 =\n"
                                         "  map2 (\\(r, _) c -> r * c + 1) (scan (\\(d1, c1) (d2, c2) -> (d2 + c2 * d1, c2 * c1)) (0, 1)\n"
                                         "    (zip ds (map (\\c -> c - 2) cs))) cs\n");
  check_has(linear, "result[i] = r(i) * cs[i] + 1");
  check_has(linear, "where r(i) = ds[i] + (cs[i] - 2) * r(i - 1), from r(-1) = 0");
}

BOOST_AUTO_TEST_CASE(comments_of_scans_from_the_end_have_indices_that_go_forwards) {
  const std::string products = comments_of("entry slopes [n] (xs: [n]f64) (ys_adj: [n]f64) : [n]f64 = vjp (scan (*) 1) xs ys_adj\n");
  check_has(products, "xs_adj[i] = r(i) if i == 0 else r(i) * products[i - 1]");
  check_has(products, "where r(i) = ys_adj[i] + (xs[i + 1] if i + 1 < n else 1) * r(i + 1), from r(n) = 0");
  const std::string sums = comments_of("entry slopes [n] (xs: [n]f64) (ys_adj: [n]f64) : [n]f64 = vjp (scan (+) 0) xs ys_adj\n");
  check_has(sums, "xs_adj[i] = ys_adj[n - 1] + ... + ys_adj[i]");
  const std::string largest = comments_of("entry largest [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =\n"
                                          "  map2 (+) (reverse (scan f64.max f64.lowest (reverse (map2 (*) xs ys)))) ys\n");
  check_has(largest, "where r(i) = max_{i <= j < n} xs[j] * ys[j]");
  // Only what goes in is backwards.
  const std::string turned = comments_of("entry largest [n] (xs: [n]f64) : [n]f64 = scan f64.max f64.lowest (reverse (map (+ 1) xs))\n");
  check_has(turned, "result[i] = max_{j <= i} (xs[n - 1 - j] + 1)");
}

BOOST_AUTO_TEST_CASE(operators_that_compose_functions_say_which_comes_first) {
  const std::string steps = "(ds: [n]f64) (cs: [n]f64) : [n]f64 =\n"
                            "  map (.0) (scan (\\(d1, c1) (d2, c2) -> (d2 + c2 * d1, c2 * c1)) (0, 1) (zip ds cs))\n";
  Workplace place("entry steps [n] " + steps + "entry others [n] " + steps);
  TranslateOptions options;
  options.file = "program.fut";
  options.verify = VerifyWith::nothing;
  BOOST_REQUIRE(place.translate(options) == 0);
  const std::string text = place.read("program.cu");
  const auto said = text.find("/// Apply `first`, then `second`.");
  BOOST_TEST(said != std::string::npos);
  BOOST_TEST(text.find("return {second.d1 + second.c1 * first.d1, second.c1 * first.c1};") != std::string::npos, text);
  BOOST_TEST(text.find("/// Apply", said + 1) == std::string::npos);  // entries share it
}

}  // namespace boustro::driver
