// What maps and loops keep for the return sweep rather than compute again, by themselves and where attributes ask for it.
#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"

namespace boustro::ad::testing {

namespace {

/// The rules that fire in the derivative of a function, which is right in any case.
Fired rules_of(const std::string& text, const std::vector<Value>& args) {
  const Program program = compiled(text);
  check_derivative(program, "f", args);
  Fired fired;
  differentiated(DerivativeOf(program, "f").with_vjp("derivative", false), fired);
  return fired;
}

/// How often the derivative of `f [n][m] (xss: [n][m]f64)` keeps something.
int kept_by(const std::string& body) {
  return rules_of("entry f [n][m] (xss: [n][m]f64): [n]f64 = " + body, {some_f64s(6, 0, {2, 3})})["keep"];
}

int states_kept_by(const std::string& body) {
  return rules_of("entry f [n] (xs: [n]f64): f64 = " + body, {some_f64s(4)})["keep_states"];
}

/// Operations of the derivative.
std::uint64_t operations_of(const std::string& text, const std::vector<Value>& args) {
  Counts counts;
  run_entry(differentiated(compiled(text)), "f", args, {.counts = &counts});
  return counts.operations;
}

}  // namespace

BOOST_AUTO_TEST_CASE(reductions_are_kept) {
  BOOST_TEST(kept_by("map (\\xs -> let s = f64.sum (map f64.exp xs) in s * s) xss") == 1);
  BOOST_TEST(kept_by("map (\\xs -> let s = #[recompute] f64.sum (map f64.exp xs) in s * s) xss") == 0);
}

BOOST_AUTO_TEST_CASE(loops_keep_what_their_return_sweep_reads) {
  BOOST_TEST(states_kept_by("loop y = 0 for x in xs do y + x * x") == 0);
  BOOST_TEST(states_kept_by("loop y = 0 for x in xs do f64.sin y + x * x") == 1);
  BOOST_TEST(states_kept_by("let (y, z) = loop (y, z) = (1, 0) for x in xs do (y * x, z + x) in y * z") == 1);
}

BOOST_AUTO_TEST_CASE(scalars_are_computed_again) {
  BOOST_TEST(kept_by("map (\\xs -> let s = f64.exp (xs[0] * xs[1]) in s * s) xss") == 0);
  BOOST_TEST(kept_by("map (\\xs -> let s = #[keep] f64.exp (xs[0] * xs[1]) in s * s) xss") == 1);
}

/// A bounded loop yields more than what is kept of it: whether the bound was enough, about which there is an assertion.
BOOST_AUTO_TEST_CASE(bounded_loops_are_kept) {
  const std::string bounded = "#[keep] #[bound(6)] loop y = x while y < 3 do y * y + 0.5";
  BOOST_TEST(rules_of("entry f [n] (xs: [n]f64) = map (\\x -> let s = " + bounded + " in s * s * x) xs", {some_f64s(3)})["keep"] == 1);
  BOOST_TEST(rules_of("entry f (a: f64) = loop z = a for _i < 2 do let x = f64.sin z let s = " + bounded + " in f64.sin (s * s * z)",
                      {f64_value(0.9)})["keep"] == 1);
}

BOOST_AUTO_TEST_CASE(what_is_kept_is_not_computed_again) {
  const auto of_map = [](const std::string& attribute) {
    return operations_of("entry f [n] (xs: [n]f64) = vjp (map (\\x -> let s = " + attribute + " f64.exp (f64.exp x) in s * s)) xs xs", {some_f64s(6)});
  };
  BOOST_TEST(of_map("") - of_map("#[keep]") == 6U);  // the outer exp: the inner one is its derivative's factor
  const auto of_loop = [](const std::string& attribute) {
    return operations_of("entry f (x: f64) = vjp (\\x -> loop y = x for _i < 6 do let s = " + attribute + " f64.exp (f64.sin y) in s * s) x 1",
                         {f64_value(0.3)});
  };
  BOOST_TEST(of_loop("") - of_loop("#[keep]") == 2U * 6);
}

/// A layer after the other, in a loop over time: what the inner loop yields in all is as large as the states that it saves anyway.
BOOST_AUTO_TEST_CASE(inner_loops_run_once) {
  const auto layers = [](const std::string& attribute) {
    return "let (state, total) = loop (state, total) = (copy state, 0) for i < 3 do\n"
           "  let (state, x) = " + attribute + " loop (state, x) = (state, f64.i64 i / 3) for j < l do\n"
           "    let s = f64.sin (state[j] * x) in (state with [j] = s, f64.cos s)\n"
           "  in (state, total + x * x) in total * f64.product state";
  };
  const auto kept = [&](const std::string& attribute) {
    return rules_of("entry f [l] (state: [l]f64): f64 = " + layers(attribute), {some_f64s(4)})["keep"];
  };
  const auto operations = [&](const std::string& attribute) {
    return operations_of("entry f [l] (state: [l]f64) = vjp (\\(state: [l]f64) -> " + layers(attribute) + ") state 1", {some_f64s(4)});
  };
  BOOST_TEST(kept("") > 0);
  BOOST_TEST(kept("#[recompute]") == 0);
  BOOST_TEST(operations("") < operations("#[recompute]"));
}

BOOST_AUTO_TEST_CASE(inner_loops_run_again_where_they_have_many_states) {
  const auto kept = [](const std::string& step) {
    return rules_of("entry f [n] (xs: [n]f64): f64 = f64.sum (loop ys = xs for _i < 3 do " + step + ")", {some_f64s(4)})["keep"];
  };
  BOOST_TEST(kept("loop ys = ys for _j < n do map f64.sin ys") == 0);
  BOOST_TEST(kept("let z = loop z = 0 for j < n do z + ys[j] in map (\\y -> f64.sin (y * z)) ys") > 0);
}

/// What a loop in a map's point keeps, the map does not.
BOOST_AUTO_TEST_CASE(maps_keep_nothing_of_the_loops_in_them) {
  const Program program = compiled("entry f [n] (xs: [n]f64) = vjp (map (\\x -> loop y = x for _i < 3 do\n"
                                   "  let z = loop z = 1 for _j < 5 do z * x + 1 in f64.sin (y * z))) xs xs");
  for (const Function& function : differentiated(program).functions)
    for (const Stm& stm : function.body.stms)
      for (const Param& param : stm.pattern) BOOST_TEST(param.type.rank() <= 1);
}

/// What the return sweep needs of a value that is computed again is kept.
BOOST_AUTO_TEST_CASE(what_is_computed_again_uses_what_is_kept) {
  BOOST_TEST(kept_by("map (\\xs -> let s = f64.sum (map f64.exp xs) in f64.sin (2 * s + 1)) xss") == 1);
}

BOOST_AUTO_TEST_CASE(values_of_changing_size_are_computed_again) {
  check_derivative(
      compiled("entry f [n] (xs: [n]f64) = map (\\i -> let ys = map (\\j -> f64.sum (map (\\x -> f64.sin (x * f64.i64 j)) xs)) (iota i)\n"
               "in f64.sum (map (\\y -> y * y) ys)) (iota n)"),
      "f", {some_f64s(4)});
}

/// What is kept is consumed behind that, also under another name.
BOOST_AUTO_TEST_CASE(values_that_are_consumed_are_kept) {
  BOOST_TEST(kept_by("map (\\xs -> let ys = map (\\x -> f64.sum (map (\\y -> f64.sin (x * y)) xs)) xs\n"
                     "let zs = loop zs = ys for i < m do zs with [i] = zs[i] * zs[0] in f64.product zs) xss") > 0);
  BOOST_TEST(kept_by("map (\\xs -> let ys = #[keep] map f64.sin xs let s = f64.sum (map (\\y -> y * y) ys)\n"
                     "let ys[0] = s * ys[1] in f64.sum (map (\\y -> y * y) ys)) xss") > 0);
  BOOST_TEST(kept_by("map (\\xs -> let ys = #[keep] map f64.sin xs let vs = reverse ys let s = f64.sum (map (\\v -> v * v) vs)\n"
                     "let zs = if s < 9 then ys else copy xs let zs[0] = s * zs[1] in f64.sum (map (\\z -> z * z) zs)) xss") > 0);
}

}  // namespace boustro::ad::testing
