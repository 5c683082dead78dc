// Accumulations into the same arrays, one after the other, that become one.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/fuse/fuse.hpp"

namespace join_accumulations_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

const std::string head = "entry main [n] [k] (is: [n]i64) (as: *[n]f64) (bs: [n]f64) (ps: *[k]f64) (qs: *[k]f64) : ";

/// Adds the values to cells of an accumulator, or writes them there, which goes on under the same name.
std::string add(const std::string& acc, const std::string& values) {
  return "    let (" + acc + ", ()) = core.fused_acc n (\\(acc: *core.acc ([k]f64)) (i: i64, v: f64) -> let acc = core.update_1d acc i v in (acc, ())) " + acc +
         " (is, " + values + ") ()\n";
}
/// The with_acc of one array.
std::string with(const std::string& array, const std::string& acc, const std::string& body, const std::string& kind = "core.with_add") {
  return kind + " " + array + " (\\(" + acc + ": *core.acc ([k]f64)) ->\n" + body;
}
/// `to` is `from` with the values added.
std::string added(const std::string& to, const std::string& from, const std::string& values, const std::string& kind = "core.with_add") {
  return "  let " + to + " = " + with(from, "a", add("a", values), kind) + "    in core.finish a)\n";
}

Program program_of(const std::string& text) {
  std::string reasons;
  auto program = boustro::tests::lowered(text, "program.fut", true, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons << text);
  return std::move(*program);
}

const std::vector<Arguments> runs = {
    {some_i64s({6}, 4, 3), some_f64s({6}), some_f64s({6}, 2), some_f64s({3}, 3), some_f64s({3}, 4)},
    {some_i64s({0}, 4), some_f64s({0}), some_f64s({0}), some_f64s({2}, 3), some_f64s({2}, 4)},
};

/// How many accumulations there are then; the values stay.
int left(const std::string& type, const std::string& statements, const std::string& functions = "") {
  return count<WithAcc>(after(boustro::fuse::join_accumulations, program_of(functions + head + type + " =\n" + statements), runs));
}

const std::string two = "([k]f64, [k]f64)", three = "([k]f64, [k]f64, [n]f64)";

}  // namespace

BOOST_AUTO_TEST_SUITE(join_accumulations)

BOOST_AUTO_TEST_CASE(one_after_the_other_is_one) {
  const std::string once = added("xs", "ps", "as") + added("ys", "xs", "bs");
  BOOST_TEST(left("[k]f64", once + "  in ys") == 1);
  BOOST_TEST(left("[k]f64", once + added("zs", "ys", "as") + "  in zs") == 1);
  BOOST_TEST(left("[k]f64", added("xs", "ps", "as", "core.with_overwrite") + added("ys", "xs", "as", "core.with_overwrite") + "  in ys") == 1);
}

BOOST_AUTO_TEST_CASE(what_stands_between_may_be_about_other_arrays) {
  BOOST_TEST(left(three, added("xs", "ps", "as") + "  let cs = map (* 2.0f64) bs\n" + added("ys", "xs", "cs") + "  in (ys, qs, cs)") == 1);
  BOOST_TEST(left(three, added("xs", "ps", "bs") + "  let some = 0i64 < n\n  let as = if some then (#[unsafe] as with [0i64] = 7.0f64) else as\n" + added("ys", "xs", "as") + "  in (ys, qs, as)") == 1);
  BOOST_TEST(left(two, added("xs", "ps", "as") + added("other", "qs", "as") + added("ys", "xs", "bs") + "  in (ys, other)") == 2);
}

BOOST_AUTO_TEST_CASE(arrays_of_one_alone_join_in) {
  // The first adds to both, the second to one of them; and the other way around.
  const std::string both = "core.with_add ps (\\(a: *core.acc ([k]f64)) -> core.with_add qs (\\(b: *core.acc ([k]f64)) ->\n" + add("a", "as") + add("b", "bs") +
                           "    in (core.finish a, core.finish b)))\n";
  BOOST_TEST(left(two, "  let (xs, ys) = " + both + added("zs", "ys", "as") + "  in (xs, zs)") == 1);
  BOOST_TEST(left(two, "  let (xs, ys) = " + both + added("zs", "xs", "bs") + "  in (zs, ys)") == 1);
  std::string later = both;
  later.replace(later.find(" ps "), 4, " xs ");
  BOOST_TEST(left(two, added("xs", "ps", "bs") + "  let (ys, zs) = " + later + "  in (ys, zs)") == 1);
  later = both;
  later.replace(later.find(" qs "), 4, " xs ");
  BOOST_TEST(left(two, added("xs", "qs", "bs") + "  let (ys, zs) = " + later + "  in (ys, zs)") == 1);
}

BOOST_AUTO_TEST_CASE(other_results_are_yielded_in_their_places) {
  const auto also = [](const std::string& to, const std::string& from, const std::string& values, const std::string& factor) {
    return "  let (" + to + ", " + to + "_also) = " + with(from, "a", add("a", values) + "    let more = map (* " + factor + ") " + values + "\n") + "    in (core.finish a, more))\n";
  };
  BOOST_TEST(left("([k]f64, [n]f64, [n]f64)", also("xs", "ps", "as", "2.0f64") + also("ys", "xs", "bs", "3.0f64") + "  in (ys, xs_also, ys_also)") == 1);
  // The second needs what the first yields beside its array.
  BOOST_TEST(left("([k]f64, [n]f64, [n]f64)", also("xs", "ps", "as", "2.0f64") + also("ys", "xs", "xs_also", "3.0f64") + "  in (ys, xs_also, ys_also)") == 1);
  // A new array stands before what is yielded beside it.
  const std::string more = "  let (zs, ys, both) = core.with_add qs (\\(b: *core.acc ([k]f64)) -> core.with_add xs (\\(a: *core.acc ([k]f64)) ->\n" + add("a", "as") + add("b", "bs") +
                           "    let both = map2 (+) as bs\n    in (core.finish b, core.finish a, both)))\n";
  BOOST_TEST(left("([k]f64, [k]f64, [n]f64, [n]f64)", also("xs", "ps", "as", "2.0f64") + more + "  in (zs, ys, both, xs_also)") == 1);
}

