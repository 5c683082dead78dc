// Products in steps of loops that are computed for several steps at once: transform/parallel/steps.
#include "tests/unit/transform/before_pass.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/ir/nest.hpp"

namespace steps_tests {

using namespace boustro;
using namespace boustro::ir::testing;

namespace {

const std::string functions =
    "def dot [n] (xs: [n]i64) (ys: [n]i64) : i64 = i64.sum (map2 (*) xs ys)\n"
    "def matmul [n] [m] [k] (xss: [n][k]i64) (yss: [k][m]i64) : [n][m]i64 = map (\\xs -> map (dot xs) (transpose yss)) xss\n"
    "def add [n] [m] (xss: [n][m]i64) (yss: [n][m]i64) : [n][m]i64 = map2 (map2 (+)) xss yss\n";
const std::string head = "entry main [s] [n] [d] (r: [n][n]i64) (u: [d][n]i64) (x0: [n][n]i64) (w0: [n][d]i64) (ins: [s][n][d]i64) (k: i64) : ";

/// Products for all steps of a strip, those that have three dimensions; and how many of these are first.
struct Found {
  int first, last;
  bool operator==(const Found&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Found& found) { return out << found.first << " first and " << found.last << " last"; }

void find(const ir::Body& body, Found& found) {
  bool behind = false;  // of the loop over the steps
  for (const ir::Stm& stm : body.stms) {
    if (std::holds_alternative<ir::Nest>(stm.exp)) {
      const bool of_all = std::get<ir::Nest>(stm.exp).space.size() == 3;
      (behind ? found.last : found.first) += of_all ? 1 : 0;
      continue;
    }
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { find(inner, found); });
    behind = behind || std::holds_alternative<ir::Loop>(stm.exp);
  }
}

Found together(const ir::Program& before) {
  const auto run = [](std::int64_t s, std::int64_t n) {
    const std::int64_t d = n + 1;
    return Arguments{some_i64s({n, n}, 3, 1), some_i64s({d, n}, 4, 2), some_i64s({n, n}, 5, 3), some_i64s({n, d}, 7, 4), some_i64s({s, n, d}, 4, 5), i64_value(1)};
  };
  const ir::Program result = after(parallel::compute_steps_together, before, {run(1, 2), run(7, 2), run(8, 2), run(9, 3), run(17, 2), run(0, 2), run(3, 0)});
  Found found{0, 0};
  for (const ir::Function& function : result.functions) find(function.body, found);
  if (found == Found{0, 0}) BOOST_TEST((result == before));
  return found;
}
Found together(const std::string& type, const std::string& body) { return together(before_pass("steps", functions + head + type + " =\n  " + body + "\n")); }

const std::string one = "[n][n]i64", two = "([n][n]i64, [n][d]i64)";
const Found none{0, 0};

}  // namespace

BOOST_AUTO_TEST_SUITE(steps)

BOOST_AUTO_TEST_CASE(products_of_inputs_are_first) {
  BOOST_TEST(together(one, "loop x = x0 for i < s do add (map (map (% 7)) (matmul x r)) (matmul ins[i] u)") == (Found{1, 0}));
  BOOST_TEST(together(one, "loop x = x0 for i < s do map2 (map2 (\\a b -> (a + b) % 7)) (matmul x r) (matmul (#[unsafe] ins[s - 1 - i]) u)") == (Found{1, 0}));
}

BOOST_AUTO_TEST_CASE(products_that_are_added_up_are_last) {
  BOOST_TEST(together(two, "loop (x, w) = (x0, w0) for i < s do let x = map (map (% 7)) (matmul x r) in (x, add w (matmul (transpose x) ins[i]))") == (Found{0, 1}));
  BOOST_TEST(together(two, "loop (x, w) = (x0, w0) for i < s do let x = map (map (% 7)) (matmul x r) in (x, add (matmul (transpose x) ins[i]) w)") == (Found{0, 1}));
  // Of the state before the step.
  BOOST_TEST(together(two, "loop (x, w) = (x0, w0) for i < s do (map (map (% 7)) (matmul x r), add w (matmul x ins[i]))") == (Found{0, 1}));
}

namespace {

/// What the host does in the steps of the result: nests, and reads of arrays of all steps.
std::pair<int, int> of_steps(const ir::Body& body, int loops = 0) {
  std::pair<int, int> found{0, 0};
  for (const ir::Stm& stm : body.stms) {
    const auto* index = std::get_if<ir::Index>(&stm.exp);
    if (loops == 2) found.first += std::holds_alternative<ir::Nest>(stm.exp), found.second += index && index->array.base.ends_with("_steps");
    if (std::holds_alternative<ir::Nest>(stm.exp)) continue;
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) {
      const auto [nests, reads] = of_steps(inner, loops + std::holds_alternative<ir::Loop>(stm.exp));
      found.first += nests, found.second += reads;
    });
  }
  return found;
}
std::pair<int, int> of_steps(const std::string& body) {
  const ir::Program result = parallel::compute_steps_together(before_pass("steps", functions + head + two + " =\n  " + body + "\n"));
  return of_steps(result.functions[0].body);
}

}  // namespace

