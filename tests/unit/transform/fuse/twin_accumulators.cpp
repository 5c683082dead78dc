// Accumulators to which the same is added as to others, from the same start.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/simplify/simplify.hpp"

namespace twin_accumulators_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

const std::string head = "entry main [n] [k] (m: i64) (is: [n]i64) (as: [n]f64) (bs: [n]f64) (ps: *[k]f64) (qs: *[k]f64) : ";
const std::string acc = "*core.acc ([k]f64)";

std::string zeros(const std::string& name, const std::string& number = "0.0f64") { return "  let " + name + " = replicate k " + number + "\n"; }

/// For all i and v, what stands in `point` happens to the accumulators a and b.
std::string for_all(const std::string& point) {
  return "    let ((a, b), ()) = core.fused_acc n (\\(a: " + acc + ", b: " + acc + ") (i: i64, v: f64, w: f64) ->\n      " + point + " in ((a, b), ())) (a, b) (is, as, bs) ()\n";
}
/// The with_acc of two arrays.
std::string with(const std::string& first, const std::string& second, const std::string& body, const std::string& kind = "core.with_add") {
  return "  let (xs, ys) = core.with_add " + first + " (\\(a: " + acc + ") -> " + kind + " " + second + " (\\(b: " + acc + ") ->\n" + body + "    in (core.finish a, core.finish b)))\n";
}

/// Of three arrays.
std::string with_three(const std::string& first, const std::string& second, const std::string& third, const std::string& point) {
  return "  let (xs, (ys, zs)) = core.with_add " + first + " (\\(a: " + acc + ") -> core.with_add " + second + " (\\(b: " + acc + ") -> core.with_add " + third + " (\\(c: " + acc +
         ") ->\n    let ((a, b, c), ()) = core.fused_acc n (\\(a: " + acc + ", b: " + acc + ", c: " + acc + ") (i: i64, v: f64, w: f64) ->\n      " + point +
         " in ((a, b, c), ())) (a, b, c) (is, as, bs) ()\n    in (core.finish a, (core.finish b, core.finish c)))))\n";
}

Program program_of(const std::string& text) {
  std::string reasons;
  auto program = boustro::tests::lowered(text, "program.fut", true, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons << text);
  return std::move(*program);
}

const std::vector<Arguments> runs = {
    {i64_value(1), some_i64s({6}, 4, 3), some_f64s({6}), some_f64s({6}, 2), some_f64s({3}, 3), some_f64s({3}, 4)},
    {i64_value(5), some_i64s({7}, 3, 5), some_f64s({7}, 5), some_f64s({7}, 6), some_f64s({2}, 7), some_f64s({2}, 8)},
    {i64_value(0), some_i64s({0}, 4), some_f64s({0}), some_f64s({0}), some_f64s({2}, 3), some_f64s({2}, 4)},
};

/// As the pipeline does it: until there are none.
Program united(Program program) {
  while (boustro::fuse::unite_twin_accumulators(program)) program = boustro::simplify::simplify(std::move(program));
  return program;
}

/// How many additions are gone; the values stay.
int gone(const std::string& text, const std::vector<Arguments>& args = runs) {
  const Program before = program_of(text);
  return count<UpdateAcc>(before) - count<UpdateAcc>(after(united, before, args));
}
int gone(const std::string& type, const std::string& statements) { return gone(head + type + " =\n" + statements); }

const std::string two = "([k]f64, [k]f64)", three = "([k]f64, [k]f64, [k]f64)", results = "  in (xs, ys)";
const std::string all_zeros = zeros("xs") + zeros("ys") + zeros("zs");
const std::string both = "let a = core.update_1d a i v let b = core.update_1d b i v";

