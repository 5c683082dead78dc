// Maps over products of sizes that become maps of maps, and small maps that become array literals.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/lower/inline.hpp"
#include "transform/simplify/flat_maps.hpp"
#include "transform/simplify/simplify.hpp"
#include "transform/simplify/unroll.hpp"

namespace flat_maps_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace simplify = boustro::simplify;

namespace {

Program program_of(const std::string& text) {
  std::string reasons;
  auto program = boustro::tests::lowered(text, "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  return simplify::simplify(boustro::lower::inline_functions(std::move(*program)));
}

Program split(Program program) {
  simplify::split_flat_maps(program);
  return program;
}

Program unrolled(Program program) {
  simplify::unroll_small_maps(program);
  return program;
}

/// `tabulate (width) body` of n and an array with n elements.
Program flat_map(const std::string& width, const std::string& body) {
  return program_of("entry main [n] (xs: [n]i64) = tabulate (" + width + ") (\\i -> " + body + ")");
}

const std::vector<Arguments> small = {{some_i64s({0}, 9)}, {some_i64s({1}, 9)}, {some_i64s({5}, 9)}};

/// Whether the only map becomes maps of maps; it yields the same as before in any case.
bool splits(const Program& program, const std::vector<Arguments>& runs = small) {
  const Program result = after(split, program, runs);
  after([](Program p) { return simplify::simplify(split(std::move(p))); }, program, runs);
  return count<Map>(result) > count<Map>(program);
}

/// The literal widths of maps, of inner ones last.
void collect_widths(const Body& body, std::vector<std::int64_t>& widths) {
  for (const Stm& stm : body.stms) {
    const auto* map = std::get_if<Map>(&stm.exp);
    if (const PrimValue* width = map ? literal_in(map->width) : nullptr) widths.push_back(width->as_int());
    for_each_body(stm.exp, [&](const Body& inner) { collect_widths(inner, widths); });
  }
}

std::vector<std::int64_t> inner_widths(const Program& program) {
  std::vector<std::int64_t> widths;
  for (const Function& function : program.functions) collect_widths(function.body, widths);
  return widths;
}

using Widths = std::vector<std::int64_t>;

}  // namespace

BOOST_AUTO_TEST_SUITE(flat_maps)

BOOST_AUTO_TEST_CASE(products_split_wherever_the_literals_stand) {
  for (const char* width : {"n * 6", "6 * n", "2 * n * 3", "3 * (n * 2)"})
    BOOST_TEST(splits(flat_map(width, "100 * (i / 6) + i % 6")), width);
}

BOOST_AUTO_TEST_CASE(width_is_the_smallest_multiple_of_all_literals) {
  BOOST_TEST(inner_widths(split(flat_map("n * 60", "i / 2 + i % 3"))) == Widths{6});
  BOOST_TEST(inner_widths(split(flat_map("n * 60", "i / 2 / 5"))) == Widths{10});
  BOOST_TEST(inner_widths(split(flat_map("n * 60", "i % 20 / 4"))) == Widths{20});
}

BOOST_AUTO_TEST_CASE(digits_of_digits_keep_their_values) {
  for (const char* body : {"i / 2 / 3", "i / 2 % 3", "i % 6 / 2", "i % 6 % 3", "i % 6 / 6", "i % 12 / 5",
                           "i % 4 / 3 + i / 4", "i i64./ 12 i64.% 2 + i // 3 + i %% 4",
                           "(if i % 2 == 0 then i / 4 else i / 2 % 2) + i / 12"})
    BOOST_TEST(splits(flat_map("n * 24", body)), body);
}

BOOST_AUTO_TEST_CASE(random_digits_keep_their_values) {
  std::mt19937 random(1);
  const auto one_of = [&](std::initializer_list<const char*> words) {
    return *(words.begin() + random() % words.size());
  };
  int split_maps = 0;
  for (int run = 0; run < 60; ++run) {
    std::string body;
    for (int term = 0; term < 3; ++term) {
      std::string digit = "i";
      for (unsigned steps = 1 + random() % 3; steps > 0; --steps)
        digit = "(" + digit + one_of({" / ", " // ", " % ", " %% "}) + one_of({"2", "3", "4", "6", "12"}) + ")";
      body += (term == 0 ? "" : " * 100 + ") + digit;
    }
    split_maps += splits(flat_map(one_of({"n * 12", "2 * (n * 36)", "n * 144"}), body));
  }
  BOOST_TEST(split_maps > 20);
}

BOOST_AUTO_TEST_CASE(several_results_and_rows_split) {
  BOOST_TEST(splits(program_of("entry main [n] (xs: [n]i64) = unzip (tabulate (n * 3) (\\i -> (xs[i / 3], i % 3)))")));
  BOOST_TEST(splits(program_of("entry main [n] (xs: [n]i64) = tabulate (n * 3) (\\i -> [xs[i / 3], i % 3])")));
  BOOST_TEST(splits(program_of("entry main [n] (xs: [n]i64) = "
                                "tabulate n (\\k -> tabulate (k * 4) (\\i -> xs[i / 4 / (k + 1)]) |> i64.sum)")));
}

BOOST_AUTO_TEST_CASE(index_that_is_used_otherwise_stays) {
  for (const char* body : {"i / 3 + i", "xs[i / 3] + (i + 1) % 3", "i64.i32 (i32.i64 i / 3)", "i / 3 + 3 % i",
                           "i / n", "i % -3", "i / 3 + length (replicate i 0)", "i / 5",
                           "xs[i / 3] + i % 7", "i / 3 + i / 0", "7"})
    BOOST_TEST(!splits(flat_map("n * 6", body), {}), body);
}

BOOST_AUTO_TEST_CASE(other_widths_stay) {
  for (const char* width : {"n + 6", "6", "n * n", "n * 5", "(n + 6) * 5", "n * -5"})
    BOOST_TEST(!splits(flat_map(width, "i / 6 + i % 3"), {}), width);
  BOOST_TEST(!splits(flat_map("n * 130", "i / 65 + i % 13"), {}));
  BOOST_TEST(!splits(program_of("entry main [n] (xs: [n]i64) (ys: [n * 6]i64) = "
                                "map2 (\\i y -> i / 6 + y) (iota (n * 6)) ys"), {}));
}

BOOST_AUTO_TEST_CASE(what_the_outer_index_decides_is_computed_once) {
  const Program program = flat_map("n * 6", "(xs[i / 6] ** 5) + i % 6");
  const Program result = simplify::simplify(split(program));
  const auto& outer = result.functions.back().body.stms;
  int powers_outside = 0;
  for (const Stm& stm : outer)
    if (const auto* map = std::get_if<Map>(&stm.exp))
      for (const Stm& inner : map->fn.body.stms) {
        const auto* e = std::get_if<BinOp>(&inner.exp);
        powers_outside += e && e->kind == BinOpKind::pow ? 1 : 0;
      }
  BOOST_TEST(powers_outside == 1);
  BOOST_TEST(count<Index>(result) == 0);  // the map takes the elements of xs
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(small_maps)

BOOST_AUTO_TEST_CASE(points_that_differ_become_elements) {
  const Program program = program_of(
      "entry main (x: i64) (y: i64) = "
      "unzip (tabulate 3 (\\j -> (if j == 0 then x else if j == 1 then y + x else y, "
      "if j < 1 then y else i64.i32 (i32.i64 j))))");
  const Program result = after(unrolled, program, {{i64_value(3), i64_value(4)}});
  BOOST_TEST(count<Map>(result) == 0);
  BOOST_TEST(count<If>(result) == 0);
  BOOST_TEST(count<ArrayLiteral>(result) == 2);
}

BOOST_AUTO_TEST_CASE(checks_of_points_stay) {
  const Program program = program_of("entry main (xs: []i64) = tabulate 2 (\\j -> if j == 0 then xs[3] else xs[4])");
  const Program result = after(unrolled, program, {{some_i64s({5}, 9)}});
  BOOST_TEST(count<Map>(result) == 0);
  BOOST_CHECK_THROW(run_entry(result, "main", {some_i64s({4}, 9)}), std::exception);
}

BOOST_AUTO_TEST_CASE(other_maps_stay) {
  for (const char* map : {
           "tabulate 3 (\\j -> j * x)",                                                     // no branches
           "tabulate 3 (\\j -> if j == x then x else y)",                                   // on other numbers, too
           "tabulate 9 (\\j -> if j == 0 then x else y)",                                   // nearly all alike
           "tabulate 33 (\\j -> if j % 32 == 0 then x else if j % 2 == 0 then y else j)",   // large
           "tabulate x (\\j -> if j == 0 then x else if j == 1 then y else j)",             // of unknown size
           "tabulate 2 (\\j -> if j == 0 then x else loop a = y for i < x do a * a + i)",   // a loop is left
           // much is left
           "tabulate 2 (\\j -> if j == 0 then x else (((x + y) * 7 - x) * y + 3) * x + (y - 4) * x * x * y)",
           "tabulate 2 (\\j -> if j == 0 then [x, y] else [y, x])",                         // rows
       }) {
    const Program program = program_of(std::string("entry main (x: i64) (y: i64) = ") + map);
    BOOST_TEST(count<Map>(after(unrolled, program, {{i64_value(3), i64_value(4)}})) == count<Map>(program), map);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace flat_maps_tests
