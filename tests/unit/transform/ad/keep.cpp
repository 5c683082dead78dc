// What #[keep] asks for: the derivative is the same, and the return sweep does not compute it again, however many maps and loops
// are around it.
#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"

namespace boustro::ad::testing {

namespace {

const std::string nests[] = {
    "map (\\x -> let y = @f64.sin (x * x) in f64.exp y * y) xs",
    "loop ys = xs for _i < 3 do let zs = @map f64.sin ys in map2 (\\z y -> f64.exp z * y) zs ys",
    "loop ys = xs for _i < 3i32 do let zs = @map f64.sin ys in map2 (\\z y -> f64.exp z * y) zs ys",
    "map (\\x -> (loop y = x for i < n do let z = @f64.sin y in f64.exp z * y * xs[i])) xs",
    "loop ys = xs for i < 3 do loop ys for j < n - 1 do let zs = @map f64.sin ys\n"
    "let z = zs[i] let ys = copy ys with [j] = z * ys[j + 1] in map2 (*) zs ys",
    "loop ys = copy xs for i < 2 do loop ys for j < n do let z = @f64.sin (ys[j] * ys[(j + 1) % n])\n"
    "in ys with [j] = f64.exp z * ys[(j + i) % n]",
};

std::string program_of(std::string nest, bool kept) {
  nest.replace(nest.find('@'), 1, kept ? "#[keep] " : "#[recompute] ");
  return "entry f [n] (xs: [n]f64) : [n]f64 = " + nest;
}

/// Sines in the derivative; one of them belongs to the forward sweep.
int sines_in(const Exp& exp) {
  const auto* math = std::get_if<MathOp>(&exp);
  int count = math && math->fn == MathFn::sin ? 1 : 0;
  for_each_body(exp, [&](const Body& body) {
    for (const Stm& stm : body.stms) count += sines_in(stm.exp);
  });
  return count;
}

int sines_in_vjp(const std::string& text) {
  const Program derived = differentiated(DerivativeOf(compiled(text), "f").with_vjp("derivative", false));
  int count = 0;
  for (const Stm& stm : derived.functions.back().body.stms) count += sines_in(stm.exp);
  return count;
}

}  // namespace

BOOST_AUTO_TEST_CASE(kept_values_have_the_same_derivatives) {
  for (const std::string& nest : nests)
    for (const bool kept : {true, false})
      BOOST_TEST_CONTEXT(nest) {
        check_derivative(compiled(program_of(nest, kept)), "f", {some_f64s(4)}, {.step = 1e-6, .tolerance = 1e-5});
      }
}

BOOST_AUTO_TEST_CASE(kept_values_are_not_computed_again) {
  for (const std::string& nest : nests) BOOST_TEST_CONTEXT(nest) {
      BOOST_TEST(sines_in_vjp(program_of(nest, true)) == 1);
      BOOST_TEST(sines_in_vjp(program_of(nest, false)) > 1);
    }
}

// A size that differs from iteration to iteration cannot be that of an array of all of them.
BOOST_AUTO_TEST_CASE(values_of_varying_size_are_computed_again) {
  const std::string text =
      "entry f [n] (xs: [n]f64) : f64 = loop a = 1 for i < n do\n"
      "let zs = #[keep] map f64.sin xs[:i] in a + f64.sum (map2 (*) zs zs)";
  const std::string triangle =
      "entry f [n] (xs: [n]f64) : [n]f64 = loop ys = xs for i < 3 do loop ys for _j < i + 1 do\n"
      "let zs = #[keep] map f64.sin ys in map2 (\\z y -> f64.exp z * y) zs ys";
  for (const std::string& program : {text, triangle}) {
    BOOST_TEST(sines_in_vjp(program) > 1);
    check_derivative(compiled(program), "f", {some_f64s(4)});
  }
}

}  // namespace boustro::ad::testing
