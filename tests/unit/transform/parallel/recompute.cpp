// Arrays that are computed where they are read: transform/parallel/recompute.
#include "frontend/values/read.hpp"
#include "tests/unit/transform/before_pass.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/ir/nest.hpp"

namespace recompute_tests {

using namespace boustro;
using namespace boustro::ir::testing;

namespace {

int nests_in(const ir::Body& body) {
  int count = 0;
  for (const ir::Stm& stm : body.stms) {
    count += std::holds_alternative<ir::Nest>(stm.exp);
    if (!std::holds_alternative<ir::Nest>(stm.exp)) ir::for_each_body(stm.exp, [&](const ir::Body& inner) { count += nests_in(inner); });
  }
  return count;
}

/// Arrays that nests of the host make.
int arrays_in(const ir::Body& body) {
  int count = 0;
  for (const ir::Stm& stm : body.stms) {
    if (std::holds_alternative<ir::Nest>(stm.exp)) count += static_cast<int>(stm.pattern.size());
    else ir::for_each_body(stm.exp, [&](const ir::Body& inner) { count += arrays_in(inner); });
  }
  return count;
}

/// Rows of nests in others that store them.
int rows_in(const ir::Body& body, bool inside = false) {
  int count = 0;
  for (const ir::Stm& stm : body.stms) {
    const auto* nest = std::get_if<ir::Nest>(&stm.exp);
    if (nest && inside && ir::stores_new_arrays(*nest)) count += static_cast<int>(stm.pattern.size());
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { count += rows_in(inner, inside || nest); });
  }
  return count;
}
int kept_rows_in(const ir::Body& body) { return rows_in(body); }

/// What `count` finds fewer in the host's bodies; the program has the same values. Reads of `xss: [n][m]f64`, `ys: [m]f64` and `zs: [n]f64`.
int removed(const std::string& body, const std::string& result = "[n][n]f64", int (*counted)(const ir::Body&) = nests_in) {
  const std::string text = "entry main [n] [m] (xss: [n][m]f64) (ys: [m]f64) (zs: [n]f64) : " + result + " =\n  " + body + "\n";
  const ir::Program before = before_pass("recompute", text, parallel::Machine::gpu);
  const ir::Program after = parallel::compute_where_read(before);
  check_verified(after);
  for (const std::string input : {"[[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]] [2.0, 3.0, 5.0] [3.0, 8.0]", "[[1.5]] [2.0] [4.0]", "empty([0][2]f64) [1.0, 2.0] empty([0]f64)"}) {
    const auto args = values::read_values(input);
    BOOST_TEST((ir::run_entry(before, "main", args) == ir::run_entry(after, "main", args)), input);
  }
  int count = 0;
  for (const ir::Function& function : before.functions) count += counted(function.body);
  for (const ir::Function& function : after.functions) count -= counted(function.body);
  return count;
}

/// All rows with all rows: what is read stays an array of its own otherwise.
const std::string products = "map (\\as -> map (\\bs -> f64.sum (map2 (*) as bs)) dss) dss";
std::string differences(const std::string& element) { return "let dss = map2 (\\xs z -> map2 (\\x y -> " + element + ") xs ys) xss zs\n  in "; }

}  // namespace

BOOST_AUTO_TEST_SUITE(recompute)

BOOST_AUTO_TEST_CASE(differences_of_all_pairs) {
  BOOST_TEST(removed(differences("x - y") + products) == 1);
  BOOST_TEST(removed(differences("y - z") + products) == 1);
  BOOST_TEST(removed(differences("(x - y) * z + 2") + products) == 1);
}

