// Nests of the same points that become one: transform/parallel/join.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/parallel/parallel.hpp"

namespace join_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace parallel = boustro::parallel;

namespace {

const std::string head = "entry main [n] [m] (k: i64) (is: [n]i64) (as: [n]i64) (bs: *[n]i64) (ass: [n][m]i64) (bss: [n][m]i64) (ps: *[n]i64) : ";

/// of: what a point comes to, of its index i, and j where there are two; it is bound to y.
std::string nest(const std::string& result, const std::string& y, const std::string& space = "n") {
  return "  let (" + result + ": [" + space + "]i64) = #[grid_thread] core.nest " + space + " (\\(i: i64) -> " + y + " in y) (core.store 1)\n";
}
std::string nest_2d(const std::string& result, const std::string& y) {
  return "  let (" + result + ": [n][m]i64) = #[grid_thread] core.nest (n, m) (\\(i: i64, j: i64) -> " + y + " in y) (core.store 2)\n";
}
/// An accumulator of [n]i64 goes on under the same name: a point does something to it.
std::string adding(const std::string& acc, const std::string& point, const std::string& space = "n") {
  return "    let (" + acc + ", ()) = #[grid_thread] core.nest_acc " + space + " (\\(acc: *core.acc ([n]i64)) (i: i64) -> " + point + " in (acc, ())) " + acc + " ()\n";
}
std::string with(const std::string& to, const std::string& from, const std::string& body) {
  return "  let " + to + " = core.with_add " + from + " (\\(a: *core.acc ([n]i64)) ->\n" + body + "    in core.finish a)\n";
}

int nests(const Body& body) {
  int found = 0;
  for (const Stm& stm : body.stms) {
    if (std::holds_alternative<Nest>(stm.exp)) ++found;
    else for_each_body(stm.exp, [&](const Body& inner) { found += nests(inner); });
  }
  return found;
}
int nests(const Program& program) {
  int found = 0;
  for (const Function& function : program.functions) found += nests(function.body);
  return found;
}

Program program_of(const std::string& text) {
  std::string reasons;
  auto program = boustro::tests::lowered(text, "program.fut", true, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons << text);
  return std::move(*program);
}

Arguments run(std::int64_t n, std::int64_t m) {
  return {i64_value(1), some_i64s({n}, static_cast<unsigned>(n + 1), 3), some_i64s({n}, 9, 4), some_i64s({n}, 9, 5), some_i64s({n, m}, 9, 6), some_i64s({n, m}, 9, 7), some_i64s({n}, 9, 8)};
}

Program joined(const std::string& type, const std::string& statements) {
  return after(parallel::join_nests, program_of(head + type + " =\n" + statements), {run(4, 3), run(3, 5), run(0, 2), run(2, 0)});
}
/// How many nests there are then; the values stay.
int left(const std::string& type, const std::string& statements) { return nests(joined(type, statements)); }

const std::string twice = nest("ts", "let a = #[unsafe] as[i] let y = a * 2i64");
const std::string plus = "let t = #[unsafe] ts[i] let y = t + i";
const std::string one = "[n]i64", two = "([n]i64, [n]i64)", matrix = "[n][m]i64";

}  // namespace

BOOST_AUTO_TEST_SUITE(join)

BOOST_AUTO_TEST_CASE(what_a_point_stores_is_known_there) {
  const Program p = joined(one, twice + nest("ys", plus) + "  in ys");
  BOOST_TEST(nests(p) == 1);
  BOOST_TEST(std::get<Nest>(p.functions[0].body.stms.back().exp).outs.size() == 1);
  BOOST_TEST(left(one, twice + nest("us", plus) + nest("ys", "let u = #[unsafe] us[i] let t = #[unsafe] ts[i] let y = u * t") + "  in ys") == 1);
  BOOST_TEST(left(one, twice + nest("ys", "let t = #[unsafe] ts[i] let c = t < 5i64 let y = if c then (let u = t * 3i64 in u) else i") + "  in ys") == 1);
}