BOOST_AUTO_TEST_CASE(steps_compute_nothing_twice) {
  BOOST_TEST((of_steps("loop (x, w) = (x0, w0) for i < s do let x = map (map (% 7)) (matmul x r) in (x, add w (matmul (transpose x) ins[i]))") == std::pair(1, 0)));
  // What the last product needs, and the step alone besides, lies among the values of all steps at once.
  BOOST_TEST((of_steps("loop (x, w) = (x0, w0) for i < s do let y = map (map (% 7)) (matmul x r) in (map (map (% 5)) (matmul y r), add w (matmul (transpose y) ins[i]))") == std::pair(2, 1)));
}

BOOST_AUTO_TEST_CASE(first_and_last_meet) {
  BOOST_TEST(together(two, "loop (x, w) = (x0, w0) for i < s do let x = map2 (map2 (\\a b -> (a + b) % 7)) (matmul x r) (matmul ins[i] u) in (x, add w (matmul (transpose x) ins[i]))") == (Found{1, 1}));
}

BOOST_AUTO_TEST_CASE(sums_of_inputs_leave_what_needs_the_state) {
  BOOST_TEST(together(one, "loop x = x0 for i < s do map2 (map2 (\\a b -> (a + b) % 7)) x (matmul ins[i] u)") == (Found{1, 0}));
}

BOOST_AUTO_TEST_CASE(loops_and_branches_of_the_host_are_looked_into) {
  const std::string loop = "loop x = x for i < s do map2 (map2 (\\a b -> (a + b) % 7)) (matmul x r) (matmul ins[i] u)";
  BOOST_TEST(together(one, "loop x = x0 for j < 2i32 do " + loop) == (Found{1, 0}));
  BOOST_TEST(together(one, "let x = x0 in if k > 0 then (" + loop + ") else r") == (Found{1, 0}));
  BOOST_TEST(together(one, "let x = x0 let (x, _) = loop (x, j) = (x, 0i64) while j < 2 do (let x = " + loop + " in (x, j + 1)) in x") == (Found{1, 0}));
}

BOOST_AUTO_TEST_CASE(other_loops_stay) {
  BOOST_TEST(together(one, "loop x = x0 for i < i32.i64 s do map2 (map2 (\\a b -> (a + b) % 7)) (matmul x r) (matmul ins[i64.i32 i] u)") == none);
  BOOST_TEST(together(one, "let (x, _) = loop (x, i) = (x0, 0i64) while i < s do (map2 (map2 (\\a b -> (a + b) % 7)) (matmul x r) (matmul (#[unsafe] ins[i]) u), i + 1) in x") == none);
}

BOOST_AUTO_TEST_CASE(what_needs_the_state_waits) {
  BOOST_TEST(together(one, "loop x = x0 for i < s do map (map (% 7)) (matmul x r)") == none);
  BOOST_TEST(together(one, "loop x = x0 for i < s do let y = map (map (% 7)) (matmul x r) in map (map (% 5)) (matmul y r)") == none);
  // By a scalar of the state.
  BOOST_TEST(together("([n][n]i64, i64)", "loop (x, c) = (x0, 1i64) for i < s do (map2 (map2 (\\a b -> (a + b) % 7)) x (map (\\xs -> map (\\ys -> i64.sum (map2 (\\a b -> (a + c) * b) xs ys)) (transpose u)) ins[i]), (c * 3) % 5)") == none);
}

