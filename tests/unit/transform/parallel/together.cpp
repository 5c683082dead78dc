// Sums of a thread that are added up several at a time: transform/parallel/together.
#include "frontend/values/read.hpp"
#include "tests/unit/transform/before_pass.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/ir/nest.hpp"

namespace together_tests {

using namespace boustro;
using namespace boustro::ir::testing;

namespace {

/// Loops over members, matrices that are turned, and nests of pairs.
struct Found {
  std::vector<std::int64_t> members;
  int turned = 0, pairs = 0;
  bool operator==(const Found&) const = default;
};

/// It ends with a loop that has no others inside.
bool is_sum(const ir::Body& body) {
  const auto* loop = body.stms.empty() ? nullptr : std::get_if<ir::Loop>(&body.stms.back().exp);
  return loop && std::none_of(loop->body.stms.begin(), loop->body.stms.end(), [](const ir::Stm& stm) { return std::holds_alternative<ir::Loop>(stm.exp); });
}

void look_into(const ir::Body& body, Found& found) {
  for (const ir::Stm& stm : body.stms) {
    const auto* loop = std::get_if<ir::Loop>(&stm.exp);
    if (loop && ir::has_attribute(stm, "unroll")) found.members.push_back(ir::literal_in(std::get<ir::ForLoop>(loop->form).bound)->as_int());
    const auto* nest = std::get_if<ir::Nest>(&stm.exp);
    found.turned += nest && stm.pattern[0].name.base.ends_with("_columns");
    found.pairs += nest && nest->over == ir::Level::grid && is_sum(nest->point.body);
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { look_into(inner, found); });
  }
}

std::ostream& operator<<(std::ostream& out, const Found& found) {
  for (const std::int64_t count : found.members) out << count << ' ';
  return out << "members, " << found.turned << " turned, " << found.pairs << " pairs";
}

/// What is added up together; on these inputs the program has the same values, of any numbers, and on these others it fails as before.
Found checked(const std::string& text, const std::vector<std::string>& inputs, const std::vector<std::string>& failing = {}) {
  const ir::Program before = before_pass("together", text, parallel::Machine::gpu);
  const ir::Program after = parallel::sums_together(before);
  check_verified(after);
  for (const std::string& input : inputs) {
    const auto args = values::read_values(input);
    BOOST_TEST((ir::run_entry(before, "main", args) == ir::run_entry(after, "main", args)), input);
  }
  for (const std::string& input : failing) {
    const auto args = values::read_values(input);
    BOOST_CHECK_THROW(ir::run_entry(before, "main", args), ir::RuntimeFailure);
    BOOST_CHECK_THROW(ir::run_entry(after, "main", args), ir::RuntimeFailure);
  }
  Found found;
  for (const ir::Function& function : after.functions) look_into(function.body, found);
  return found;
}

const Found nothing{};

/// Rows of different lengths, one of them empty, of columns that data tell; so many points, members and columns. The elements are rounded
/// when they are added up, so that another order is noticed.
const std::string rows =
    "def begins (n: i64) : []i64 = opaque (map (\\i -> i * (i - 1) / 2) (iota (n + 1)))\n"
    "def columns (n: i64) (m: i64) : []i64 = opaque (map (\\i -> (i * i + 3) % i64.max m 1) (iota (n * (n - 1) / 2)))\n"
    "def values (n: i64) : []f32 = opaque (map (\\i -> f32.i64 (i % 7) / 3 - 1) (iota (n * (n - 1) / 2)))\n"
    "def matrix (k: i64) (m: i64) : [k][m]f32 = opaque (tabulate_2d k m (\\c j -> f32.i64 ((c * 5 + j * 3 + c * j) % 11) / 7))\n";

/// Columns and members for which pairs pay, and one more; one member, as many as at a time, and others; none; no points.
const std::vector<std::string> sizes{"9i64 1i64 4i64",    "9i64 37i64 144i64", "9i64 37i64 145i64", "5i64 256i64 3i64", "5i64 257i64 3i64", "9i64 1i64 145i64",
                                     "9i64 16i64 145i64", "9i64 0i64 4i64",    "9i64 0i64 145i64",  "0i64 5i64 4i64",   "1i64 5i64 0i64"};

std::string program(const std::string& fold, const std::string& sum = "s + values[j] * yss[c, columns[j]]", const std::string& type = "[n]f32", const std::string& start = "0",
                    const std::string& before = "") {
  return rows + "entry main (n: i64) (k: i64) (m: i64) : " + type +
         " =\n  let begins = begins n let columns = columns n m let values = values n let yss = matrix k m\n"
         "  in map (\\i -> let from = #[unsafe] begins[i] let to = #[unsafe] begins[i + 1] in\n    " + fold + " (map (\\c -> " + before + " loop s = " + start +
         " for j' < to - from do let j = from + j' in " + sum + ") (iota k))) (iota n)\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sums_together)

BOOST_AUTO_TEST_CASE(columns_that_data_tell) {
  BOOST_TEST(checked(program("f32.maximum"), sizes) == (Found{{16, 16}, 1, 1}));
  BOOST_TEST(checked(program("reduce (\\x y -> x - 0.5 * y) 0.25"), sizes) == (Found{{16, 16}, 1, 1}));
  BOOST_TEST(checked(program("f32.maximum", "s * 0.5 + values[j] * yss[c, columns[j] / 2]"), sizes) == (Found{{16, 16}, 1, 1}));
}

BOOST_AUTO_TEST_CASE(several_matrices) {
  const std::string before = "def other (k: i64) (m: i64) : [k][m]f32 = opaque (tabulate_2d k m (\\c j -> f32.i64 ((c * 3 + j) % 7)))\n";
  std::string text = program("f32.maximum", "s + values[j] * yss[c, columns[j]] - zss[c, columns[j]]");
  text.replace(text.find("let yss"), 0, "let zss = other k m ");
  BOOST_TEST(checked(before + text, sizes) == (Found{{16, 16}, 2, 1}));
}

/// A row of the member is named before the loop, and what comes of the sum needs more of the member.
BOOST_AUTO_TEST_CASE(rows_of_members) {
  const std::string text = rows +
                           "entry main (n: i64) (k: i64) (m: i64) : [n](f32, i64) =\n"
                           "  let begins = begins n let columns = columns n m let values = values n let yss = matrix k m let weights = map f32.sum yss |> opaque\n"
                           "  in map (\\i -> reduce (\\(x, i) (y, j) -> if y < x || (y == x && j < i) then (y, j) else (x, i)) (f32.inf, -1)\n"
                           "       (map3 (\\ys w c -> let from = begins[i] let s = loop s = 0 for j < begins[i + 1] - from do s + values[from + j] * ys[columns[from + j]]\n"
                           "                          in (s + w, c)) yss weights (iota k))) (iota n)\n";
  BOOST_TEST(checked(text, sizes) == (Found{{16, 16}, 1, 1}));
}

/// As many as have sums of 64 bytes, of all numbers that a loop carries; not fewer than four.
BOOST_AUTO_TEST_CASE(as_many_as_fit) {
  const auto of = [](const std::string& start, const std::string& sum, const std::string& end) {
    return rows + "entry main (n: i64) (k: i64) (m: i64) : [n]f64 =\n  let columns = columns n m let yss = matrix k m\n  in map (\\i -> f64.sum (map (\\c -> let s = loop s = " + start +
           " for j < i do let y = f64.f32 yss[c, columns[j]] in " + sum + " in " + end + ") (iota k))) (iota n)\n";
  };
  BOOST_TEST(checked(of("0f64", "s + y", "s"), sizes) == (Found{{8, 8}, 1, 1}));
  BOOST_TEST(checked(of("(0f64, 1f32)", "(s.0 + y * f64.f32 s.1, s.1 + 1)", "s.0 - f64.f32 s.1"), sizes) == (Found{{4, 4}, 1, 1}));
  BOOST_TEST(checked(of("(0f64, 1f64)", "(s.0 + y * s.1, s.1 + 1)", "s.0 - s.1"), sizes) == (Found{{4, 4}, 1, 1}));
  BOOST_TEST(checked(of("(0f64, 1f64, 0i8)", "(s.0 + y * s.1, s.1 + 1, s.2 + i8.f64 y)", "s.0 - s.1 + f64.i8 s.2"), sizes) == nothing);
  BOOST_TEST(checked(of("0i8", "s + i8.f64 (3 * y)", "f64.i8 s"), sizes) == (Found{{16, 16}, 1, 1}));
}

BOOST_AUTO_TEST_CASE(few_members_stay) {
  const auto of = [](const std::string& k) {
    return "entry main [n] [m] (columns: [n]i64) (yss: [" + k + "][m]f32) : [n]f32 =\n  map (\\i -> f32.maximum (map (\\ys -> loop s = 0 for j < i do s + ys[columns[j]]) yss)) (iota n)\n";
  };
  BOOST_TEST(checked(of("3"), {"[1i64, 0i64] [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]]"}) == nothing);
  BOOST_TEST(checked(of("4"), {"[1i64, 0i64] [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32], [7f32, 8f32]]"}) == (Found{{16, 16}, 1, 1}));
}

BOOST_AUTO_TEST_CASE(known_numbers_of_members) {
  const std::string text = rows +
                           "entry main (n: i64) (m: i64) : [n]f32 =\n  let columns = columns n m let yss = matrix 17 m\n"
                           "  in map (\\i -> f32.sum (map (\\ys -> loop s = 0 for j < i do s + ys[columns[j]]) yss)) (iota n)\n";
  BOOST_TEST(checked(text, {"9i64 4i64", "9i64 145i64"}) == (Found{{16, 16}, 1, 1}));
}

/// Nothing is turned where a thread goes along a row, where another dimension than that of the members is read, or where the matrix is the point's.
BOOST_AUTO_TEST_CASE(what_is_not_turned) {
  BOOST_TEST(checked(program("f32.maximum", "s + values[j] * yss[c, j' % i64.max m 1]"), sizes) == (Found{{16, 16}}));
  BOOST_TEST(checked(program("f32.maximum", "s + values[j] * yss[columns[j] % i64.max k 1, (c + i) % i64.max m 1]"), sizes) == (Found{{16, 16}}));
  BOOST_TEST(checked(program("f32.maximum", "s + values[j] * yss[c, (columns[j] + c) % i64.max m 1]"), sizes) == (Found{{16, 16}}));
  BOOST_TEST(checked(program("f32.maximum", "s + yss[i % i64.max k 1, columns[j]] * f32.i64 (c + j)"), sizes) == (Found{{16, 16}}));
  const std::string three = rows +
                            "entry main [k] [m] (n: i64) (ysss: [k][2][m]f32) : [n]f32 =\n  let columns = columns n m\n"
                            "  in map (\\i -> f32.maximum (map (\\yss -> loop s = 0 for j < i do s + yss[1, columns[j]]) ysss)) (iota n)\n";
  BOOST_TEST(checked(three, {"3i64 [[[1f32, 2f32], [5f32, 6f32]], [[3f32, 4f32], [7f32, 8f32]]]"}) == (Found{{16, 16}}));
  const std::string others = rows +
                             "entry main [l] [m] (n: i64) (k: i64) (yss: [l][m]f32) : [n]f32 =\n  let columns = columns n m\n"
                             "  in map (\\i -> f32.maximum (map (\\c -> loop s = 0 for j < i do s + yss[c, columns[j]]) (iota k))) (iota n)\n";
  BOOST_TEST(checked(others, {"3i64 1i64 [[1f32, 2f32], [3f32, 4f32]]"}, {"3i64 5i64 [[1f32, 2f32], [3f32, 4f32]]"}) == (Found{{16, 16}}));
  const std::string own = rows +
                          "entry main [n] [k] [m] (ysss: [n][k][m]f32) (columns: [n]i64) : [n]f32 =\n"
                          "  map2 (\\yss i -> f32.maximum (map (\\ys -> loop s = 0 for j < i do s + ys[columns[j]]) yss)) ysss (iota n)\n";
  BOOST_TEST(checked(own, {"[[[1f32, 2f32]], [[3f32, 4f32]]] [1i64, 0i64]"}) == (Found{{16, 16}}));
}

/// Steps that read nothing that is the same for all members, or arrays that are changed; loops that run differently, or start differently, or carry arrays.
BOOST_AUTO_TEST_CASE(what_differs_between_members) {
  BOOST_TEST(checked(program("f32.maximum", "s * 0.5 + f32.i64 (j * c)"), sizes) == nothing);
  BOOST_TEST(checked(program("i64.maximum", "s + i64.f32 (3 * values[j])", "[n]i64", "c"), sizes) == nothing);
  const auto of = [](const std::string& sum) {
    return rows + "entry main (n: i64) (k: i64) (m: i64) : [n]f32 =\n  let values = values (n + k + 2) let yss = matrix k m\n  in map (\\i -> f32.maximum (map (\\c -> " + sum + ") (iota k))) (iota n)\n";
  };
  BOOST_TEST(checked(of("loop s = 0 for j < c do s + values[j + i] * f32.i64 (c + j)"), sizes) == nothing);
  BOOST_TEST(checked(of("(loop s = 0 for j < i do s + values[j] * f32.i64 (c + j)) + (loop s = 0 for j < i do s + values[j] / f32.i64 (c + j + 1))"), sizes) == nothing);
  BOOST_TEST(checked(of("(loop s = 0 while s < f32.i64 c do s + values[4] + 1)"), sizes) == nothing);
  BOOST_TEST(checked(of("(loop s = [0, 1, 2] for j < i do let v = values[j] in map (\\x -> x * 0.5 + v * f32.i64 (c + j)) s)[i % 3]"), sizes) == nothing);
  BOOST_TEST(checked(of("let s = (loop s = 0 for j < i do s + values[j] * f32.i64 (c + j)) in (copy [1, 2, 3] with [i % 3] = s)[c % 3]"), sizes) == nothing);
}

/// Of what a member has before the loop, its steps may compute views and sizes again, and nothing that may fail.
BOOST_AUTO_TEST_CASE(what_members_have_before) {
  BOOST_TEST(checked(program("f32.maximum", "s + values[j] * f32.i64 (at + j)", "[n]f32", "0", "let at = c * 3 + 1 in"), sizes) == (Found{{16, 16}}));
  BOOST_TEST(checked(program("f32.maximum", "s + values[j] * root", "[n]f32", "0", "let root = f32.sqrt (f32.i64 c) in"), sizes) == nothing);
  BOOST_TEST(checked(program("f32.maximum", "s + values[j] * y", "[n]f32", "0", "let y = #[unsafe] yss[c, i64.min 1 i] in"), {"9i64 16i64 4i64"}) == nothing);
  BOOST_TEST(checked(program("f32.maximum", "s + values[j] * #[unsafe] yss[c, 0]", "[n]f32", "0", "let _ = assert (c < 30) 1i64 in"), {"9i64 16i64 4i64"}) == nothing);
}

/// What is read behind something else that may fail may rely on it.
BOOST_AUTO_TEST_CASE(checks_come_first) {
  const std::string other = "yss[(c + j) % i64.max k 1, 0]";
  BOOST_TEST(checked(program("f32.maximum", "let y = " + other + " let v = values[j] in s + y * v"), {"9i64 16i64 4i64"}) == nothing);
  BOOST_TEST(checked(program("f32.maximum", "let v = values[j] let y = " + other + " in s + y * v"), {"9i64 16i64 4i64"}) == (Found{{16, 16}}));
}

BOOST_AUTO_TEST_CASE(columns_out_of_bounds_fail) {
  const std::string text =
      "entry main [n] [k] [m] (columns: [n]i64) (yss: [k][m]f32) : [n]f32 =\n  map (\\i -> f32.maximum (map (\\ys -> loop s = 0 for j < i do s + ys[columns[j]]) yss)) (iota n)\n";
  BOOST_TEST(checked(text, {"[1i64, 0i64, 2i64] [[1f32, 2f32], [3f32, 4f32]]"}, {"[1i64, 2i64, 0i64] [[1f32, 2f32], [3f32, 4f32]]"}) == (Found{{16, 16}, 1, 1}));
}

/// A thread for each pair takes a fold that is the point's own, alone, and whose loop needs what can be computed again.
BOOST_AUTO_TEST_CASE(what_has_no_pairs) {
  const auto of = [](const std::string& point) {
    return rows + "entry main (n: i64) (k: i64) (m: i64) : [n]f32 =\n  let columns = columns n m let yss = matrix k m let zss = matrix (k + 1) m\n  in map (\\i -> " + point + ") (iota n)\n";
  };
  const auto fold = [](const std::string& count, const std::string& matrix) {
    return "f32.maximum (map (\\ys -> loop s = 0 for j < " + count + " do s + ys[columns[j]]) " + matrix + ")";
  };
  BOOST_TEST(checked(of(fold("i", "yss")), sizes) == (Found{{16, 16}, 1, 1}));
  BOOST_TEST(checked(of(fold("i", "yss") + " + f32.sum (map (\\c -> f32.i64 (c * i)) (iota k))"), sizes) == (Found{{16, 16}, 1, 1}));
  BOOST_TEST(checked(of("if i % 3 == 0 then " + fold("i", "yss") + " else 0"), sizes) == (Found{{16, 16}}));
  BOOST_TEST(checked(of(fold("i", "yss") + " - " + fold("i", "zss")), sizes) == (Found{{16, 16, 16, 16}}));
  BOOST_TEST(checked(of("let count = (loop c = i while c > 3 do c / 2) in " + fold("count", "yss")), sizes) == (Found{{16, 16}}));
}

/// Of points of two dimensions, which fold the sums twice.
BOOST_AUTO_TEST_CASE(points_of_two_dimensions) {
  const std::string text = rows +
                           "entry main (n: i64) (k: i64) (m: i64) : [n][3](f32, f32) =\n  let columns = columns n m let yss = matrix k m\n"
                           "  in tabulate_2d n 3 (\\i l -> let ss = map (\\ys -> loop s = 0 for j < i do s + ys[columns[j]] / f32.i64 (l + 1)) yss\n"
                           "                               in (reduce f32.max (-1) ss, reduce (+) 0 (map (\\s -> s * s) ss)))\n";
  BOOST_TEST(checked(text, sizes) == (Found{{16, 16}, 1, 1}));
}

BOOST_AUTO_TEST_CASE(branches_of_the_host) {
  std::string text = program("f32.maximum");
  text.replace(text.find("in map (\\i -> let from"), 0, "in if n < 5 then replicate n 0 else let one = 1 ");
  BOOST_TEST(checked(text, sizes) == (Found{{16, 16}, 1, 1}));
}

/// Rows are not scalars.
BOOST_AUTO_TEST_CASE(folds_of_rows) {
  const std::string text = rows +
                           "entry main (n: i64) (k: i64) (m: i64) : [n][2]f32 =\n  let columns = columns n m let yss = matrix k m\n"
                           "  in map (\\i -> reduce (\\(xs: [2]f32) ys -> [xs[0] + ys[i % 2], xs[1] * ys[0]]) [0, 1]\n"
                           "                  (map (\\ys -> let s = loop s = 0 for j < i do s + ys[columns[j]] in [s, s + 1]) yss)) (iota n)\n";
  BOOST_TEST(checked(text, sizes) == nothing);
}

/// Nests that change arrays stay as they are.
BOOST_AUTO_TEST_CASE(arrays_that_are_changed) {
  const std::string text = rows +
                           "entry main (n: i64) (k: i64) (m: i64) : [k]f32 =\n  let columns = columns n m let yss = matrix k m\n"
                           "  in reduce_by_index (replicate k 0) (+) 0 (map (\\i -> i % i64.max k 1) (iota n))\n"
                           "       (map (\\i -> f32.maximum (map (\\ys -> loop s = 0 for j < i do s + ys[columns[j]]) yss)) (iota n))\n";
  BOOST_TEST(checked(text, {"9i64 5i64 4i64"}) == nothing);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace together_tests