BOOST_AUTO_TEST_CASE(loops_and_branches_of_the_host_are_looked_into) {
  BOOST_TEST(left("[k]f64", "  let rs = loop (ps: *[k]f64) = ps for t < 3i64 do\n  " + added("xs", "ps", "as") + added("ys", "xs", "bs") + "    in ys\n  in rs") == 1);
  BOOST_TEST(left("[k]f64", "  let some = 0i64 < n\n  let rs = if some then (\n" + added("xs", "ps", "as") + added("ys", "xs", "bs") + "    in ys) else ps\n  in rs") == 1);
}

BOOST_AUTO_TEST_CASE(what_others_run_stays) {
  const std::string in_a_map = "  let rss = map (\\(b: f64) ->\n    let zs = replicate k b\n" + added("xs", "zs", "as") + added("ys", "xs", "bs") + "    in ys) bs\n  in rss";
  BOOST_TEST(left("[n][k]f64", in_a_map) == 2);
  const std::string function = "def both [n] [k] (is: [n]i64) (as: [n]f64) (bs: [n]f64) (ps: *[k]f64) : *[k]f64 =\n" + added("xs", "ps", "as") + added("ys", "xs", "bs") + "  in ys\n\n";
  BOOST_TEST(left("[k]f64", "  let ys = both is as bs ps\n  in ys", function) == 2);
}

BOOST_AUTO_TEST_CASE(arrays_that_are_read_in_between_are_finished_before) {
  BOOST_TEST(left(three, added("xs", "ps", "as") + "  let x = #[unsafe] xs[0i64]\n  let cs = replicate n x\n" + added("ys", "xs", "cs") + "  in (ys, qs, cs)") == 2);
  BOOST_TEST(left("([k]f64, f64)", added("xs", "ps", "as") + "  let x = #[unsafe] xs[0i64]\n" + added("ys", "xs", "bs") + "  in (ys, x)") == 2);
}

BOOST_AUTO_TEST_CASE(what_else_is_needed_in_between_is_there_before) {
  const std::string also = "  let (xs, more) = " + with("ps", "a", add("a", "as") + "    let more = map (* 2.0f64) as\n") + "    in (core.finish a, more))\n";
  BOOST_TEST(left(three, also + "  let cs = map (+ 1.0f64) more\n" + added("ys", "xs", "cs") + "  in (ys, qs, cs)") == 2);
}

BOOST_AUTO_TEST_CASE(what_the_second_reads_is_finished_before) {
  // It adds to one array of the first, and reads the other.
  const std::string both = "core.with_add ps (\\(a: *core.acc ([k]f64)) -> core.with_add qs (\\(b: *core.acc ([k]f64)) ->\n" + add("a", "as") + add("b", "bs") +
                           "    in (core.finish a, core.finish b)))\n";
  const std::string reads = "    let first = #[unsafe] xs[0i64]\n    let cs = replicate n first\n" + add("a", "cs");
  BOOST_TEST(left(two, "  let (xs, ys) = " + both + "  let zs = " + with("ys", "a", reads) + "    in core.finish a)\n  in (xs, zs)") == 2);
}

BOOST_AUTO_TEST_CASE(what_the_first_reads_is_not_added_to) {
  const auto reads = [](const std::string& array) {
    return "  let xs = " + with("ps", "a", "    let first = #[unsafe] " + array + "[0i64]\n    let cs = replicate n first\n" + add("a", "cs")) + "    in core.finish a)\n";
  };
  const std::string second = "  let (ys, zs) = core.with_add xs (\\(a: *core.acc ([k]f64)) -> core.with_add qs (\\(b: *core.acc ([k]f64)) ->\n" + add("a", "as") + add("b", "bs") +
                             "    in (core.finish a, core.finish b)))\n";
  BOOST_TEST(left(two, reads("qs") + second + "  in (ys, zs)") == 2);
  BOOST_TEST(left(two, "  let view = (core.rearrange (0) qs : [k]f64)\n" + reads("view") + second + "  in (ys, zs)") == 2);
}

BOOST_AUTO_TEST_CASE(what_the_first_reads_is_not_consumed_before_the_second) {
  BOOST_TEST(left(three, added("xs", "ps", "as") + "  let some = 0i64 < n\n  let as = if some then (#[unsafe] as with [0i64] = 7.0f64) else as\n" + added("ys", "xs", "bs") + "  in (ys, qs, as)") == 2);
}

BOOST_AUTO_TEST_CASE(kinds_are_not_mixed) {
  BOOST_TEST(left("[k]f64", added("xs", "ps", "as") + added("ys", "xs", "bs", "core.with_overwrite") + "  in ys") == 2);
  BOOST_TEST(left("[k]f64", added("xs", "ps", "as", "core.with_overwrite") + added("ys", "xs", "bs") + "  in ys") == 2);
}

BOOST_AUTO_TEST_CASE(of_other_arrays_stays) {
  BOOST_TEST(left(two, added("xs", "ps", "as") + added("ys", "qs", "bs") + "  in (xs, ys)") == 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace join_accumulations_tests