BOOST_AUTO_TEST_CASE(what_is_not_a_product_is_computed_by_its_step) {
  BOOST_TEST(together(one, "loop x = x0 for i < s do let t = map (\\as -> i64.sum as) ins[i] in map2 (\\xs t -> map (\\x -> (x + t) % 7) xs) (matmul x r) t") == none);
  // Rows that fold their products.
  BOOST_TEST(together(one, "loop x = x0 for i < s do let t = map (\\xs -> i64.maximum (map (dot xs) (transpose u))) ins[i] in map2 (\\xs t -> map (\\x -> (x + t) % 7) xs) (matmul x r) t") == none);
  // What may be out of bounds is read by its step.
  BOOST_TEST(together(one, "loop x = x0 for i < s do map2 (map2 (\\a b -> (a + b) % 7)) (matmul x r) (matmul ins[s - 1 - i] u)") == none);
}

/// Of all steps they would have a dimension more than tiles have.
BOOST_AUTO_TEST_CASE(numbered_matrices_are_multiplied_by_their_step) {
  const ir::Program program = before_pass("steps", functions + "entry main [s] [b] [n] [d] (r: [b][n][n]i64) (u: [d][n]i64) (x0: [b][n][n]i64) (ins: [s][b][n][d]i64) : [b][n][n]i64 =\n"
                                                               "  loop x = x0 for i < s do map3 (\\x r y -> map2 (map2 (\\a b -> (a + b) % 7)) (matmul x r) (matmul y u)) x r ins[i]\n");
  BOOST_TEST((parallel::compute_steps_together(program) == program));
}

BOOST_AUTO_TEST_CASE(what_the_next_step_takes_over_waits) {
  // The product is the next state, or a view of that.
  BOOST_TEST(together("([n][n]i64, i64)", "loop (x, c) = (x0, 1i64) for i < s do (matmul ins[i] u, (c * 3 + i64.sum (map i64.sum x)) % 5)") == none);
  BOOST_TEST(together("([n][n]i64, i64)", "loop (x, c) = (x0, 1i64) for i < s do (transpose (matmul ins[i] u), (c * 3 + i64.sum (map i64.sum x)) % 5)") == none);
  // Or is updated.
  BOOST_TEST(together(one, "loop x = x0 for i < s do let y = copy (matmul ins[i] u) let y = scatter y [0i64] [replicate n i] in add y (map (map (% 7)) (matmul x y))") == none);
}

BOOST_AUTO_TEST_CASE(views_of_what_is_kept_are_handed_on) {
  // The last product reads y; the next state is a view of it.
  BOOST_TEST(together(two, "loop (x, w) = (x0, w0) for i < s do let y = map (map (% 7)) (matmul r x) in (transpose y, add w (matmul (transpose y) ins[i]))") == (Found{0, 1}));
  BOOST_TEST(together(two, "loop (x, w) = (x0, w0) for i < s do let y = map (map (% 7)) (matmul r x) in (y, add w (matmul (transpose y) ins[i]))") == (Found{0, 1}));
  // What is updated after the product has read it.
  BOOST_TEST(together(two, "loop (x, w) = (x0, w0) for i < s do let y = copy (map (map (% 7)) (matmul r x)) let w = copy (add w (matmul (transpose y) ins[i])) let y = scatter y [0i64] [replicate n i] in (map (map (% 7)) (matmul y r), w)") == (Found{0, 1}));
  // What is first, too.
  BOOST_TEST(together(two, "loop (x, w) = (x0, w0) for i < s do let y = matmul ins[i] u in (map2 (map2 (\\a b -> (a + b) % 7)) (matmul x r) y, add w (matmul (transpose y) ins[i]))") == (Found{1, 1}));
}

BOOST_AUTO_TEST_CASE(sums_that_are_read_on_the_way_stay) {
  BOOST_TEST(together(two, "loop (x, w) = (x0, w0) for i < s do (map (map (% 7)) (matmul w u), add w (matmul x ins[i]))") == none);
  BOOST_TEST(together(two, "loop (x, w) = (x0, w0) for i < s do let w = add w (matmul x ins[i]) in (map (map (% 7)) (matmul w u), w)") == none);
  BOOST_TEST(together("([n][n]i64, [n][d]i64, [n][d]i64)", "loop (x, w, v) = (x0, w0, w0) for i < s do (map (map (% 7)) (matmul x r), add w (matmul x ins[i]), w)") == none);
  BOOST_TEST(together("([n][n]i64, [n][d]i64, [n][d]i64)", "loop (x, w, v) = (x0, w0, w0) for i < s do let w = add w (matmul x ins[i]) in (map (map (% 7)) (matmul x r), w, w)") == none);
}