BOOST_AUTO_TEST_CASE(others_still_get_it) {
  const Program p = joined(two, twice + nest("ys", plus) + "  in (ts, ys)");
  BOOST_TEST(nests(p) == 1);
  BOOST_TEST(left("([n]i64, i64)", twice + nest("ys", plus) + "  let t = if 0i64 < n then (#[unsafe] ts[0i64]) else 3i64\n  in (ys, t)") == 1);
}

BOOST_AUTO_TEST_CASE(rows_are_seen_through) {
  const std::string products = nest_2d("ts", "let a = #[unsafe] ass[i, j] let b = #[unsafe] bss[i, j] let y = a * b");
  BOOST_TEST(left(matrix, products + nest_2d("ys", "let row = #[unsafe] ts[i] let t = #[unsafe] row[j] let y = t + j") + "  in ys") == 1);
  BOOST_TEST(left(matrix, products + nest_2d("ys", "let t = #[unsafe] ts[i, j] let y = t + j") + "  in ys") == 1);
}

BOOST_AUTO_TEST_CASE(sums_may_stand_before) {
  BOOST_TEST(left(matrix, nest_2d("ts", "let row = #[unsafe] ass[i] let (y: i64) = #[thread_thread] core.nest m (\\(l: i64) -> let a = #[unsafe] row[l] let b = a + j in b) (core.reduce 0 (+) 0i64)") +
                              nest_2d("ys", "let t = #[unsafe] ts[i, j] let y = t + j") + "  in ys") == 1);
}

BOOST_AUTO_TEST_CASE(sums_stay_alone) {
  BOOST_TEST(left(one, twice + nest("ys", "let t = #[unsafe] ts[i] let y = loop x = t for l < m do (x * 3i64)") + "  in ys") == 2);
  BOOST_TEST(left(one, twice + nest("ys", "let t = #[unsafe] ts[i] let c = i < 2i64 let y = if c then (let x = loop x = t for l < m do (x * 3i64) in x) else t") + "  in ys") == 2);
}

/// One thread of those that share the sums needs it.
BOOST_AUTO_TEST_CASE(what_stands_behind_sums_is_computed_there) {
  const auto with_sum = [](const std::string& summand, const std::string& before, const std::string& y) {
    return before + " let (s: i64) = #[thread_thread] core.nest m (\\(l: i64) -> let b = #[unsafe] ass[i, l] " + summand + ") (core.reduce 0 (+) 0i64) " + y;
  };
  const std::string t = "let t = #[unsafe] ts[i]";
  const Program p = joined(one, twice + nest("ys", with_sum("in b", t, "let y = s + t")) + "  in ys");
  BOOST_TEST(nests(p) == 1);
  const auto& stms = std::get<Nest>(p.functions[0].body.stms.back().exp).point.body.stms;
  BOOST_TEST(std::holds_alternative<Nest>(stms[0].exp));
  BOOST_TEST(left(one, twice + nest("ys", with_sum("in b", "", t + " let y = s + t")) + "  in ys") == 1);
  BOOST_TEST(left(one, twice + nest("ys", with_sum("let c = b * t in c", t, "let y = s + t")) + "  in ys") == 2);
  BOOST_TEST(left(two, twice + nest("ys", with_sum("in b", t, "let y = s + t")) + "  in (ts, ys)") == 2);
  BOOST_TEST(left(one, nest("ts", "let y = loop x = i for l < m do (x * 3i64)") + nest("ys", with_sum("in b", t, "let y = s + t")) + "  in ys") == 2);
}

BOOST_AUTO_TEST_CASE(other_spaces_stay) {
  BOOST_TEST(left("([k]i64, [n]i64)", nest("ts", "let y = i * 2i64", "k") + nest("ys", "let c = i < k let y = if c then (#[unsafe] ts[i]) else i") + "  in (ts, ys)") == 2);
  BOOST_TEST(left(matrix, twice + nest_2d("ys", "let t = #[unsafe] ts[i] let y = t + j") + "  in ys") == 2);
}