BOOST_AUTO_TEST_CASE(columns_are_seen_through) {
  const std::string columns = "map (\\as -> map (\\bs -> f64.sum (map2 (*) as bs)) (transpose dss)) (transpose dss)";
  BOOST_TEST(removed(differences("x - 2 * y") + columns, "[m][m]f64") == 1);
  const std::string cubes = "let dsss = map2 (\\xs z -> map (\\x -> map (\\y -> x - y * z) ys) xs) xss zs\n  in ";
  BOOST_TEST(removed(cubes + "map (\\dss -> map (\\d -> f64.sum d) (transpose dss)) dsss", "[n][m]f64") == 1);
}

BOOST_AUTO_TEST_CASE(what_takes_more_than_a_read_stays) {
  BOOST_TEST(removed(differences("f64.exp (x - y)") + products) == 0);
  BOOST_TEST(removed(differences("x / y") + products) == 0);
  BOOST_TEST(removed(differences("(x + y) * (x - y) * (x + z) - z") + products) == 0);
}

BOOST_AUTO_TEST_CASE(two_arrays_as_large_stay) {
  const std::string two = "let wss = map (scan (+) 0) xss\n  let dss = map2 (map2 (\\x w -> 2 * (x - w))) xss wss\n  in ";
  BOOST_TEST(removed(two + products) == 0);
}

BOOST_AUTO_TEST_CASE(one_result_goes_and_another_stays) {
  const std::string both = "let (dss, ess) = unzip (map2 (\\xs z -> unzip (map2 (\\x y -> (x - y, f64.exp (x * z))) xs ys)) xss zs)\n  in ";
  const std::string uses = "(" + products + ", map (\\as -> map (\\bs -> f64.sum (map2 (*) as bs)) ess) ess)";
  BOOST_TEST(removed(both + uses, "([n][n]f64, [n][n]f64)", arrays_in) == 1);
  BOOST_TEST(removed(both + uses, "([n][n]f64, [n][n]f64)") == 0);
  const std::string quick = "let (dss, ess) = unzip (map2 (\\xs z -> unzip (map2 (\\x y -> (x - y, x * z)) xs ys)) xss zs)\n  in ";
  BOOST_TEST(removed(quick + uses, "([n][n]f64, [n][n]f64)", arrays_in) == 2);
  BOOST_TEST(removed(quick + uses, "([n][n]f64, [n][n]f64)") == 1);
}

BOOST_AUTO_TEST_CASE(reversed_and_moved_rows) {
  BOOST_TEST(removed("let dss = tabulate_2d n m (\\i j -> #[unsafe] xss[n - 1 - i, j] * ys[j])\n  in " + products) == 1);
  BOOST_TEST(removed("let dss = tabulate_2d n m (\\i j -> #[unsafe] xss[i, m - 1 - j] * ys[j])\n  in " + products) == 1);
  BOOST_TEST(removed("let dss = tabulate_2d n (m / 2) (\\i j -> #[unsafe] xss[i, m / 2 + j] * ys[j])\n  in " + products) == 1);
}

/// Neighbouring threads read elements that are apart, or no one knows where.
BOOST_AUTO_TEST_CASE(what_is_not_read_in_memory_order_stays) {
  const std::string columns = "let tss = transpose xss\n  let dss = map (map (2 *)) tss\n  in ";
  BOOST_TEST(removed(columns + products, "[m][m]f64") == 0);
  BOOST_TEST(removed("let dss = tabulate_2d n m (\\i j -> #[unsafe] xss[i64.min (2 * i) (n - 1), j] * ys[j])\n  in " + products) == 0);
  BOOST_TEST(removed("let dss = map (\\i -> #[unsafe] xss[i, 0] * 2) (iota n)\n  in map (\\a -> map (\\b -> a * b) dss) dss") == 0);
}

BOOST_AUTO_TEST_CASE(what_may_fail_stays) {
  BOOST_TEST(removed("let dss = map2 (\\xs z -> map2 (\\x y -> assert (z > y - 100) (x - y)) xs ys) xss zs\n  in " + products) == 0);
}