BOOST_AUTO_TEST_CASE(anything_but_a_sum_stays) {
  for (const char* next : {"map2 (map2 (-)) w p", "map2 (map2 (*)) w p", "map2 (map2 (i64.max)) w p", "map2 (map2 (+)) p p", "map2 (map2 (\\w p -> (w + p) % 7)) w p",
                           "map2 (map2 (+)) w[::-1] p", "map2 (map2 (\\w p -> w + (p + w))) w p", "map2 (\\ws ps -> map (\\p -> #[unsafe] ws[0] + p) ps) w p", "map2 (map2 (+)) p ins[i]",
                           "tabulate_2d n d (\\a b -> #[unsafe] w[n - 1 - a, b] + p[a, b])", "map2 (\\w p -> map2 (\\w p -> w + (p - w * 2)) w p) w p"})
    BOOST_TEST(together(two, "loop (x, w) = (x0, w0) for i < s do let p = matmul x ins[i] in (map (map (% 7)) (matmul x r), " + std::string(next) + ")") == none, next);
}

BOOST_AUTO_TEST_CASE(sums_beside_which_something_else_is_stored_stay) {
  BOOST_TEST(together("([n][n]i64, [n][d]i64, [n][d]i64)", "loop (x, w, v) = (x0, w0, w0) for i < s do let p = matmul x ins[i] in (map (map (% 7)) (matmul x r), add w p, map (map (* 3)) p)") == none);
}

BOOST_AUTO_TEST_CASE(what_is_added_up_without_a_state_is_not_last) {
  BOOST_TEST(together(one, "loop w = x0 for i < s do add w (matmul ins[i] u)") == (Found{1, 0}));
  BOOST_TEST(together(one, "loop w = x0 for i < s do let y = map (scan (+) 0) ins[i] in add w (matmul y u)") == none);
}

BOOST_AUTO_TEST_CASE(products_have_sizes_that_are_known_before) {
  // As many rows as the step's number says.
  for (const char* rows : {"i", "i / 2"})
    BOOST_TEST(together("([n][n]i64, i64)", "let q = map (\\m -> map i64.sum (transpose m)) ins in loop (x, c) = (x0, 0) for i < s do let m = " + std::string(rows) +
                                                " let t = flatten (tabulate_2d m n (\\a b -> dot (#[unsafe] q[a]) (transpose u)[b])) "
                                                "in (map (map (% 7)) (matmul x r), (c + i64.sum (map2 (*) t (reverse t))) % 5)") == none, rows);
}

BOOST_AUTO_TEST_CASE(numbers_that_a_step_computes_stay_there) {
  BOOST_TEST(together(two, "loop (x, w) = (x0, w0) for i < s do let c = i64.sum (map i64.sum x) % 5 in (map (map (% 7)) (matmul x r), "
                           "add w (map (\\xs -> map (\\ys -> i64.sum (map2 (\\a b -> (a + c) * b) xs ys)) (transpose ins[i])) x))") == none);
}

BOOST_AUTO_TEST_CASE(states_have_sizes_that_are_known_before) {
  BOOST_TEST(together("([n][n]i64, i64)", "let (x, ys) = loop (x, ys: []i64) = (x0, [1i64]) for i < s do (map2 (map2 (\\a b -> (a + b) % 7)) (matmul x r) (matmul ins[i] u), ys ++ [i]) in (x, i64.sum ys)") == none);
}

BOOST_AUTO_TEST_CASE(what_is_kept_has_sizes_that_are_known_before) {
  // As many summands as the step's number says.
  BOOST_TEST(together(two, "loop (x, w) = (x0, w0) for i < s do let m = i + 1 let p = tabulate_2d n m (\\a b -> (x[a, 0] + b) % 5) let q = tabulate_2d m d (\\a b -> (a * 2 + b) % 3) "
                           "in (map (map (% 7)) (matmul x r), add w (map (\\ps -> map (\\qs -> i64.sum (map2 (*) ps qs)) (transpose q)) p))") == none);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace steps_tests
