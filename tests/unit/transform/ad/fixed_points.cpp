// Loops with #[fixed_point]: the derivative of the plain loop, from the last state alone.
#include "frontend/source/diagnostics.hpp"
#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"
#include "transform/ad/plain_loops.hpp"

namespace boustro::ad::testing {

namespace {

/// Of functions of xs: [n]f64, positive, that yield [n]f64.
const Case converging[] = {
    {"scalar, with the state before", "map (\\x -> (@ loop (y, old) = (1, 9) while f64.abs (y - old) > 1e-13 do (f64.cos y * x * 0.5 + x, y)).0) xs"},
    {"Newton's square root", "map (\\x -> (@ loop (y, old) = (x, x + 1) while f64.abs (y - old) > 1e-13 do ((y + x / y) / 2, y)).0) xs"},
    {"equilibrium of a layer, with its error and a limit of steps",
     "(@ loop (z, err, i) = (map (const 0) xs, f64.inf, 0i32) while err > 1e-13 && i < 500 do\n"
     "   let next = map2 (\\x i -> f64.tanh (0.3 * f64.sum (map2 (\\z x -> z * x) z xs) / f64.i64 n + 0.2 * z[(i + 1) % n] + x)) xs (iota n)\n"
     "   in (next, f64.maximum (map2 (\\p q -> f64.abs (p - q)) next z), i + 1)).0"},
    {"two parts that depend on each other",
     "let (u, v, _, _) = @ loop (u, v, old_u, old_v) = (map (const 1) xs, map (const 1) xs, map (const 9) xs, map (const 9) xs)\n"
     "                   while f64.sum (map2 (\\a b -> (a - b) * (a - b)) u old_u) > 1e-26 || f64.sum (map2 (\\a b -> f64.abs (a - b)) v old_v) > 1e-13 do\n"
     "  let u' = map2 (\\x s -> x / (1 + s)) xs v in (u', map (\\s -> 0.3 * s * s) u', u, v)\n"
     "in map2 (+) u v"},
    {"a part that has no adjoint, and changes that are joined by &&",
     "map (\\x -> (@ loop (a, b, old_a, old_b) = (1, 1, 9, 9) while f64.abs (a - old_a) > 1e-13 && f64.abs (b - old_b) > 1e-13 do\n"
     "               (f64.cos a * 0.5 + x, f64.cos b * 0.5 + 0.9 * x, a, b)).1) xs"},
    {"relative change", "(@ loop (z, old) = (xs, map (+ 1) xs) while or (map2 (\\a b -> f64.abs (a - b) > 1e-13 * f64.abs a) z old) do (map2 (\\y x -> 0.25 * f64.sin y + x) z xs, z)).0"},
    {"implicit steps in time",
     "loop us = xs for _i < 3 do (@ loop (z, old) = (us, map (+ 1) us) while f64.maximum (map2 (\\a b -> f64.abs (a - b)) z old) > 1e-13 do (map2 (\\u y -> u - 0.1 * y * y * y) us z, z)).0"},
    {"implicit steps of each point", "loop us = xs for _i < 3 do map (\\u -> (@ loop (z, old) = (u, u + 1) while f64.abs (z - old) > 1e-13 do (u - 0.1 * z * z, z)).0) us"},
    {"updated in place",
     "(@ loop (z: *[n]f64, old: [n]f64) = (copy xs, map (+ 1) xs) while f64.maximum (map2 (\\a b -> f64.abs (a - b)) z old) > 1e-13 do\n"
     "   let before = copy z\n"
     "   in (loop z for i < n do z with [i] = 0.3 * f64.cos z[(i + 1) % n] + xs[i], before)).0"},
    {"a derivative in the step",
     "map (\\x -> (@ loop (y, old) = (x, x + 1) while f64.abs (y - old) > 1e-13 do (y - 0.2 * vjp (\\y -> 0.25 * y * y * y * y + y * y - x * y) y 1, y)).0) xs"},
};

std::string of_guesses(const Case& c, const std::string& attribute) { return "entry f [n] (xs: [n]f64): [n]f64 =\n" + with(c.body, attribute); }

Program first_derivative(const std::string& text) { return differentiated(DerivativeOf(compiled(text), "f").with_vjp("first", false)); }

void close(const std::vector<Value>& a, const std::vector<Value>& b, double tolerance) {
  BOOST_TEST_REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::int64_t j = 0; j < a[i].size(); ++j) BOOST_TEST(std::abs(a[i].element(j).as_float() - b[i].element(j).as_float()) <= tolerance * (1 + std::abs(b[i].element(j).as_float())));
}

Counts counts_of(const std::string& text, const std::vector<Value>& args) {
  Counts counts;
  run_entry(differentiated(compiled(text)), "f", args, {.counts = &counts});
  return counts;
}

/// Why differentiation is refused; "" if it is not.
std::string refusal(const std::string& body) {
  try {
    first_derivative("entry f (x: f64): f64 = " + body);
  } catch (const source::Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fixed_points)

BOOST_AUTO_TEST_CASE(agree_with_differences_and_among_modes) {
  for (const Case& c : converging)
    BOOST_TEST_CONTEXT(c.name) check_derivative(differentiated(compiled(of_guesses(c, "#[fixed_point]"))), "f", {some_f64s(3)}, {.tolerance = 1e-8});
}

BOOST_AUTO_TEST_CASE(agree_with_the_plain_loop) {
  for (const Case& c : converging)
    BOOST_TEST_CONTEXT(c.name) {
      const std::vector<Value> args{some_f64s(4), some_f64s(4, 1)};
      close(run_entry(first_derivative(of_guesses(c, "#[fixed_point]")), "first", args), run_entry(first_derivative(of_guesses(c, "")), "first", args), 1e-10);
    }
}

BOOST_AUTO_TEST_CASE(second_derivatives) {
  for (const Case& c : converging)
    BOOST_TEST_CONTEXT(c.name) {
      const Program program = compiled(of_guesses(c, "#[fixed_point]"));
      check_derivative(first_derivative(of_guesses(c, "#[fixed_point]")), "first", {some_f64s(2), some_f64s(2, 1)}, {.tolerance = 1e-8, .seeds = false});
      check_derivative(differentiated(DerivativeOf(program, "f").with_jvp("first", false)), "first", {some_f64s(2), some_f64s(2, 1)},
                       {.tolerance = 1e-8, .seeds = false});
    }
}

/// A seed of 2^-80 times the size gives 2^-80 times the derivative to the last bit: changes are measured in units of the seed.
BOOST_AUTO_TEST_CASE(small_seeds_are_no_small_changes) {
  const double small = std::ldexp(1.0, -80);
  for (const char* mode : {"vjp", "jvp"}) {
    const Program program = differentiated(compiled("def root (x: f64): f64 = (#[fixed_point] loop (y, old) = (1, 9) while f64.abs (y - old) > 1e-10 do (f64.cos y * x * 0.5 + x, y)).0\n"
                                                    "entry f (x: f64) (seed: f64): f64 = " + std::string(mode) + " root x seed"));
    const double of_one = run_entry(program, "f", {f64_value(0.7), f64_value(1)})[0].element(0).as_float();
    BOOST_TEST(run_entry(program, "f", {f64_value(0.7), f64_value(small)})[0].element(0).as_float() == small * of_one);
    BOOST_TEST(run_entry(program, "f", {f64_value(0.7), f64_value(0)})[0].element(0).as_float() == 0);
  }
}

/// The iteration starts where the derivative does not matter.
BOOST_AUTO_TEST_CASE(of_what_they_start_from_there_is_none) {
  const Program program = differentiated(compiled(
      "def end (start: f64): f64 = (#[fixed_point] loop (y, old) = (start, start + 1) while f64.abs (y - old) > 1e-6 do (0.25 * y + 1, y)).0\n"
      "entry f (start: f64): (f64, f64) = (vjp end start 1, jvp end start 1)"));
  for (const Value& derivative : run_entry(program, "f", {f64_value(3)})) BOOST_TEST(derivative.element(0).as_float() == 0);
}

BOOST_AUTO_TEST_CASE(of_no_seed_there_is_none) {
  const Program program = differentiated(compiled(
      "def end (x: f64): f64 = (#[fixed_point(100)] loop (y, old) = (x, x + 1) while !(f64.abs (y - old) <= 1e-13) do (f64.cos y * x * 0.5 + x, y)).0\n"
      "entry f (x: f64): f64 = vjp end x 0"));
  BOOST_TEST(run_entry(program, "f", {f64_value(0.5)})[0].element(0).as_float() == 0);
}

/// 40 more steps to where it ends cost the derivative what they cost the loop: they run once, though the steps of the loop around them run again.
BOOST_AUTO_TEST_CASE(are_found_once) {
  const auto text = [](const std::string& entry) {
    return "def end [n] (start: f64) (xs: [n]f64): f64 =\n"
           "  f64.sum (loop ys = xs for _i < 3 do\n"
           "    (#[fixed_point] loop (zs, old) = (map (const start) ys, map (const (start + 1)) ys) while f64.maximum (map2 (\\a b -> f64.abs (a - b)) zs old) > 1e-9 do\n"
           "      (map2 (\\z y -> 0.5 * z + 0.1 * f64.cos z + y) zs ys, zs)).0)\n"
           "entry f [n] (start: f64) (xs: [n]f64) = " + entry;
  };
  const auto further = [&](const std::string& entry) {
    const auto operations = [&](double start) { return static_cast<double>(counts_of(text(entry), {f64_value(start), some_f64s(9)}).operations); };
    return operations(1e12) - operations(1);
  };
  const double loop = further("end start xs"), derivative = further("vjp (end start) xs 1");
  BOOST_TEST(loop > 1000);
  BOOST_TEST(derivative < 1.1 * loop);
}

/// From 1 and from 1e12, which is 40 steps further away.
BOOST_AUTO_TEST_CASE(take_memory_that_does_not_depend_on_the_number_of_steps) {
  const auto text = [](const char* attribute) {
    return "def end [n] (start: f64) (xs: [n]f64): f64 = f64.sum ((" + std::string(attribute) +
           " loop (zs, old) = (map (const start) xs, map (const (start + 1)) xs) while f64.maximum (map2 (\\a b -> f64.abs (a - b)) zs old) > 1e-9 do\n"
           "  (map2 (\\z x -> 0.5 * z + 0.1 * f64.cos z + x) zs xs, zs)).0)\n"
           "entry f [n] (start: f64) (xs: [n]f64): [n]f64 = vjp (end start) xs 1";
  };
  const auto peak = [&](const char* attribute, double start) { return counts_of(text(attribute), {f64_value(start), some_f64s(50)}).peak_elements; };
  BOOST_TEST(peak("#[fixed_point]", 1) == peak("#[fixed_point]", 1e12));
  BOOST_TEST(peak("", 1) + 1500 < peak("", 1e12));
}

/// From the converged state, beside as many steps of the plain loop and their adjoint: none of their forward sweeps is run.
BOOST_AUTO_TEST_CASE(work_no_more_than_the_plain_adjoint_from_the_end) {
  const std::string step = "map (\\x -> f64.tanh (f64.sum (map2 (\\z y -> 0.5 * z * x * y) zs xs) / f64.i64 n + x)) xs";
  const std::string start = "loop zs = xs for _i < 200 do " + step;
  const auto whole = [&](const std::string& loop) { return "entry f [n] (xs: [n]f64) (zs0: [n]f64): [n]f64 = vjp (\\xs -> " + loop + ") xs (map (const 1) xs)"; };
  const Program converge = compiled("entry f [n] (xs: [n]f64): [n]f64 = " + start);
  const std::vector<Value> args{some_f64s(8), run_entry(converge, "f", {some_f64s(8)})[0]};
  const std::string fixed = whole("(#[fixed_point] loop (zs, old) = (zs0, map (+ 1) zs0) while f64.maximum (map2 (\\a b -> f64.abs (a - b)) zs old) > 1e-10 do (" + step + ", zs)).0");
  const auto wanted = run_entry(differentiated(compiled(fixed)), "f", args);
  // As many steps as the plain adjoint needs to be as exact.
  int steps = 1;
  for (;; ++steps) {
    const auto plain = run_entry(differentiated(compiled(whole("loop zs = zs0 for _i < " + std::to_string(steps) + " do " + step))), "f", args);
    double error = 0;
    for (std::int64_t j = 0; j < 8; ++j) error = std::max(error, std::abs(plain[0].element(j).as_float() - wanted[0].element(j).as_float()));
    if (error < 1e-9) break;
    BOOST_TEST_REQUIRE(steps < 100);
  }
  const Counts of_plain = counts_of(whole("loop zs = zs0 for _i < " + std::to_string(steps) + " do " + step), args), of_fixed = counts_of(fixed, args);
  BOOST_TEST(static_cast<double>(of_fixed.operations) <= 1.2 * static_cast<double>(of_plain.operations), of_fixed.operations << " and " << of_plain.operations);
}

namespace {

/// Steps in time, each of which solves an equation for where it ends: whatever `@` stands for before that.
const char* const steps_in_time =
    "def end [n] (us: [n]f64): [n]f64 =\n"
    "  loop us = us for _i < 12 do\n"
    "    (@ loop (z, old) = (us, map (+ 1) us) while f64.maximum (map2 (\\a b -> f64.abs (a - b)) z old) > 1e-8 do\n"
    "       (map3 (\\u y r -> 0.5 * y + 0.5 * (u + 0.02 * (r - f64.sin y))) us z (rotate 1 z), z)).0\n"
    "entry f [n] (us: [n]f64): [n]f64 = vjp end us (map (const 1) us)";

}  // namespace

/// The adjoint of a step is near that of the step behind it.
BOOST_AUTO_TEST_CASE(warm_starts_take_fewer_steps_to_the_same_derivative) {
  const std::string warm = with(steps_in_time, "#[fixed_point(warm)]"), cold = with(steps_in_time, "#[fixed_point]");
  const std::vector<Value> args{some_f64s(9)};
  const auto of_plain = run_entry(differentiated(compiled(with(steps_in_time, ""))), "f", args);
  close(run_entry(differentiated(compiled(warm)), "f", args), of_plain, 1e-6);
  close(run_entry(differentiated(compiled(cold)), "f", args), of_plain, 1e-6);
  const auto operations = [&](const std::string& text) { return static_cast<double>(counts_of(text, args).operations); };
  BOOST_TEST_MESSAGE("operations, warm over cold: " << operations(warm) / operations(cold));
  BOOST_TEST(operations(warm) < 0.9 * operations(cold));
}

BOOST_AUTO_TEST_CASE(warm_starts_need_a_loop_around_them) {
  for (const Case& c : converging) {
    const Program warm = first_derivative(of_guesses(c, "#[fixed_point(warm)]")), cold = first_derivative(of_guesses(c, "#[fixed_point]"));
    BOOST_TEST_CONTEXT(c.name)
    close(run_entry(warm, "first", {some_f64s(3), some_f64s(3, 1)}), run_entry(cold, "first", {some_f64s(3), some_f64s(3, 1)}), 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(warm_starts_have_second_derivatives) {
  const std::string text = with(
      "entry f [n] (us: [n]f64): [n]f64 =\n"
      "  loop us = us for _i < 3 do\n"
      "    (@ loop (z, old) = (us, map (+ 1) us) while f64.maximum (map2 (\\a b -> f64.abs (a - b)) z old) > 1e-13 do\n"
      "       (map3 (\\u y r -> u + 0.1 * (r - f64.sin y)) us z (rotate 1 z), z)).0\n",
      "#[fixed_point(warm)]");
  check_derivative(first_derivative(text), "first", {some_f64s(3), some_f64s(3, 1)}, {.seeds = false});
}

BOOST_AUTO_TEST_CASE(fail_where_the_derivative_does_not_converge) {
  const Program program = differentiated(compiled(
      "def end (x: f64): f64 = (#[fixed_point(5)] loop (y, old) = (2 * x, 0) while f64.abs (y - old) > 1e-13 do (0.5 * y + x, y)).0\nentry f (x: f64): f64 = vjp end x 1"));
  BOOST_CHECK_EXCEPTION(run_entry(program, "f", {f64_value(1)}), std::exception, [](const std::exception& e) {
    return std::string(e.what()).find("does not converge within 5 steps") != std::string::npos;
  });
}

/// A loop that ends before it has converged is not the one that its derivative is of.
BOOST_AUTO_TEST_CASE(broken_promises_differ_from_plain_loops) {
  const auto difference = [](const std::string& tolerance) {
    const Program program = compiled("def end (x: f64): f64 = (#[fixed_point] loop (y, old) = (1, 9) while f64.abs (y - old) > " + tolerance +
                                     " do (0.5 * f64.cos y + x, y)).0\nentry f (x: f64): (f64, f64) = (end x, vjp end x 1)");
    BOOST_TEST(has_fixed_points(program));
    const Program plain = with_plain_loops(program);
    verify_program(plain);
    BOOST_TEST(!has_fixed_points(plain));
    const auto results = run_entry(differentiated(program), "f", {f64_value(0.4)}), expected = run_entry(differentiated(plain), "f", {f64_value(0.4)});
    double most = 0;
    for (std::size_t i = 0; i < results.size(); ++i) most = std::max(most, std::abs(results[i].element(0).as_float() - expected[i].element(0).as_float()));
    return most;
  };
  BOOST_TEST(difference("1e-13") < 1e-12);
  BOOST_TEST(difference("0.5") > 1e-3);
}

BOOST_AUTO_TEST_CASE(need_a_condition_that_compares_states) {
  BOOST_TEST(refusal("#[fixed_point] loop y = x while y < 10 do 2 * y").find("does not compare `y`") != std::string::npos);
  BOOST_TEST(refusal("(#[fixed_point] loop (y, i) = (x, 0i32) while i < 10 do (0.5 * y + x, i + 1)).0").find("compares no state") != std::string::npos);
  BOOST_TEST(refusal("(#[fixed_point] loop (y, d) = (x, 1) while f64.abs d > 1e-9 do let d = (y * y - x) / (2 * y) in (y - d, d)).0").find("does not compare `y`") != std::string::npos);
  BOOST_TEST(refusal("(#[fixed_point] loop (y, e) = (x, 1) while e > 1e-9 do let d = (y * y - x) / (2 * y) let z = y - d in (z, f64.abs d + f64.abs (z - y))).0").find("on its way") != std::string::npos);
  BOOST_TEST(refusal("(#[fixed_point] loop (y, old, i) = (x, x + 1, 0i32) while f64.abs (y - old) > 1e-9 * f64.i32 i do (0.5 * y + x, y, i + 1)).0").find("together with") != std::string::npos);
  BOOST_TEST(refusal("let (y, z, _) = #[fixed_point] loop (y, z, old) = (x, x, x + 1) while f64.abs (y - old) > 1e-9 do (0.5 * z + x, 0.2 * y, y) in y + z").find("does not compare `z`") != std::string::npos);
  BOOST_TEST(refusal("(#[fixed_point] loop (y, old, i) = (x, x + 1, 0i32) while i < 100 && f64.abs (y - old) > 1e-9 do (0.5 * y + x, y, i + 1)).0").empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::ad::testing