BOOST_AUTO_TEST_CASE(elements_of_other_points_are_stored_before) {
  for (const char* y : {
           "let o = n - 1i64 let p = o - i let t = #[unsafe] ts[p] let y = t + i",
           "let t = #[unsafe] ts[0i64] let y = t + i",
           "let t = #[unsafe] ts[i] let v = n - 1i64 let u = #[unsafe] ts[v] let y = t + u",
           "let t = #[unsafe] ts[i] let c = i < 1i64 let y = if c then t else (let p = i - 1i64 let u = #[unsafe] ts[p] in u)",
       })
    BOOST_TEST(left(one, twice + nest("ys", y) + "  in ys") == 2, y);
  const std::string square = "  let (ts: [n][n]i64) = #[grid_thread] core.nest (n, n) (\\(i: i64, j: i64) -> let a = #[unsafe] as[i] let y = a * j in y) (core.store 2)\n";
  const auto reading = [&](const std::string& t) {
    return square + "  let (ys: [n][n]i64) = #[grid_thread] core.nest (n, n) (\\(i: i64, j: i64) -> " + t + " let y = t + j in y) (core.store 2)\n  in ys";
  };
  BOOST_TEST(left("[n][n]i64", reading("let t = #[unsafe] ts[i, j]")) == 1);
  BOOST_TEST(left("[n][n]i64", reading("let t = #[unsafe] ts[j, i]")) == 2);
  BOOST_TEST(left("[n][n]i64", reading("let t = #[unsafe] ts[i, i]")) == 2);
  BOOST_TEST(left("[n][n]i64", reading("let row = #[unsafe] ts[i] let t = #[unsafe] row[i]")) == 2);
  BOOST_TEST(left("[n][n]i64", reading("let row = #[unsafe] ts[i] let column = (core.rearrange (0) row : [n]i64) let t = #[unsafe] column[j]")) == 2);
}

BOOST_AUTO_TEST_CASE(nests_that_share_nothing_stay) {
  BOOST_TEST(left(two, twice + nest("ys", "let b = #[unsafe] bs[i] let y = b + i") + "  in (ts, ys)") == 2);
}

BOOST_AUTO_TEST_CASE(points_store_scalars) {
  // What reduces, writes somewhere, or stores rows stays.
  const std::string total = "  let (s: i64) = #[grid_thread] core.nest n (\\(i: i64) -> let t = #[unsafe] ts[i] in t) (core.reduce 0 (+) 0i64)\n";
  BOOST_TEST(left("i64", twice + total + "  in s") == 2);
  BOOST_TEST(left(one, twice + "  let (ys: [n]i64) = #[grid_thread] core.nest n (\\(i: i64) -> let t = #[unsafe] ts[i] in (i, t)) (core.scatter 1 ps)\n  in ys") == 2);
  const std::string rows = "  let (ts: [n][m]i64) = #[grid_thread] core.nest n (\\(i: i64) -> let row = #[unsafe] ass[i] in row) (core.store 1)\n";
  BOOST_TEST(left("[n]i64", rows + nest("ys", "let row = #[unsafe] ts[i] let c = 0i64 < m let y = if c then (#[unsafe] row[0i64]) else i") + "  in ys") == 2);
}

BOOST_AUTO_TEST_CASE(only_nests_of_the_grid) {
  const std::string inner = "let (ts: [m]i64) = #[thread_thread] core.nest m (\\(l: i64) -> let a = #[unsafe] ass[i, l] let y = a * 2i64 in y) (core.store 1) "
                            "let (us: [m]i64) = #[thread_thread] core.nest m (\\(l: i64) -> let t = #[unsafe] ts[l] let y = t + l in y) (core.store 1) ";
  const Program p = joined(matrix, "  let (ys: [n][m]i64) = #[grid_thread] core.nest n (\\(i: i64) -> " + inner + " in us) (core.store 1)\n  in ys");
  BOOST_TEST(count<Nest>(p) == 3);
  std::string other = twice;
  other.replace(other.find("grid_thread"), 11, "workers_thread");
  BOOST_TEST(left(one, other + nest("ys", plus) + "  in ys") == 2);
}

