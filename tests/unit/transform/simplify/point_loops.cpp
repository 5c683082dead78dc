// Loops that map their state, which become maps of loops.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/lower/inline.hpp"
#include "transform/simplify/point_loops.hpp"
#include "transform/simplify/simplify.hpp"

namespace point_loops_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace simplify = boustro::simplify;

namespace {

const std::string head = "entry main [k][n][m] (rows: [k][m]f64) (weights: [k][n]f64) (start: [n][m]f64) (table: [m][k][n]f64) "
    "(fours: [k][4]f64) (columns: [m][n]f64) (cubes: [k][2][n][m]f64) = ";

Program program_of(const std::string& text) {
  std::string reasons;
  auto program = boustro::tests::lowered(head + text, "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  return simplify::simplify(boustro::lower::inline_functions(std::move(*program)));
}

Program turned(Program program) {
  simplify::run_loops_point_by_point(program);
  return program;
}

Arguments arguments(std::int64_t k, std::int64_t n, std::int64_t m) {
  return {some_f64s({k, m}, 1), some_f64s({k, n}, 2), some_f64s({n, m}, 3), some_f64s({m, k, n}, 4), some_f64s({k, 4}, 5), some_f64s({m, n}, 6),
          some_f64s({k, 2, n, m}, 7)};
}

/// How many maps are around the loop after the pass, which keeps all values; 0 if it stays where it is.
int depth(const Body& body, int around) {
  int found = -1;
  for (const Stm& stm : body.stms) {
    if (std::holds_alternative<Loop>(stm.exp)) return around;
    const bool map = std::holds_alternative<Map>(stm.exp);
    for_each_body(stm.exp, [&](const Body& inner) { found = std::max(found, depth(inner, around + (map ? 1 : 0))); });
  }
  return found;
}

int maps_around(const std::string& text) {
  const Program program = program_of(text);
  const std::vector<Arguments> runs = {arguments(3, 4, 5), arguments(0, 2, 3), arguments(2, 0, 3), arguments(2, 3, 0), arguments(1, 1, 1)};
  const Program result = after(turned, program, runs);
  after([](Program p) { return simplify::simplify(turned(std::move(p))); }, program, runs);
  return depth(result.functions.back().body, 0);
}

std::string loop_of(const std::string& start, const std::string& step) { return "loop xss = " + start + " for i < k do " + step; }

}  // namespace

BOOST_AUTO_TEST_SUITE(point_loops)

BOOST_AUTO_TEST_CASE(each_row_goes_through_all_steps) {
  for (const char* step : {
           "map (map2 (+) rows[i]) xss",                                            // rows that all points read
           "map2 (\\xs w -> map (* w) xs) xss weights[i]",                          // their element of a row
           "map2 (map2 (-)) xss (transpose columns)",                               // of a column
           "map2 (map2 (-)) xss (transpose table[:, i])",
           "map2 (map2 (-)) xss (transpose (replicate m weights[i]))",
           "map2 (map2 (-)) xss (replicate n rows[i])",
           "map2 (map2 (-)) xss cubes[i, 1]",
           "let (as, bs) = unzip (map (\\w -> (w + 1, w * 2)) weights[i]) in map3 (\\xs a b -> map (\\x -> x * b - a) xs) xss as bs",
           "map2 (\\xs w -> map (+ w) xs) xss (map (+ 1) weights[i])",              // of what a map makes
           "map3 (\\xs v w -> map (+ (v - w)) xs) xss weights[i] (replicate n 2)",  // of equal numbers
           "map2 (\\xs ys -> map2 (+) xs ys) xss start",                            // the same in each step
           "map (map (+ f64.i64 (i * i))) xss",                                     // arithmetic on the step
       })
    BOOST_TEST(maps_around(loop_of("start", step)) == 1, step);
}

BOOST_AUTO_TEST_CASE(parts_of_slices_begin_where_these_do) {
  for (const char* slice : {"take 2 fours[i]", "take 2 (drop 1 fours[i])", "reverse (take 2 fours[i])", "reverse (take 2 (drop 1 fours[i]))"})
    BOOST_TEST(maps_around("loop xss = replicate 2 (replicate m 0) for i < k do map2 (\\xs x -> map (+ x) xs) xss (" + std::string(slice) + ")") == 1,
               slice);
}

BOOST_AUTO_TEST_CASE(equal_numbers_are_a_start_of_their_own) {
  const Program result = turned(program_of(loop_of("replicate n (replicate m 1)", "map (map2 (+) rows[i]) xss")));
  BOOST_TEST(count<Index>(result) == 1);  // rows[i]
}

BOOST_AUTO_TEST_CASE(maps_in_maps_follow_while_points_have_arrays) {
  const std::string state = "loop xsss = replicate 2 (map (\\xs -> map (\\x -> [x, 1]) xs) start) for i < k do ";
  BOOST_TEST(maps_around(state + "map (\\xss -> map2 (\\xs w -> map (\\x -> map (* w) x) xs) xss weights[i]) xsss") == 3);
  BOOST_TEST(maps_around(state + "map (map (map (map (+ 1)))) xsss") == 3);
}

BOOST_AUTO_TEST_CASE(turned_arrays_are_turned_for_each_point) {
  const std::string state = "loop xsss = map (map (\\x -> [x, 1])) start for i < k do map2 (map2 (map2 (-))) xsss ";
  BOOST_TEST(maps_around(state + "(map transpose (transpose cubes[i]))") == 2);
  BOOST_TEST(maps_around(state + "(transpose (map transpose (transpose (map transpose cubes[i]))))") == 2);
}

/// Of the products of a step with each of these, what a point needs.
std::string products(const std::string& factors) {
  return "loop xsss = map (map (\\x -> map (+ x) " + factors + ")) start for i < k do "
         "let (sums, products) = unzip (map (\\y -> (map (+ y) rows[i], map (* y) rows[i])) " + factors + ") "
         "in map (\\xss -> map3 (map3 (\\x s p -> x * p - s)) xss (transpose sums) (transpose products)) xsss";
}

BOOST_AUTO_TEST_CASE(columns_of_maps_are_computed_element_by_element) {
  BOOST_TEST(maps_around(products("[2, 3]")) == 2);
  BOOST_TEST(maps_around(products("[1, 2, 3, 4, 5, 6, 7, 8, 9]")) == 0);  // too many to compute for each point
}

BOOST_AUTO_TEST_CASE(small_arrays_are_made_for_each_point) {
  BOOST_TEST(maps_around(loop_of("replicate 4 [0, 0]", "map2 (map2 (-)) xss (transpose [fours[i], replicate 4 7])")) == 1);
}

BOOST_AUTO_TEST_CASE(loops_in_branches_turn) {
  BOOST_TEST(maps_around("if n == 3 then start else " + loop_of("start", "map (map2 (+) rows[i]) xss")) == 1);
}

BOOST_AUTO_TEST_CASE(several_states_go_together) {
  BOOST_TEST(maps_around("loop (xss, yss) = (start, map (map (+ 1)) start) for i < k do "
                         "unzip (map2 (\\xs ys -> (map (+ f64.i64 i) ys, map2 (-) xs ys)) xss yss)") == 1);
  BOOST_TEST(maps_around("loop (xss, yss) = (start, map (map (+ 1)) start) for i < k do "
                         "let (as, bs) = unzip (map2 (\\xs ys -> (map (+ f64.i64 i) ys, map2 (-) xs ys)) xss yss) in (bs, as)") == 1);
}

BOOST_AUTO_TEST_CASE(what_points_share_stays_if_it_is_dear) {
  for (const char* step : {
           "let total = f64.sum rows[i] in map (map (+ total)) xss",
           "let sines = map f64.sin rows[i] in map (map2 (+) sines) xss",
           "let x = f64.i64 (i + 1) in map (map (+ (f64.exp x + f64.log x + f64.sin x))) xss",
       })
    BOOST_TEST(maps_around(loop_of("start", step)) == 0, step);
}

BOOST_AUTO_TEST_CASE(points_that_depend_on_others_stay) {
  for (const char* step : {
           "map (\\xs -> map2 (+) xs (map f64.sum (transpose xss))) xss",
           "let sums = map f64.sum (transpose xss) in map (map2 (+) sums) xss",
           "map2 (map2 (+)) xss (transpose (map reverse (transpose xss)))",
           "map2 (map2 (+)) (map (map (* 2)) xss) xss",  // by two maps, which fusion would have made one
       })
    BOOST_TEST(maps_around(loop_of("start", step)) == 0, step);
  BOOST_TEST(maps_around(loop_of("[[1, 2], [3, 4]]", "map2 (map2 (+)) xss (transpose xss)")) == 0);
  BOOST_TEST(maps_around(loop_of("[[1, 2], [3, 4]]", "map (map (\\x -> x + xss[i64.bool (x > 0), 0])) xss")) == 0);
}

BOOST_AUTO_TEST_CASE(other_loops_stay) {
  for (const char* loop : {
           "loop xs = map f64.sum start for i < k do map2 (+) xs weights[i]",                    // numbers
           "let (xss, x) = loop (xss, x) = (start, 0) for i < k do (map (map (+ 1)) xss, x * 2 + 1) in map (map (+ x)) xss",
           "(loop (xss, yss) = (start, start) for i < k do (yss, map (map (+ 1)) xss)).0",       // that change places
           "(loop (i, xss) = (0, start) while i < k do (i + 1, map (map (+ 1)) xss)).1",         // of unknown length
           "if n < 2 then start else loop xss = start for i < k do map (map (+ weights[i, 1])) xss",  // that could fail
       })
    BOOST_TEST(maps_around(loop) == 0, loop);
}

BOOST_AUTO_TEST_CASE(loops_in_maps_stay) {
  BOOST_TEST(maps_around("map (\\ws -> loop xss = [ws, ws] for i < k do map (map2 (+) rows[i]) xss) start") == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace point_loops_tests
