// Maps whose points run in the order of keys. The order shows where a float sum is not exact: 1 + 1e17 - 1e17 is 0, 1e17 - 1e17 + 1 is 1.
#include "transform/reorder/reorder.hpp"

#include "tests/unit/transform/before_pass.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/simplify/simplify.hpp"

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace values = boustro::values;

namespace {

const Arguments in_program_order = {i64s({3, 4, 5}), f64s({1, 1e17, -1e17})};
const Arguments by_keys = {i64s({3, 1, 2}), f64s({1, 1e17, -1e17})};

Program reordered(const std::string& text) {
  const Program program = before_pass("accumulators", text);
  check_verified(program);
  return program;
}

values::Value result(const Program& program, const Arguments& args) { return run_entry(program, "main", args).at(0); }

bool has_attributes(const Body& body) {
  return std::any_of(body.stms.begin(), body.stms.end(), [](const Stm& stm) {
    bool inside = !stm.attributes.empty();
    for_each_body(stm.exp, [&](const Body& inner) { inside = inside || has_attributes(inner); });
    return inside;
  });
}

/// Sorts, scatters and maps that are left; the meaning stays.
struct Left {
  int sorts, scatters, maps;
  bool operator==(const Left&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Left& left) { return out << left.sorts << " sorts, " << left.scatters << " scatters, " << left.maps << " maps"; }

Left left_of(const std::string& text, const std::vector<Arguments>& runs = {{i64s({3, -1, 2, 2}), f64s({1, 2, 3, 4})}, {i64s({}), f64s({})}}) {
  const Program program = before_pass("reorder", text);
  const Program done = after(
      [](Program p) {
        BOOST_TEST(boustro::reorder::reorder_points(p));
        check_verified(p);
        BOOST_TEST(!has_attributes(p.functions.back().body));
        return boustro::simplify::simplify(std::move(p));
      },
      program, runs);
  return {count<Sort>(done), count<Scatter>(done), count<Map>(done)};
}

const std::string head = "entry main [n] (keys: [n]i64) (xs: [n]f64) = ";
// The keys of these tests have 64 bits: two sorts, and a map in front of each.
const std::string table = "(\\table -> #[reorder(key)] map2 (\\key x -> table[key / 100] * x) keys xs)";

}  // namespace

BOOST_AUTO_TEST_SUITE(reorder)

BOOST_AUTO_TEST_CASE(points_add_in_the_order_of_their_keys) {
  const auto added = [](const std::string& attribute) {
    return reordered(
        "entry main [n] (keys: [n]i64) (xs: [n]f64) : [1]f64 = reduce_by_index [0] (+) 0 (map (/ 100) keys) (" + attribute + " map (* 1) xs)");
  };
  BOOST_TEST((result(added(""), by_keys) == f64s({0})));  // the histogram is another operator, with an order of its own
  BOOST_TEST((result(added("#[reorder(keys)]"), by_keys) == f64s({0})));
  const Program gradient = reordered(head + "vjp " + table + " [1] (map (const 1) xs)");
  BOOST_TEST((result(gradient, by_keys) == f64s({1})));
  BOOST_TEST((result(gradient, in_program_order) == f64s({0})));
}

BOOST_AUTO_TEST_CASE(of_derivatives_of_derivatives) {
  const Program second = reordered(head + "jvp (\\t -> vjp (\\table -> #[reorder(key)] map2 (\\key x -> table[key / 100] * table[key / 100] * x) keys xs) t (map (const 0.5) xs)) [1] [1]");
  BOOST_TEST((result(second, by_keys) == f64s({1})));
  BOOST_TEST((result(second, in_program_order) == f64s({0})));
}

BOOST_AUTO_TEST_CASE(in_loops_that_are_differentiated) {
  const Program loop = reordered(head + "vjp (\\table -> loop ys = xs for _i < 1i64 do #[reorder(key)] map2 (\\key x -> table[key / 100] * x) keys ys) [1] (map (const 1) xs)");
  BOOST_TEST((result(loop, by_keys) == f64s({1})));
  BOOST_TEST((result(loop, in_program_order) == f64s({0})));
}

BOOST_AUTO_TEST_CASE(keys_are_computed_by_what_they_need) {
  const auto checks = [](const std::string& before, const std::string& key) {
    return count<Assert>(before_pass("reorder", head + "#[reorder(key)] map (\\x -> " + before + " let key = " + key + " in x * f64.i64 key) xs"));
  };
  BOOST_TEST(checks("let y = assert (x > 0) x", "i64.f64 x") == 1);  // in the map alone
  BOOST_TEST(checks("let y = assert (x > 0) x", "i64.f64 y") == 2);
  BOOST_TEST(checks("let f y = assert (y > 0) y", "i64.f64 x") == 0);
  BOOST_TEST(checks("let f y = assert (y > 0f64) y let (y, z) = (f x, x)", "i64.f64 z") == 2);  // a definition is taken as a whole
  // Of several variables of the name the last counts.
  BOOST_TEST(checks("let key = 1i64 let y = assert (x > 0) x let key = key", "i64.f64 y + key") == 2);
}

BOOST_AUTO_TEST_CASE(results_are_where_they_belong) {
  BOOST_TEST(left_of(head + "#[reorder(keys)] map (* 2) xs") == (Left{2, 1, 5}));
  BOOST_TEST(left_of(head + "unzip (#[reorder(keys)] map2 (\\k x -> (k + 1, x * 2)) keys xs)") == (Left{2, 2, 5}));
}

BOOST_AUTO_TEST_CASE(one_order_for_all_maps_that_have_the_keys) {
  BOOST_TEST(left_of(head + "(#[reorder(keys)] map (* 2) xs, #[reorder(keys)] map (+ 1) xs)") == (Left{2, 2, 6}));
  BOOST_TEST(left_of(head + "loop ys = xs for _i < 2i64 do #[reorder(keys)] map (* 2) ys") == (Left{2, 1, 5}));
  BOOST_TEST(left_of(head + "if n > 2 then #[reorder(keys)] map (* 2) xs else xs") == (Left{2, 1, 5}));
  BOOST_TEST(left_of(head + "(loop (ks, ys) = (keys, xs) for _i < 2i64 do (map (% 3) ks, #[reorder(ks)] map (* 2) ys)).1") == (Left{2, 1, 6}));
  BOOST_TEST(left_of(head + "let others = map (* 2) keys in (#[reorder(keys)] map (* 2) xs, #[reorder(others)] map (+ 1) xs)") == (Left{4, 2, 11}));
}

BOOST_AUTO_TEST_CASE(who_comes_in_the_same_order_reads_what_was_made) {
  // The first map's result is scattered only if others need it.
  BOOST_TEST(left_of(head + "#[reorder(keys)] map (+ 1) (#[reorder(keys)] map (* 2) xs)") == (Left{2, 1, 6}));
  BOOST_TEST(left_of(head + "let ys = #[reorder(keys)] map (* 2) xs in (#[reorder(keys)] map (+ 1) ys, ys)") == (Left{2, 2, 6}));
  BOOST_TEST(left_of(head + "let others = map (* 2) keys in #[reorder(others)] map (+ 1) (#[reorder(keys)] map (* 2) xs)") == (Left{4, 2, 11}));
}

BOOST_AUTO_TEST_CASE(a_map_that_alone_reads_results_is_one_with_them) {
  BOOST_TEST(left_of(head + "let (ys, zs) = unzip (#[reorder(keys)] map (\\x -> (x * 2, x + 1)) xs) in map2 (*) ys zs") == (Left{2, 1, 6}));
  BOOST_TEST(left_of(head + "let others = map (* 2) keys in map3 (\\x y z -> x + y * z) (#[reorder(others)] map (+ 1) xs) (#[reorder(keys)] map (* 2) xs) (#[reorder(keys)] map (* 3) xs)") == (Left{4, 3, 13}));
  BOOST_TEST(left_of(head + "map (+ 1) (#[reorder(keys)] map (* 2) xs)") == (Left{2, 1, 6}));
  BOOST_TEST(left_of(head + "let ys = #[reorder(keys)] map (* 2) xs in (map (+ 1) ys, ys)") == (Left{2, 1, 6}));
  BOOST_TEST(left_of(head + "map2 (+) xs (#[reorder(keys)] map (* 2) xs)") == (Left{2, 1, 6}));
  BOOST_TEST(left_of(head + "let others = map (* 2) keys in map2 (+) (#[reorder(others)] map (+ 1) xs) (#[reorder(keys)] map (* 2) xs)") == (Left{4, 2, 12}));
}

BOOST_AUTO_TEST_CASE(reductions_come_in_the_order_of_the_program) {
  BOOST_TEST(left_of(head + "f64.sum (#[reorder(keys)] map (* 2) xs)", {by_keys}) == (Left{2, 1, 5}));
  BOOST_TEST(left_of(head + "reduce (\\x y -> x * 2 + y) 0 (#[reorder(keys)] map (* 2) xs)", {by_keys}) == (Left{2, 1, 5}));
}

BOOST_AUTO_TEST_CASE(keys_of_a_size_that_is_known_by_another_name) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n"), m = f.size("m");
  const Name keys = f.param("keys", integers({n})), xs = f.param("xs", reals({m}));
  const Name ys = f.let("ys", Map{m, on_scalars(f, {PrimType::f64}, [](Builder& b, const std::vector<Name>& x) { return std::vector<Atom>{b.unop("y", UnOpKind::neg, x[0])}; }), {xs}, {}});
  f.stms.back().attributes.push_back({"reorder", {keys}});
  f.returns({ys});
  Program program = p.program;
  BOOST_TEST(boustro::reorder::reorder_points(program));
  check_verified(program);
  BOOST_TEST((result(program, {i64s({3, 1}), f64s({1, 2})}) == f64s({-1, -2})));
  BOOST_CHECK_THROW(result(program, {i64s({3, 1}), f64s({1, 2, 3})}), std::exception);
}

BOOST_AUTO_TEST_CASE(maps_in_maps_keep_their_order) {
  BOOST_TEST(left_of("entry main [n] [m] (keys: [n]i64) (xss: [m][n]f64) = map (\\xs -> #[reorder(keys)] map (* 2) xs) xss",
                     {{i64s({3, -1, 2, 2}), some_f64s({3, 4})}}) == (Left{0, 0, 2}));
}

BOOST_AUTO_TEST_CASE(programs_without_stay) {
  Program program = before_pass("reorder", head + "map (* 2) xs");
  const Program before = program;
  BOOST_TEST(!boustro::reorder::reorder_points(program));
  BOOST_TEST((program == before));
}

BOOST_AUTO_TEST_SUITE_END()