/// Of zeros, to which the point adds.
int gone_of(const std::string& body) { return gone(two, zeros("xs") + zeros("ys") + with("xs", "ys", body) + results); }
int gone_of_points(const std::string& point) { return gone_of(for_all(point)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(twin_accumulators)

BOOST_AUTO_TEST_CASE(that_get_the_same_are_one) {
  BOOST_TEST(gone_of_points(both) == 1);
  BOOST_TEST(gone_of_points("let b = core.update_1d b i v " + both + " let a = core.update_1d a i v") == 2);
  BOOST_TEST(gone_of_points("let a = core.update_1d a i v let a = core.update_1d a i w let b = core.update_1d b i w let b = core.update_1d b i v") == 2);
  BOOST_TEST(gone_of(for_all(both) + for_all(both)) == 2);
  BOOST_TEST(gone(two, zeros("xs", "2.0f64") + zeros("ys", "2.0f64") + with("xs", "ys", for_all(both)) + results) == 1);
}

BOOST_AUTO_TEST_CASE(in_loops_and_branches) {
  BOOST_TEST(gone_of_points("let c = v < w let (a, b) = if c then (" + both + " in (a, b)) else (a, b)") == 1);
  BOOST_TEST(gone_of_points("let c = v < w let (a, b) = if c then (" + both + " in (a, b)) else (let j = i + 1i64 let b = core.update_1d b j w let a = core.update_1d a j w in (a, b))") == 2);
  BOOST_TEST(gone_of_points("let (a, b) = loop (a: " + acc + ", b: " + acc + ") = (a, b) for j < 3i64 do " + both + " in (a, b)") == 1);
}

BOOST_AUTO_TEST_CASE(three_are_one) {
  BOOST_TEST(gone(three, all_zeros + with_three("xs", "ys", "zs", both + " let c = core.update_1d c i v") + "  in (xs, ys, zs)") == 2);
}

BOOST_AUTO_TEST_CASE(whichever_they_are) {
  const std::string last = "let a = core.update_1d a i w let b = core.update_1d b i v let c = core.update_1d c i v";
  BOOST_TEST(gone(three, zeros("ys") + zeros("zs") + with_three("ps", "ys", "zs", last) + "  in (xs, ys, zs)") == 1);
  BOOST_TEST(gone(three, all_zeros + with_three("xs", "ys", "zs", last) + "  in (xs, ys, zs)") == 1);
  BOOST_TEST(gone(three, all_zeros + with_three("xs", "ys", "zs", both + " let c = core.update_1d c i w") + "  in (xs, ys, zs)") == 1);
}

BOOST_AUTO_TEST_CASE(wherever_they_are) {
  BOOST_TEST(gone("[n][k]f64", "  let rss = map (\\(x: f64) ->\n" + zeros("xs") + zeros("ys") + with("xs", "ys", for_all(both)) + "    let rs = map2 (+) xs ys\n    in rs) bs\n  in rss") == 1);
}

BOOST_AUTO_TEST_CASE(that_start_otherwise_are_two) {
  BOOST_TEST(gone(two, zeros("xs") + zeros("ys", "1.0f64") + with("xs", "ys", for_all(both)) + results) == 0);
  BOOST_TEST(gone(two, with("ps", "qs", for_all(both)) + results) == 0);
  BOOST_TEST(gone(two, zeros("xs") + with("xs", "qs", for_all(both)) + results) == 0);
  BOOST_TEST(gone(two, zeros("ys") + with("ps", "ys", for_all(both)) + results) == 0);
  BOOST_TEST(gone(two, zeros("xs") + zeros("zs") + "  let ys = #[unsafe] zs with [1i64] = 5.0f64\n" + with("xs", "ys", for_all(both)) + results) == 0);
}

BOOST_AUTO_TEST_CASE(of_other_lengths_are_two) {
  const std::string other = "*core.acc ([m]f64)";
  BOOST_TEST(gone("([k]f64, [m]f64)", zeros("xs") + "  let ys = replicate m 0.0f64\n  let (xs, ys) = core.with_add xs (\\(a: " + acc + ") -> core.with_add ys (\\(b: " + other +
                                          ") ->\n    let ((a, b), ()) = core.fused_acc n (\\(a: " + acc + ", b: " + other + ") (i: i64, v: f64) ->\n      " + both +
                                          " in ((a, b), ())) (a, b) (is, as) ()\n    in (core.finish a, core.finish b)))\n  in (xs, ys)") == 0);
}

BOOST_AUTO_TEST_CASE(of_other_kinds_are_two) {
  for (const char* kind : {"core.with_overwrite", "core.with_combine f64.max (-f64.inf)"}) {
    BOOST_TEST(gone(two, zeros("xs") + zeros("ys") + with("xs", "ys", for_all(both), kind) + results) == 0, kind);
    BOOST_TEST(gone("[k]f64", zeros("xs") + zeros("ys") + with("xs", "ys", for_all(both), kind) + "  let zs = map2 (-) ys xs\n  in zs") == 0, kind);
    std::string other = with("xs", "ys", for_all(both));
    other.replace(other.find("core.with_add"), 13, kind);
    BOOST_TEST(gone(two, zeros("xs") + zeros("ys") + other + results) == 0, kind);
  }
}

BOOST_AUTO_TEST_CASE(what_is_overwritten_depends_on_the_order) {
  std::string written = with("xs", "ys", for_all("let a = core.update_1d a i v let a = core.update_1d a i w let b = core.update_1d b i w let b = core.update_1d b i v"), "core.with_overwrite");
  written.replace(written.find("core.with_add"), 13, "core.with_overwrite");
  BOOST_TEST(gone(two, zeros("xs") + zeros("ys") + written + results) == 0);
}

BOOST_AUTO_TEST_CASE(that_get_something_else_are_two) {
  for (const char* point : {
           "let a = core.update_1d a i v let b = core.update_1d b i w",
           "let j = i + 1i64 let a = core.update_1d a i v let b = core.update_1d b j v",
           "let a = core.update_1d a i v let b = core.update_1d b i v let b = core.update_1d b i v",
           "let a = core.update_1d a i v let a = core.update_1d a i v let b = core.update_1d b i v",
           "let a = core.update_1d a i v",
           "let b = core.update_1d b i v",
           "let j = i % k let a = core.update_1d a j v let b = #[unsafe] core.update_1d b j v",
       })
    BOOST_TEST(gone_of_points(point) == 0, point);
}

BOOST_AUTO_TEST_CASE(that_get_it_elsewhere_are_two) {
  BOOST_TEST(gone_of_points("let c = v < w let (a, b) = if c then (let a = core.update_1d a i v in (a, b)) else (let b = core.update_1d b i v in (a, b))") == 0);
  BOOST_TEST(gone_of_points("let a = core.update_1d a i v let b = loop (b: " + acc + ") = b for j < 3i64 do core.update_1d b i v") == 0);
}

BOOST_AUTO_TEST_CASE(that_change_places_with_others_are_two) {
  // The first and the last of three do, which texts of programs do not say.
  const auto gone_if_exchanged = [](const std::string& point, std::size_t from, std::size_t to) {
    Program program = program_of(head + three + " =\n" + all_zeros + with_three("xs", "ys", "zs", point) + "  in (xs, ys, zs)");
    const std::function<void(Body&)> exchange = [&](Body& body) {
      for (Stm& stm : body.stms) {
        if (auto* loop = std::get_if<Loop>(&stm.exp)) std::swap(loop->body.result[from], loop->body.result[to]);
        else if (auto* either = std::get_if<If>(&stm.exp)) std::swap(either->then_body.result[from], either->then_body.result[to]);
        else map_bodies(stm.exp, exchange);
      }
    };
    exchange(program.functions[0].body);
    return count<UpdateAcc>(program) - count<UpdateAcc>(after(united, program, runs));
  };
  const std::string loop = "let (a, b, c) = loop (a: " + acc + ", b: " + acc + ", c: " + acc + ") = (a, b, c) for j < 3i64 do (" + both + " in (a, b, c))";
  const std::string branch = "let g = v < w let (a, b, c) = if g then (let c = core.update_1d c i w in (a, b, c)) else (a, b, c) " + both;
  for (const std::string& point : {loop, branch}) {
    BOOST_TEST(gone_if_exchanged(point, 0, 0) == 1);
    BOOST_TEST(gone_if_exchanged(point, 0, 2) == 0);
    BOOST_TEST(gone_if_exchanged(point, 1, 2) == 0);
  }
}

BOOST_AUTO_TEST_CASE(results_that_are_updated_are_two) {
  const std::string start = zeros("xs") + zeros("ys") + with("xs", "ys", for_all(both));
  BOOST_TEST(gone(two, start + "  let xs = #[unsafe] xs with [1i64] = 7.0f64\n" + results) == 0);
  BOOST_TEST(gone(two, start + "  let ys = #[unsafe] ys with [1i64] = 7.0f64\n" + results) == 0);
}

BOOST_AUTO_TEST_CASE(beside_calls_of_others) {
  const std::string function = "def twice (v: f64) : f64 =\n  let w = v * 2.0f64\n  in w\n\n";
  BOOST_TEST(gone(function + head + two + " =\n" + zeros("xs") + zeros("ys") + with("xs", "ys", for_all("let v = twice v " + both)) + results) == 1);
}

BOOST_AUTO_TEST_CASE(whose_additions_are_in_another_function_are_two) {
  const std::string function = "def twice [k] (a: " + acc + ") (b: " + acc + ") (i: i64) (v: f64) : (" + acc + ", " + acc +
                               ") =\n  let a = core.update_1d a i v\n  let a = core.update_1d a i v\n  let b = core.update_1d b i v\n  in (a, b)\n\n";
  BOOST_TEST(gone(function + head + two + " =\n" + zeros("xs") + zeros("ys") + with("xs", "ys", for_all("let (a, b) = twice a b i v")) + results) == 0);
  BOOST_TEST(gone(function + head + two + " =\n" + zeros("xs") + zeros("ys") + with("xs", "ys", for_all(both) + "    let (a, b) = twice a b 0i64 3.0f64\n") + results) == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace twin_accumulators_tests
