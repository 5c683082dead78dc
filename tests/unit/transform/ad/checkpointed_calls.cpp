// Functions and expressions with #[checkpoint]: the derivative bit by bit as without, and nothing of them kept.
#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"
#include "transform/ad/kept.hpp"

namespace boustro::ad::testing {

namespace {

/// What `@` stands before runs again.
const Case run_again[] = {
    {"a scalar", "let y = @ (f64.sin (xs[0] * 2) * 3) in map (* y) xs"},
    {"an array", "map (* 2) (@ (map f64.sin (scan (+) 0 (map (\\x -> x * x) xs))))"},
    {"several values", "let (ys, s) = @ (let ys = map f64.exp xs in (ys, f64.sum (map2 (*) ys xs))) in map (* s) ys"},
    {"one in the other", "map f64.sin (@ (map (\\x -> x * x) (@ (scan (*) 1 (map f64.cos xs)))))"},
    {"what is not differentiated", "let is = @ (map (\\i -> (i * 7) % n) (iota n)) in map (\\i -> xs[i] * xs[i]) is"},
    {"updates in place", "let ys = map f64.sin xs in @ (ys with [0] = ys[0] * ys[1])"},
    {"updates of what it is given", "let ys = map f64.sin xs in (@ (let zs = copy ys in zs with [0] = zs[0] * zs[1])) |> map2 (*) ys"},
    {"a size that it finds out", "map (* f64.sum (@ (map f64.sin (filter (> 0) (map (* 3) xs))))) xs"},
    {"a size that is computed outside, too", "let ys = @ (map f64.sin (concat xs (replicate (n + 2) 1))) in map (* f64.sum (replicate (n + 2) 2)) (take n ys)"},
    {"in a map", "map (\\x -> @ (f64.sum (map (\\y -> f64.sin (x * y)) xs))) xs"},
    {"in a loop", "loop ys = xs for i < 5 do @ (map (\\y -> f64.sin (y * f64.i64 i) + y) (scan (+) 0 ys))"},
    {"in a loop with checkpoints", "#[checkpoint(2)] loop ys = xs for i < 5 do @ (map (\\y -> f64.sin (y * f64.i64 i) + y) (scan (+) 0 ys))"},
    {"in a branch", "if n % 2 == 0 then xs else @ (map f64.sin (map (\\x -> x * x) xs))"},
    {"a function", "map f64.cos (g (g xs))"},
};

/// `before` stands at what runs again: an expression, and the function g.
std::string text_of(const Case& c, const std::string& before) {
  return with("@\ndef g [n] (xs: [n]f64): [n]f64 = map f64.sin (scan (+) 0 (map (\\x -> x * x) xs))\nentry f [n] (xs: [n]f64): [n]f64 =\n" + std::string(c.body), before);
}

Program gradient_of(const std::string& text) { return differentiated(DerivativeOf(compiled(text), "f").with_vjp("gradient", false)); }

std::size_t kept_by(const Program& program) {
  std::size_t count = 0;
  for (const Function& function : program.functions) count += kept_arrays(function).size();
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(checkpointed_calls)

BOOST_AUTO_TEST_CASE(change_no_derivative) {
  for (const Case& c : run_again) {
    const Program plain = gradient_of(text_of(c, "")), program = gradient_of(text_of(c, "#[checkpoint]"));
    for (const std::size_t n : {std::size_t{2}, std::size_t{3}, std::size_t{17}})
      BOOST_TEST_CONTEXT(c.name << ", " << n << " elements") {
        const std::vector<Value> args{some_f64s(n), some_f64s(n, 1)};
        BOOST_TEST((run_entry(program, "gradient", args) == run_entry(plain, "gradient", args)));
      }
  }
}

BOOST_AUTO_TEST_CASE(agree_with_differences) {
  for (const Case& c : run_again) BOOST_TEST_CONTEXT(c.name) check_derivative(compiled(text_of(c, "#[checkpoint]")), "f", {some_f64s(3)});
}

BOOST_AUTO_TEST_CASE(second_derivatives) {
  for (const Case& c : run_again)
    BOOST_TEST_CONTEXT(c.name) check_derivative(gradient_of(text_of(c, "#[checkpoint]")), "gradient", {some_f64s(3), some_f64s(3, 1)}, {.seeds = false});
}

/// Of three layers the return sweep reads what each computes inside; of layers that run again only what each is given.
BOOST_AUTO_TEST_CASE(keep_nothing_of_what_runs_again) {
  const char* const text =
      "@ def g [n] (xs: [n]f64): [n]f64 = let ys = map f64.sin xs let zs = scan (+) 0 ys in map2 (*) ys zs\n"
      "entry f [n] (xs: [n]f64): [n]f64 = g (g (g xs))";
  const auto kept_of = [&](const std::string& attribute, const char* name) -> std::size_t {
    const Program program = gradient_of(with(text, attribute));
    for (const Function& function : program.functions)
      if (function.entry && function.entry->name == name) return kept_arrays(function).size();
    return 0;
  };
  BOOST_TEST(kept_of("#[checkpoint]", "gradient") == 2U);
  BOOST_TEST(kept_of("", "gradient") >= 6U);
  BOOST_TEST(kept_by(gradient_of(with(text, "#[checkpoint]"))) == 4U, "and what one layer keeps while it is reversed");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::ad::testing