/// It is computed again behind the branch, and only there.
BOOST_AUTO_TEST_CASE(what_a_branch_reads_is_not_known_behind_it) {
  BOOST_TEST(removed("let dss = map2 (\\xs z -> map2 (\\x y -> x - y) xs ys) xss zs\n"
                     "  in map (\\i -> map (\\j -> (if zs[i] > 4 then loop s = 0 for k < m do s + f64.exp (#[unsafe] dss[i, 0]) else 0) + #[unsafe] dss[i, 0] * dss[j, 0]) (iota n)) (iota n)") == 1);
}

BOOST_AUTO_TEST_CASE(filters_store_no_flags) {
  BOOST_TEST(removed("filter (> 3) ys", "[]f64", arrays_in) > 0);
  BOOST_TEST(removed("filter (\\y -> y * 2 + 1 > 3) ys", "[]f64", arrays_in) == 0);
}

/// Which many nests would read instead.
BOOST_AUTO_TEST_CASE(elements_that_are_wider_stay) {
  const std::string flags = "let bs = map (> 3) ys\n  in ";
  const std::string one = "map (\\i -> f64.exp (f64.bool (#[unsafe] bs[m - 1 - i]))) (iota m)", two = "map (\\i -> f64.sqrt (f64.bool (#[unsafe] bs[m - 1 - i]))) (iota m)";
  BOOST_TEST(removed(flags + "(scan (+) 0 (" + one + "), scan (+) 0 (" + two + "), map (\\z -> map (\\b -> if b then z else 0) bs) zs)", "([m]f64, [m]f64, [n][m]f64)") == 0);
}

/// As long as these lie in columns, where neighbouring threads have neighbouring rows.
BOOST_AUTO_TEST_CASE(rows_that_threads_fill) {
  const std::string rows =
      "let rows = map (\\z -> loop row = replicate 4 z for i < 3 do #[unsafe] (row with [i + 1] = row[i] * z)) zs\n"
      "  let dss = tabulate_2d 4 n (\\s i -> #[unsafe] rows[i, 3 - s] * zs[i])\n  in ";
  const std::string across = "map (\\ds -> f64.sum (map f64.exp ds)) dss", along = "map (\\ds -> loop s = 0 for i < 4 do s * 0.5 + #[unsafe] ds[i]) (transpose dss)";
  BOOST_TEST(removed(rows + "(" + across + ", " + along + ")", "([4]f64, [n]f64)") == 1);
  BOOST_TEST(removed(rows + "(map (\\k -> loop s = 0 for i < n do s * 0.5 + #[unsafe] dss[3 - k, i]) (iota 4), " + along + ")", "([4]f64, [n]f64)") == 0);
}

BOOST_AUTO_TEST_CASE(results_stay) {
  BOOST_TEST(removed("let dss = map2 (\\xs z -> map2 (\\x y -> x - y) xs ys) xss zs\n  in (dss, " + products + ")", "([n][m]f64, [n][n]f64)") == 0);
}

/// Not only read: the array is updated.
BOOST_AUTO_TEST_CASE(updated_arrays_stay) {
  BOOST_TEST(removed("let dss = map2 (\\xs z -> map2 (\\x y -> x - y) xs ys) xss zs\n  let p = " + products + "\n  in (p, scatter (copy dss) [0i64] [ys])",
                     "([n][n]f64, [n][m]f64)") == 0);
}

/// What is read is overwritten later.
BOOST_AUTO_TEST_CASE(operands_that_are_updated_keep_the_array) {
  const std::string text =
      "entry main [n] [m] (xss: *[n][m]f64) (ys: [m]f64) : ([n][n]f64, *[n][m]f64) =\n"
      "  let dss = map (\\xs -> map2 (-) xs ys) xss\n"
      "  let yss = scatter xss (iota n) (replicate n ys)\n  in (" + products + ", yss)\n";
  const ir::Program before = before_pass("recompute", text, parallel::Machine::gpu);
  const ir::Program after = parallel::compute_where_read(before);
  const auto args = values::read_values("[[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]] [2.0, 3.0, 5.0]");
  BOOST_TEST((ir::run_entry(before, "main", args) == ir::run_entry(after, "main", args)));
}

