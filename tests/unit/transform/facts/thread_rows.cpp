// How arrays lie whose rows threads make.
#include "transform/facts/thread_rows.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/dumps/read_dump.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/pipeline.hpp"

namespace boustro::facts::thread_rows_tests {
namespace {

int uses_in(const ir::Body& body, const ir::Name& name) {
  int count = static_cast<int>(std::count(body.result.begin(), body.result.end(), ir::Atom(name)));
  for (const ir::Stm& stm : body.stms) {
    ir::for_each_atom(stm.exp, [&](const ir::Atom& atom) { count += atom == ir::Atom(name); });
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { count += uses_in(inner, name); });
  }
  return count;
}

/// The dimensions of the arrays that do not lie in their order, as they lie.
std::vector<std::string> orders(const std::string& text) {
  std::string reasons;
  auto program = tests::lowered(text, "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  *program = run_pipeline(translate_passes({}), std::move(*program), {});
  const ir::Function& main = program->functions.back();
  std::vector<std::string> result;
  for (std::size_t at = 0; at < main.body.stms.size(); ++at)
    for (const ir::Param& param : main.body.stms[at].pattern)
      if (const auto order = order_in_memory(main.body.stms, at, param.name, [&](const ir::Name& name) { return uses_in(main.body, name); }))
        result.push_back(fmt::format("{}", fmt::join(*order, " ")));
  return result;
}

using Orders = std::vector<std::string>;

/// Rows that a thread makes each, what they have in common, and then a map over them.
std::string rows_and(const std::string& type, const std::string& last) {
  return "entry main [n] (m: i64) (xs: [n]f64) : " + type + " =\n"
         "  let rows = map (\\x -> loop row = replicate m x for i < m - 1 do #[unsafe] (row with [i + 1] = row[i] * x)) xs\n"
         "  let s = f64.sum (map (\\row -> #[unsafe] row[m / 2]) rows)\n"
         "  in " + last + "\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(thread_rows)

BOOST_AUTO_TEST_CASE(rows_that_threads_read_lie_in_columns) {
  BOOST_TEST(orders(rows_and("[n]f64", "map (\\row -> s * #[unsafe] row[m / 3]) rows")) == Orders{"1 0"});
  BOOST_TEST(orders(rows_and("[n]f64", "map (\\row -> loop y = 0 for i < m do y * s + #[unsafe] row[i]) rows")) == Orders{"1 0"});
}

BOOST_AUTO_TEST_CASE(further_dimensions_stay_outside) {
  const auto rows = [](const std::string& type, const std::string& last) {
    return "entry main [k] [n] (m: i64) (xss: [k][n]f64) : " + type + " =\n"
           "  let rowss = map (map (\\x -> loop row = replicate m x for i < m - 1 do #[unsafe] (row with [i + 1] = row[i] * x))) xss\n"
           "  let s = f64.sum (flatten (map (map (\\row -> #[unsafe] row[m / 2])) rowss))\n"
           "  in " + last + "\n";
  };
  BOOST_TEST(orders(rows("[k][n]f64", "map (map (\\row -> s * #[unsafe] row[m / 3])) rowss")) == Orders{"0 2 1"});
  BOOST_TEST(orders(rows("[k]f64", "map (\\rows -> let rows = loop r = copy rows for i < m - 1 do #[unsafe] (r with [0, i] = s * r[0, i + 1]) in #[unsafe] rows[0, 0]) rowss")) ==
             Orders{});
}

/// Several threads compute a sum: neighbours have neighbouring summands.
BOOST_AUTO_TEST_CASE(rows_that_sums_go_across_lie_in_columns) {
  const auto sums = [](const std::string& sum) {
    return "entry main [k] [n] (m: i64) (xss: [k][n]f64) : [k]f64 =\n"
           "  let rowss = map (map (\\x -> loop row = replicate m x for i < m - 1 do #[unsafe] (row with [i + 1] = row[i] * x))) xss\n"
           "  let s = f64.sum (flatten (map (map (\\row -> #[unsafe] row[m / 2])) rowss))\n"
           "  in map (\\rows -> s * f64.sum (" + sum + ")) rowss\n";
  };
  BOOST_TEST(orders(sums("map (\\row -> #[unsafe] row[m / 3]) rows")) == Orders{"0 2 1"});
  BOOST_TEST(orders(sums("tabulate (n - m / 2) (\\i -> #[unsafe] rows[m / 2 + i, m / 3])")) == Orders{"0 2 1"});
  BOOST_TEST(orders(sums("tabulate n (\\i -> #[unsafe] rows[n - 1 - i, m / 3])")) == Orders{});
  BOOST_TEST(orders(sums("tabulate m (\\i -> #[unsafe] rows[m / 3, i])")) == Orders{});
}

BOOST_AUTO_TEST_CASE(rows_that_many_threads_read_do_not) {
  BOOST_TEST(orders(rows_and("[n][m]f64", "map (map (* s)) rows")) == Orders{});
}

BOOST_AUTO_TEST_CASE(nor_do_rows_of_others) {
  BOOST_TEST(orders(rows_and("[n]f64", "map (\\k -> loop y = 0 for i < m do y * s + #[unsafe] rows[k, i]) (map (n - 1 -) (iota n))")) == Orders{});
  BOOST_TEST(orders(rows_and("[n]f64", "map (\\k -> loop y = 0 for i < m do y * s + #[unsafe] rows[i, k]) (iota n)")) == Orders{});
}

BOOST_AUTO_TEST_CASE(columns_are_read_as_such) {
  const std::string column = "let column = #[unsafe] (transpose rows)[m / 3] in ";
  BOOST_TEST(orders(rows_and("[n]f64", "map (\\_ -> " + column + "loop y = 0 for i < n do y * s + #[unsafe] column[i]) xs")) == Orders{});
  BOOST_TEST(orders(rows_and("[n]f64", "map (\\k -> " + column + "s * #[unsafe] column[k]) (iota n)")) == Orders{"1 0"});
}

BOOST_AUTO_TEST_CASE(nor_do_results) {
  BOOST_TEST(orders(rows_and("([n][m]f64, f64)", "(rows, s)")) == Orders{});
  BOOST_TEST(orders(rows_and("([n][m]f64, [n]f64)", "(rows, map (\\row -> s * #[unsafe] row[m / 3]) rows)")) == Orders{});
}

BOOST_AUTO_TEST_CASE(what_is_only_seen_in_another_order_lies_so) {
  const auto rows = [](const std::string& type, const std::string& last) {
    return "entry main [n] (m: i64) (xs: [n]f64) : " + type + " =\n"
           "  let rows = map (\\x -> loop row = replicate m x for i < m - 1 do #[unsafe] (row with [i + 1] = row[i] * x)) xs\n"
           "  in " + last + "\n";
  };
  BOOST_TEST(orders(rows("[m * n]f64", "flatten (transpose rows)")) == Orders{"1 0"});
  BOOST_TEST(orders(rows("([m * n]f64, [n][m]f64)", "(flatten (transpose rows), rows)")) == Orders{});
}

BOOST_AUTO_TEST_CASE(elements_of_threads_lie_in_order) {
  BOOST_TEST(orders("entry main [n] [m] (xss: [n][m]f64) : [m * n]f64 = flatten (transpose (map (map (* 2)) xss))\n") == Orders{});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::facts::thread_rows_tests
