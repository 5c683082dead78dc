#include "emit/plan/planner/lifetimes.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

#include "../../shorthand.hpp"

namespace exemplars::lifetimes_tests {
namespace {

const Expr n = var("n"), i = var("i");

Expr array(const std::string& name) { return scratch_field(name, pointer_to(f64)); }
/// All of `to` follows from `from`.
Stm step(const std::string& to, const std::string& from) { return Launch{"step", {lit(1)}, {lit(1)}, {}, {array(to), array(from), n}}; }
Stm clear(const std::string& name) { return Fill{array(name), n}; }
Stm clear(const Expr& pointer) { return Fill{pointer, n}; }
Stm loop(Stms body) { return count_up("i", type(i64), n, std::move(body)); }

Piece piece(const std::string& name, const Expr& count = n, const std::string& made_in = "", PrimType elem = f64) {
  return {.name = name, .elem = type(elem), .count = count, .made_in = made_in};
}

/// Which piece has the memory of each of them.
std::map<std::string, std::string> places(std::vector<Piece> pieces, Stms body) {
  Entry entry{.name = "f", .scratch = {.name = "FScratch", .pieces = std::move(pieces)}, .body = std::move(body)};
  planner::share_memory(entry);
  std::map<std::string, std::string> result;
  for (const Piece& p : entry.scratch.pieces) result[p.name] = p.place_of.empty() ? p.name : p.place_of;
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lifetimes)

BOOST_AUTO_TEST_CASE(one_array_after_the_other_has_the_same_memory) {
  const auto found = places({piece("a"), piece("b"), piece("c"), piece("d")}, {clear("a"), step("b", "a"), step("c", "b"), step("d", "c")});
  BOOST_TEST(found.at("b") == "b");
  BOOST_TEST(found.at("c") == "a");
  BOOST_TEST(found.at("d") == "b");
}

BOOST_AUTO_TEST_CASE(a_statement_needs_all_that_it_mentions) {
  BOOST_TEST(places({piece("a"), piece("b")}, {clear("a"), step("b", "a")}).at("b") == "b");
  BOOST_TEST(places({piece("a"), piece("b"), piece("c")}, {clear("a"), clear("b"), step("c", "b")}).at("c") == "c", "b has the memory of a");
}

BOOST_AUTO_TEST_CASE(only_arrays_of_one_size_and_type_share) {
  const Stms body{clear("a"), clear("b")};
  BOOST_TEST(places({piece("a", n * i), piece("b", i * n)}, body).at("b") == "a");
  BOOST_TEST(places({piece("a", n), piece("b", n + 1)}, body).at("b") == "b");
  BOOST_TEST(places({piece("a", n), piece("b", n, "", i64)}, body).at("b") == "b");
}

BOOST_AUTO_TEST_CASE(what_a_loop_needs_it_needs_in_every_iteration) {
  const std::vector<Piece> pieces{piece("a"), piece("b")};
  BOOST_TEST(places(pieces, {loop({clear("a"), clear("b")})}).at("b") == "b");
  BOOST_TEST(places(pieces, {clear("a"), loop({step("a", "a"), clear("b")})}).at("b") == "b");
  BOOST_TEST(places(pieces, {clear("a"), loop({clear("b")})}).at("b") == "a");
  BOOST_TEST(places(pieces, {While{i < n, {clear("a"), clear("b")}}}).at("b") == "b");
}

BOOST_AUTO_TEST_CASE(arrays_that_each_iteration_makes_anew_share) {
  BOOST_TEST(places({piece("a", n, "i"), piece("b", n, "i")}, {loop({clear("a"), clear("b")})}).at("b") == "a");
  BOOST_TEST(places({piece("a"), piece("b", n, "i"), piece("c", n, "i")}, {loop({step("b", "a"), step("c", "b")})}).at("c") == "c");
  BOOST_TEST(places({piece("a", n, "i"), piece("b", n, "i")}, {loop({clear("a"), clear("b")}), step("b", "a")}).at("b") == "b",
             "unless something else needs them, too");
}

BOOST_AUTO_TEST_CASE(loops_inside_of_what_makes_an_array_need_it_in_every_iteration) {
  const auto inner = [](Stms body) { return count_up("j", type(i64), n, std::move(body)); };
  BOOST_TEST(places({piece("a", n, "i"), piece("b", n, "i")}, {loop({inner({clear("a"), clear("b")})})}).at("b") == "b");
  BOOST_TEST(places({piece("a", n, "j"), piece("b", n, "j")}, {loop({inner({clear("a"), clear("b")})})}).at("b") == "a");
  BOOST_TEST(places({piece("a", n, "j"), piece("b", n, "i")}, {loop({inner({clear("a")}), clear("a"), clear("b")})}).at("b") == "b",
             "somebody else has what iterations made");
}

BOOST_AUTO_TEST_CASE(iterations_of_parallel_loops_run_at_any_time) {
  For points = std::get<For>(loop({clear("a"), clear("b")}).what);
  points.parallel = true;
  BOOST_TEST(places({piece("a", n, "i"), piece("b", n, "i")}, {points}).at("b") == "b");
}

BOOST_AUTO_TEST_CASE(variables_point_to_arrays) {
  const std::vector<Piece> pieces{piece("a"), piece("b"), piece("c")};
  const Expr x = var("x", pointer_to(f64)), y = var("y", pointer_to(f64));
  BOOST_TEST(places(pieces, {let("x", array("a")), clear("b"), clear(x)}).at("b") == "b");
  BOOST_TEST(places(pieces, {let("x", array("a")), let("y", x + i), clear("b"), clear(y)}).at("b") == "b");
  BOOST_TEST(places(pieces, {variable("x", array("a")), variable("y", array("b")), Swap{"x", "y", true}, clear(x), clear("c"), clear(y)}).at("c") == "c");
  // In the second iteration y is what x was given in the first.
  BOOST_TEST(places(pieces, {variable("x", array("b")), variable("y", array("b")), loop({Assign{y, x}, Assign{x, array("a")}}), clear("c"), clear(y)}).at("c") == "c");
}

BOOST_AUTO_TEST_CASE(a_number_that_is_called_like_a_pointer_of_another_scope_points_to_nothing) {
  const Expr pointer = var("x", pointer_to(f64)), number = var("x", f64);
  const Stms last{let("x", lit(1.0)), clear("b"), Do{call("f", type(f64), {number})}};
  BOOST_TEST(places({piece("a"), piece("b")}, {loop({let("x", array("a")), clear(pointer)}), loop(last)}).at("b") == "a");
}

BOOST_AUTO_TEST_CASE(branches_share_what_only_they_need) {
  const auto found = places({piece("a"), piece("b"), piece("c")}, {If{i < n, {clear("a"), clear("b")}, {step("c", "a")}}});
  BOOST_TEST(found.at("a") == "a");
  BOOST_TEST(found.at("b") == "b", "a is needed from one branch to the other, as far as their order tells");
  BOOST_TEST(found.at("c") == "b");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace exemplars::lifetimes_tests