/// Which a thread makes for itself, of row `xs` and element `z`, and goes through again and again.
int kept_rows_removed(const std::string& rows, const std::string& uses = "f64.sum (map (\\as -> f64.sum (map2 (*) as ds) ** 2) xss)", const std::string& result = "[n]f64") {
  return removed("map2 (\\xs z -> " + rows + "\n  in " + uses + ") xss zs", result, kept_rows_in);
}

BOOST_AUTO_TEST_CASE(rows_of_a_thread) {
  BOOST_TEST(kept_rows_removed("let ds = map2 (-) xs ys") == 1);
  BOOST_TEST(kept_rows_removed("let ds = map2 (\\x y -> (x - y) * z) xs ys") == 1);
  BOOST_TEST(kept_rows_removed("let (ds, es) = unzip (map2 (\\x y -> (x - y, x * z)) xs ys)", "f64.sum (map (\\as -> f64.sum (map3 (\\a d e -> a * d - e) as ds es) ** 2) xss)") == 2);
  BOOST_TEST(kept_rows_removed("let (ds, es) = unzip (map2 (\\x y -> (x - y, f64.exp (x * z))) xs ys)", "f64.sum (map (\\as -> f64.sum (map3 (\\a d e -> a * d - e) as ds es) ** 2) xss)") == 1);
}

BOOST_AUTO_TEST_CASE(rows_of_a_thread_stay) {
  BOOST_TEST(kept_rows_removed("let ds = map2 (\\x y -> f64.exp (x - y)) xs ys") == 0);
  BOOST_TEST(kept_rows_removed("let ds = map (\\x -> assert (z > -100) (x - z)) xs") == 0);
  BOOST_TEST(kept_rows_removed("let ds = map2 (-) xs ys", "if f64.sum (map (\\as -> f64.sum (map2 (*) as ds) ** 2) xss) > 1 then ds else xs", "[n][m]f64") == 0);
  BOOST_TEST(removed("unzip (map (\\xs -> let ds = map2 (-) xs ys in (f64.sum (map (\\as -> f64.sum (map2 (*) as ds) ** 2) xss), ds)) xss)", "([n]f64, [n][m]f64)", kept_rows_in) == 0);
}

BOOST_AUTO_TEST_CASE(rows_that_are_in_registers_stay) {
  const std::string text =
      "entry main [n] (xss: [n][4]f64) (ys: [4]f64) : [n]f64 =\n"
      "  map (\\xs -> let ds = map2 (-) xs ys in f64.sum (map (\\as -> f64.sum (map2 (*) as ds) ** 2) xss)) xss\n";
  const ir::Program before = before_pass("recompute", text, parallel::Machine::gpu);
  BOOST_TEST(kept_rows_in(before.functions.back().body) > 0);
  BOOST_TEST((parallel::compute_where_read(before).functions == before.functions));
}

/// What a row is computed of changes while it is read.
BOOST_AUTO_TEST_CASE(rows_of_what_a_thread_updates_stay) {
  const std::string first = "let ws = scan (+) z xs\n  let ds = map2 (-) ws ys\n  ";
  const std::string uses = "f64.sum (map (\\as -> f64.sum (map2 (*) as ds) ** 2) xss) + f64.sum ws";
  BOOST_TEST(kept_rows_removed(first + "let ws = loop ws = ws for i < m do #[unsafe] (ws with [i] = ws[m - 1 - i] + ds[i])", uses) == 0);
  BOOST_TEST(kept_rows_removed(first + "let ws = loop ws = copy ws for i < m do #[unsafe] (ws with [i] = ws[m - 1 - i] + ds[i])", uses) == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace recompute_tests
