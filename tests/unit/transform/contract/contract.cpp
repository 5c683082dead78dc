// What all points multiply by the same is added up before: where that is so, where it must not be, and what it comes to.
#include "transform/contract/contract.hpp"

#include <cmath>

#include "tests/unit/transform/before_pass.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/simplify/simplify.hpp"

using namespace boustro::ir;
using namespace boustro::ir::testing;
using boustro::simplify::simplify;

namespace {

Program contracted(Program program) { return simplify(boustro::contract::contract(std::move(program))); }

Program before(const std::string& text) { return before_pass("contract", text); }

/// It applies: the points multiply by `invariant` no more, and results are the same.
Program check_applies(const std::string& text, const std::vector<Arguments>& runs) {
  const Program program = before(text);
  const Program result = after(contracted, program, runs);
  BOOST_TEST(!(result == program), "nothing changed:\n" + to_string(program));
  return result;
}

/// Results are the same, whether it applies or not.
void check_kept(const std::string& text, const std::vector<Arguments>& runs) { after(contracted, before(text), runs); }

void check_left_alone(const std::string& text) {
  const Program program = before(text);
  BOOST_TEST(count<UpdateAcc>(program) > 0, "there is no accumulator:\n" + to_string(program));
  BOOST_TEST(to_string(boustro::contract::contract(program)) == to_string(program));
}

std::uint64_t operations(const Program& program, const Arguments& args) {
  Counts counts;
  run_entry(program, "main", args, {.counts = &counts});
  return counts.operations;
}

const std::string additions =
    "def dot [d] (xs: [d]f64) (ys: [d]f64) : f64 = f64.sum (map2 (*) xs ys)\n";

/// Sums of |q z|^2 over points z, and its derivative.
const std::string norms = additions +
    "def norm [d] (q: [d][d]f64) (z: [d]f64) : f64 = f64.sum (map (\\row -> let y = dot row z in y * y) q)\n";
const std::string gradient = norms +
    "entry main [n] [d] (q: [d][d]f64) (ws: [n]f64) (zs: [n][d]f64) : [d][d]f64 =\n"
    "  vjp (\\q -> f64.sum (map2 (\\w z -> w * norm q z) ws zs)) q 1\n";

std::vector<Arguments> points(std::int64_t n, std::int64_t d) {
  return {{some_f64s({d, d}), some_f64s({n}, 2), some_f64s({n, d}, 3)}};
}

/// The derivative by x of a sum over points z with numbers `id`, of the square of the sum of x[t] * (c z)[t] and the like.
std::string weighed_points(const std::string& point, const std::string& others = "", const std::string& matrix = "c") {
  return norms +
         "def weighed [m] (c: [m][m]f64) (z: [m]f64) (x: [m]f64) : f64 =\n"
         "  let y = f64.sum (map2 (\\row xt -> xt * dot row z) c x) in y * y\n"
         "entry main [n] [m] (c: [m][m]f64) (zs: [n][m]f64) (ids: [n]i64) (x: [m]f64) : [m]f64 =\n"
         "  let c = " + matrix + "\n"
         "  in vjp (\\x -> f64.sum (map2 (\\z id -> " + point + ") zs ids)" + others + ") x 1\n";
}

/// Each point as many times as its number says, in several sizes.
const std::string repeated = "f64.sum (map (\\s -> weighed c (map (* f64.i64 s) z) x) (iota id))";

std::vector<Arguments> indexed_points() {
  std::vector<Arguments> runs;
  for (const auto& [n, m] : {std::pair(6, 3), {0, 2}, {1, 1}})
    runs.push_back({some_f64s({m, m}), some_f64s({n, m}, 2), some_i64s({n}, static_cast<unsigned>(m), 3), some_f64s({m}, 4)});
  return runs;
}

/// The largest difference of an element, relative to the largest element.
double difference(const boustro::values::Value& x, const boustro::values::Value& y) {
  double largest = 0, apart = 0;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    largest = std::max(largest, std::abs(x.element(i).as_float()));
    apart = std::max(apart, std::abs(x.element(i).as_float() - y.element(i).as_float()));
  }
  return apart / largest;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(contraction)

BOOST_AUTO_TEST_CASE(an_invariant_matrix_is_multiplied_once) {
  std::vector<Arguments> runs;
  for (const auto& [n, d] : {std::pair(4, 3), {0, 3}, {4, 0}, {1, 1}, {7, 2}})
    for (const Arguments& args : points(n, d)) runs.push_back(args);
  const Program result = check_applies(gradient, runs);
  // Two passes of n * d * d before, and one after.
  const Arguments many = points(200, 8)[0];
  BOOST_TEST(3 * operations(result, many) < 2 * operations(before(gradient), many));
}

namespace {

/// Multiplications by numbers, and changes of sign, in the bodies around which accumulators stand.
int multiples(const Body& body, bool inside = false) {
  int found = 0;
  for (const Stm& stm : body.stms) {
    const auto* op = std::get_if<BinOp>(&stm.exp);
    const auto* sign = std::get_if<UnOp>(&stm.exp);
    const bool is_float = stm.pattern.size() == 1 && boustro::values::is_float(stm.pattern[0].type.elem);
    if (inside && is_float && ((op && op->kind == BinOpKind::mul && (literal_in(op->lhs) || literal_in(op->rhs))) || (sign && sign->kind == UnOpKind::neg))) ++found;
    for_each_body(stm.exp, [&](const Body& inner) { found += multiples(inner, inside || std::holds_alternative<WithAcc>(stm.exp)); });
  }
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(numbers_multiply_the_sum) {
  const std::string text = norms +
      "entry main [n] [d] (q: [d][d]f64) (ws: [n]f64) (zs: [n][d]f64) : [d][d]f64 =\n"
      "  vjp (\\q -> f64.sum (map2 (\\w z -> w - f64.abs w * norm q z * 0.5) ws zs)) q 1\n";
  const Program result = check_applies(text, {points(4, 3)[0], points(0, 2)[0], points(2, 1)[0]});
  BOOST_TEST(multiples(before(text).functions[0].body) > 0);
  BOOST_TEST(multiples(result.functions[0].body) == 0);
}

BOOST_AUTO_TEST_CASE(sums_of_points_stay_at_hand) {
  check_applies(norms +
                    "entry main [n] [d] (q: [d][d]f64) (ws: [n]f64) (zs: [n][d]f64) : [d][d]f64 =\n"
                    "  vjp (\\q -> f64.sum (map2 (\\w z -> w + norm q z * (0.5 * f64.sum z)) ws zs)) q 1\n",
                {points(4, 3)[0], points(0, 2)[0], points(2, 1)[0]});
}

BOOST_AUTO_TEST_CASE(matrices_may_be_chosen_by_maps_around) {
  const std::string text = norms +
      "entry main [n] [k] [d] (qs: [k][d][d]f64) (means: [k][d]f64) (zs: [n][d]f64) : ([k][d][d]f64, [k][d]f64) =\n"
      "  vjp (\\(qs, means) -> f64.sum (map (\\z -> f64.sum (map2 (\\q mean -> norm q (map2 (-) z mean)) qs means)) zs)) (qs, means) 1\n";
  const auto args = [](std::int64_t n, std::int64_t k, std::int64_t d) {
    return Arguments{some_f64s({k, d, d}), some_f64s({k, d}, 2), some_f64s({n, d}, 3)};
  };
  const Program result = check_applies(text, {args(4, 2, 3), args(0, 2, 3), args(3, 0, 2), args(2, 3, 0), args(1, 1, 1)});
  BOOST_TEST(2 * operations(result, args(100, 2, 8)) < operations(before(text), args(100, 2, 8)));
}

BOOST_AUTO_TEST_CASE(differences_are_not_taken_apart) {
  // Points far from the origin, close to the mean: (z - m)^2 would lose all digits as z^2 - 2 z m + m^2.
  const std::string text = norms +
      "entry main [n] [d] (q: [d][d]f64) (mean: [d]f64) (zs: [n][d]f64) : [d][d]f64 =\n"
      "  vjp (\\q -> f64.sum (map (\\z -> norm q (map2 (-) z mean)) zs)) q 1\n";
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const auto reals = [&](std::vector<std::int64_t> shape, double center) {
    auto value = boustro::values::Value::zeros(PrimType::f64, std::move(shape));
    for (std::int64_t i = 0; i < value.size(); ++i) value.set_element(i, PrimValue::of_float(PrimType::f64, center + normal(random)));
    return value;
  };
  for (const double center : {0.0, 1e6, 1e12}) {
    const Arguments args = {reals({5, 5}, 0), reals({5}, center), reals({300, 5}, center)};
    const Program program = before(text);
    const auto x = run_entry(program, "main", args), y = run_entry(contracted(program), "main", args);
    BOOST_TEST(difference(x[0], y[0]) < 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(constants_and_signs_go_with_the_sum) {
  check_applies(norms +
                "entry main [n] [d] (q: [d][d]f64) (ws: [n]f64) (zs: [n][d]f64) : [d][d]f64 =\n"
                "  vjp (\\q -> f64.sum (map2 (\\w z -> -(w * 3 * norm q z)) ws zs)) q 0.5\n",
                points(4, 3));
}

// ---- Where others add to the same array, or sums are as long as a point says

BOOST_AUTO_TEST_CASE(what_others_add_is_kept) {
  for (const std::string other : {"if z[0] > 0 then x[id] * z[1] else 0", "loop s = 1 for i < id do s * x[i]",
                                  "if z[0] > 0 then (loop s = 1 for i < id do s * x[i]) else x[0]", "x[id] * z[0]"}) {
    check_applies(weighed_points("weighed c z x + (" + other + ")"), indexed_points());
    check_applies(weighed_points("(" + other + ") * weighed c z x"), indexed_points());
  }
  check_applies(weighed_points("weighed c z x", " + f64.sum (map2 (\\z id -> if id > 0 then x[id] * z[0] else 0) zs ids)"),
                indexed_points());
}

BOOST_AUTO_TEST_CASE(points_may_be_as_many_as_a_point_around_says) {
  check_applies(weighed_points(repeated), indexed_points());
  check_applies(weighed_points("f64.sum (map (\\w -> weighed c (map (* w) z) x) z[:id])"), indexed_points());
}

BOOST_AUTO_TEST_CASE(what_may_not_be_there_is_read_where_it_was) {
  check_kept(weighed_points("f64.sum (map (\\s -> weighed c (map2 (*) z (#[unsafe] c[s])) x) (iota id))"), indexed_points());
}

BOOST_AUTO_TEST_CASE(elements_of_nothing_are_not_read) {
  const Arguments nothing{some_f64s({0, 0}), some_f64s({2, 0}), some_i64s({2}, 1, 3), some_f64s({0})};
  std::vector<Arguments> runs = indexed_points();
  runs.push_back(nothing);
  check_kept(weighed_points("weighed c (map (\\v -> v * #[unsafe] z[0]) z) x"), runs);
}

BOOST_AUTO_TEST_CASE(elements_that_a_point_chooses_are_its_own) {
  const std::string row = "let row = vjp (norm c) z 1 in ";
  check_kept(weighed_points(row + "dot x c[0] * #[unsafe] row[id]"), indexed_points());
  check_kept(weighed_points(row + "f64.sum (map2 (\\xt t -> xt * #[unsafe] row[(t + id) % m]) x (iota m))"), indexed_points());
}

BOOST_AUTO_TEST_CASE(rows_that_a_reduction_picks_are_not_its_operands) {
  check_kept(weighed_points("let (_, row) = reduce_comm (\\(a, p) (b, q) -> if a < b then (a, p) else (b, q)) (1000, replicate m 0)\n"
                            "                            (map (\\row -> (row[0] * z[0], row)) c)\n"
                            "in weighed c (map2 (*) row z) x"),
             indexed_points());
}

BOOST_AUTO_TEST_CASE(what_a_sum_starts_from_is_kept) {
  check_kept(weighed_points("let y = f64.sum (map2 (\\row xt -> xt * reduce (+) 1 (map2 (*) row z)) c x) in y * y"), indexed_points());
}

BOOST_AUTO_TEST_CASE(what_is_made_inside_of_with_acc_stays_there) {
  Program program = before(weighed_points(repeated, "", "map (map (+ 1)) c"));
  BOOST_TEST(!(contracted(program) == program));
  std::vector<Stm>& stms = program.functions.at(0).body.stms;
  const auto with = std::find_if(stms.begin(), stms.end(), [](const Stm& stm) { return std::holds_alternative<WithAcc>(stm.exp); });
  const auto made = std::find_if(stms.begin(), with, [](const Stm& stm) { return std::holds_alternative<Map>(stm.exp); });
  BOOST_REQUIRE((with != stms.end() && made != with));
  Body& inside = std::get<WithAcc>(with->exp).fn.body;
  inside.stms.insert(inside.stms.begin(), *made);
  stms.erase(made);
  after(boustro::contract::contract, program, indexed_points());
}

// ---- Where it must not be

BOOST_AUTO_TEST_CASE(a_matrix_of_each_point_stays) {
  check_left_alone(norms +
                   "entry main [n] [d] (qs: [n][d][d]f64) (v: [d]f64) : [d]f64 =\n"
                   "  vjp (\\v -> f64.sum (map (\\q -> norm q v) qs)) v 1\n");
}

BOOST_AUTO_TEST_CASE(what_a_function_of_the_product_needs_stays) {
  check_left_alone(additions +
                   "entry main [n] [d] (q: [d][d]f64) (zs: [n][d]f64) : [d][d]f64 =\n"
                   "  vjp (\\q -> f64.sum (map (\\z -> f64.sum (map (\\row -> f64.exp (dot row z)) q)) zs)) q 1\n");
}

BOOST_AUTO_TEST_CASE(sizes_that_may_make_it_dearer_leave_it) {
  // The sum over v first is p * m for a point, and adding z[v] * x[s] first would be m * r: who knows which is less?
  check_left_alone(additions +
                   "entry main [n] [p] [m] [r] (q: [p][m]f64) (zs: [n][m]f64) (xs: [n][r]f64) : [p][r]f64 =\n"
                   "  vjp (\\a -> f64.sum (map2 (\\z x -> f64.sum (map2 (\\q_row a_row -> dot q_row z * dot a_row x) q a)) zs xs))\n"
                   "      (replicate p (replicate r 0)) 1\n");
}

BOOST_AUTO_TEST_CASE(a_matrix_that_need_not_be_there_stays_at_the_points) {
  // Where there are no points, nobody has promised that there is a matrix k.
  check_left_alone(norms +
                   "entry main [n] [p] [d] (qs: [p][d][d]f64) (zs: [n][d]f64) (k: i64) (x: [d]f64) : [d]f64 =\n"
                   "  vjp (\\x -> f64.sum (map (\\z -> let y = f64.sum (map2 (\\row xt -> xt * dot row z) (#[unsafe] qs[k]) x)\n"
                   "                                 in y * y) zs)) x 1\n");
}

BOOST_AUTO_TEST_SUITE_END()