BOOST_AUTO_TEST_CASE(whichever_can_move_moves) {
  // Down, past what consumes another array; up, past what needs the first.
  const std::string write = "  let c = 0i64 < n\n  let bs = if c then (#[unsafe] bs with [0i64] = 7i64) else bs\n";
  BOOST_TEST(left(two, twice + write + nest("ys", plus) + "  in (ys, bs)") == 1);
  const std::string reads = "  let c = 0i64 < n\n  let s = if c then (#[unsafe] ts[0i64]) else 3i64\n";
  BOOST_TEST(left("([n]i64, i64)", twice + reads + nest("ys", plus) + "  in (ys, s)") == 1);
  // Down, as the second needs what stands in between.
  const std::string first = "  let c = 0i64 < n\n  let s = if c then (#[unsafe] as[0i64]) else 3i64\n";
  BOOST_TEST(left(one, twice + first + nest("ys", "let t = #[unsafe] ts[i] let y = t + s") + "  in ys") == 1);
  // Neither: the second needs what comes of the first in between.
  BOOST_TEST(left(one, twice + reads + nest("ys", "let t = #[unsafe] ts[i] let y = t + s") + "  in ys") == 2);
  // The first reads what is written in between, which the second needs.
  const std::string of_bs = nest("ts", "let b = #[unsafe] bs[i] let y = b * 2i64");
  BOOST_TEST(left(two, of_bs + write + nest("ys", plus) + "  in (ys, bs)") == 1);
  BOOST_TEST(left(two, of_bs + write + nest("ys", "let t = #[unsafe] ts[i] let b = #[unsafe] bs[i] let y = t * b") + "  in (ys, bs)") == 2);
}

BOOST_AUTO_TEST_CASE(loops_branches_and_with_accs_of_the_host_are_looked_into) {
  BOOST_TEST(left(one, "  let rs = loop (as: [n]i64) = as for s < 3i64 do\n" + twice + nest("ys", plus) + "    in ys\n  in rs") == 1);
  BOOST_TEST(left(one, "  let c = 2i64 < n\n  let rs = if c then (\n" + twice + nest("ys", plus) + "    in ys) else as\n  in rs") == 1);
  BOOST_TEST(left(one, with("ys", "ps", twice + nest("us", plus) + adding("a", "let u = #[unsafe] us[i] let acc = core.update_1d acc i u")) + "  in ys") == 1);
}

BOOST_AUTO_TEST_CASE(additions_to_one_accumulator_stand_together) {
  const std::string add = "let a = #[unsafe] as[i] let acc = core.update_1d acc i a", also = "let a = #[unsafe] bss[i, 0i64] let acc = core.update_1d acc i a";
  BOOST_TEST(left(one, with("ys", "ps", adding("a", add) + adding("a", "let b = i * 2i64 let acc = core.update_1d acc i b")) + "  in ys") == 1);
  // Points that add to cells of others would have to do so atomically, though each alone would not.
  BOOST_TEST(left(one, with("ys", "ps", adding("a", add) + adding("a", "let o = n - 1i64 let p = o - i let acc = core.update_1d acc p i")) + "  in ys") == 2);
  BOOST_TEST(left(one, with("ys", "ps", adding("a", add) + adding("a", "let p = #[unsafe] is[i] let acc = core.update_1d acc p i")) + "  in ys") == 2);
}

BOOST_AUTO_TEST_CASE(a_nest_joins_what_adds_its_values) {
  const std::string add = adding("a", "let t = #[unsafe] ts[i] let acc = core.update_1d acc i t");
  BOOST_TEST(left(one, twice + with("ys", "ps", add) + "  in ys") == 1);
  BOOST_TEST(left(two, twice + with("ys", "ps", add) + "  in (ys, ts)") == 1);
  BOOST_TEST(left(two, twice + with("ys", "ps", add) + nest("us", "let o = n - 1i64 let p = o - i let t = #[unsafe] ts[p] let y = t + i") + "  in (ys, us)") == 2);
  // It is needed by two of them, first by one that cannot join.
  const std::string backwards = adding("a", "let o = n - 1i64 let p = o - i let t = #[unsafe] ts[p] let acc = core.update_1d acc i t");
  BOOST_TEST(left(one, twice + with("ys", "ps", add + backwards) + "  in ys") == 2);
  // Or by one that stands before.
  const std::string elsewhere = adding("a", "let o = n - 1i64 let p = o - i let t = #[unsafe] ts[p] let acc = core.update_1d acc p t");
  BOOST_TEST(left(one, twice + with("ys", "ps", elsewhere + add) + "  in ys") == 3);
  const std::string stores = nest("us", "let o = n - 1i64 let p = o - i let t = #[unsafe] ts[p] let y = t + i");
  BOOST_TEST(left(two, twice + "  let (ys, us) = core.with_add ps (\\(a: *core.acc ([n]i64)) ->\n" + stores + add + "    in (core.finish a, us))\n  in (ys, us)") == 2);
  BOOST_TEST(left(one, twice + with("ys", "ps", adding("a", "let t = #[unsafe] ts[i] let p = #[unsafe] is[i] let acc = core.update_1d acc p t")) + "  in ys") == 2);
}

BOOST_AUTO_TEST_CASE(what_is_added_to_is_read_before) {
  // The nest reads the array that the with_acc consumes, under its own name or another.
  const std::string add = adding("a", "let t = #[unsafe] ts[i] let acc = core.update_1d acc i t");
  const std::string backwards = "let o = n - 1i64 let p = o - i let b = #[unsafe] ";
  BOOST_TEST(left(one, nest("ts", backwards + "ps[p] let y = b * 2i64") + with("ys", "ps", add) + "  in ys") == 2);
  BOOST_TEST(left(one, "  let view = (core.rearrange (0) ps : [n]i64)\n" + nest("ts", backwards + "view[p] let y = b * 2i64") + with("ys", "ps", add) + "  in ys") == 2);
  BOOST_TEST(left(two, nest("ts", backwards + "bs[p] let y = b * 2i64") + with("ys", "ps", add) + "  in (ys, bs)") == 1);
  // Or one that is consumed in it.
  const std::string write = "    let c = 0i64 < n\n    let bs = if c then (#[unsafe] bs with [0i64] = 7i64) else bs\n";
  BOOST_TEST(left(two, nest("ts", backwards + "bs[p] let y = b * 2i64") + "  let (ys, bs) = core.with_add ps (\\(a: *core.acc ([n]i64)) ->\n" + write + add + "    in (core.finish a, bs))\n  in (ys, bs)") == 2);
}

BOOST_AUTO_TEST_CASE(what_is_added_to_is_made_before) {
  const std::string both = "  let (ts: [n]i64, us: [n]i64) = #[grid_thread] core.nest n (\\(i: i64) -> let a = #[unsafe] as[i] let y = a * 2i64 in (y, a)) (core.store 1, core.store 1)\n";
  const std::string add = adding("a", "let t = #[unsafe] ts[i] let acc = core.update_1d acc i t");
  BOOST_TEST(left(one, both + with("ys", "us", add) + "  in ys") == 2);
  BOOST_TEST(left(two, both + with("ys", "ps", add) + "  in (ys, us)") == 1);
}

BOOST_AUTO_TEST_CASE(into_a_with_acc_it_moves_past_nothing_that_needs_it) {
  const std::string add = adding("a", "let t = #[unsafe] ts[i] let acc = core.update_1d acc i t");
  const std::string reads = "  let c = 0i64 < n\n  let s = if c then (#[unsafe] ts[0i64]) else 3i64\n";
  BOOST_TEST(left("([n]i64, i64)", twice + reads + with("ys", "ps", add) + "  in (ys, s)") == 2);
  const std::string write = "  let c = 0i64 < n\n  let bs = if c then (#[unsafe] bs with [0i64] = 7i64) else bs\n";
  BOOST_TEST(left(two, nest("ts", "let b = #[unsafe] bs[i] let y = b * 2i64") + write + with("ys", "ps", add) + "  in (ys, bs)") == 2);
  BOOST_TEST(left(two, nest("ts", "let a = #[unsafe] as[i] let y = a * 2i64") + write + with("ys", "ps", add) + "  in (ys, bs)") == 1);
}

BOOST_AUTO_TEST_CASE(nests_that_join_there_join_others_there) {
  // Two of the with_acc read ts; what one of them stores is yielded.
  const std::string stores = "  " + nest("us", "let t = #[unsafe] ts[i] let y = t + i");
  const std::string add = adding("a", "let t = #[unsafe] ts[i] let acc = core.update_1d acc i t");
  BOOST_TEST(left(two, twice + "  let (ys, us) = core.with_add ps (\\(a: *core.acc ([n]i64)) ->\n" + stores + add + "    in (core.finish a, us))\n  in (ys, us)") == 1);
}

BOOST_AUTO_TEST_CASE(nests_that_add_stay_where_they_are) {
  // What a with_acc in it adds is stored by the nest before.
  const std::string around = "  let (xs, ys) = core.with_add ps (\\(a: *core.acc ([n]i64)) ->\n    let (a, (ts: [n]i64)) = #[grid_thread] core.nest_acc n (\\(acc: *core.acc ([n]i64)) (i: i64) -> "
                             "let t = #[unsafe] as[i] let acc = core.update_1d acc i t in (acc, t)) a (core.store 1)\n    let ys = core.with_add bs (\\(b: *core.acc ([n]i64)) ->\n" +
                             adding("b", "let t = #[unsafe] ts[i] let acc = core.update_1d acc i t") + "    in core.finish b)\n    in (core.finish a, ys))\n";
  BOOST_TEST(left(two, around + "  in (xs, ys)") == 2);
  const std::string inside = "  let (ys, ts) = core.with_add ps (\\(a: *core.acc ([n]i64)) ->\n    let (a, (ts: [n]i64)) = #[grid_thread] core.nest_acc n (\\(acc: *core.acc ([n]i64)) (i: i64) -> "
                             "let t = #[unsafe] as[i] let acc = core.update_1d acc i t in (acc, t)) a (core.store 1)\n    in (core.finish a, ts))\n";
  BOOST_TEST(left(two, inside + nest("us", plus) + "  in (ys, us)") == 2);
}

namespace {

/// Adds the sum of a row or more to each cell; what the element comes to is bound to e.
std::string adding_sums(const std::string& e, const std::string& count = "m") {
  return adding("a", "let (s: i64) = #[thread_thread] core.nest " + count + " (\\(l: i64) -> " + e + " in e) (core.reduce 0 (+) 0i64) let acc = core.update_1d acc i s");
}
const std::string of_row = "let e = #[unsafe] ass[i, l]", of_products = "let x = #[unsafe] ass[i, l] let y = #[unsafe] bss[i, l] let e = x * y";

}  // namespace

BOOST_AUTO_TEST_CASE(sums_of_as_many_summands_are_computed_jointly) {
  BOOST_TEST(left(one, with("ys", "ps", adding_sums(of_row) + adding_sums(of_products)) + "  in ys") == 1);
  BOOST_TEST(left(one, with("ys", "ps", adding_sums(of_row) + adding_sums("let e = l * i", "k")) + "  in ys") == 2);
  BOOST_TEST(left(one, with("ys", "ps", adding_sums(of_row) + adding("a", "let acc = core.update_1d acc i i")) + "  in ys") == 2);
  BOOST_TEST(left(one, with("ys", "ps", adding("a", "let acc = core.update_1d acc i i") + adding_sums(of_row)) + "  in ys") == 2);
}

BOOST_AUTO_TEST_CASE(sums_of_one_row_are_stored_together) {
  const auto sums = [](const std::string& result, const std::string& before, const std::string& behind) {
    return "  let (" + result + ": [n]i64) = #[grid_thread] core.nest n (\\(i: i64) -> " + before + " let (s: i64) = #[thread_thread] core.nest m (\\(l: i64) -> " + of_row + " in e) (core.reduce 0 (+) 0i64) " +
           behind + ") (core.store 1)\n";
  };
  BOOST_TEST(left(one, sums("ts", "", "in s") + sums("ys", "let t = #[unsafe] ts[i]", "let y = s * t in y") + "  in ys") == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace join_tests
