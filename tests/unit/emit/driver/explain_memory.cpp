// What --memory prints, of derivatives and of emitted programs.
#include <boost/test/unit_test.hpp>

#include "workplace.hpp"

namespace boustro::driver {
namespace {

const char* const program =
    "entry f [n][m] (xss: [n][m]f64) : f64 = f64.sum (map (\\xs -> f64.exp (f64.sum xs)) xss)\n"
    "\n"
    "entry g [n] (steps: i64) (xs: [n]f64) : f64 =\n"
    "  let ys = loop xs for _i < steps do map f64.sin (scan (+) 0 xs)\n"
    "  in f64.sum ys\n"
    "\n"
    "entry f_vjp [n][m] (xss: [n][m]f64) = vjp f xss 1\n"
    "entry g_vjp [n] (steps: i64) (xs: [n]f64) = vjp (g steps) xs 1\n";

DeriveOptions of_derivative() {
  DeriveOptions options;
  options.file = "program.fut";
  options.memory = true;
  return options;
}

}  // namespace

BOOST_AUTO_TEST_CASE(derive_says_what_return_sweeps_keep) {
  Workplace place(program);
  BOOST_TEST(place.derive(of_derivative()) == 0);
  BOOST_TEST(place.has_printed("g_vjp keeps for its return sweep, in bytes, the largest first:\n"));
  BOOST_TEST(place.has_printed(" * n  "));
  BOOST_TEST(place.has_printed("program.fut:4"));
  BOOST_TEST(!place.has_printed("g keeps"), "only derivatives have return sweeps");
}

BOOST_AUTO_TEST_CASE(programs_without_derivatives_say_so) {
  Workplace place("entry f (x: f64) : f64 = x\n");
  BOOST_TEST(place.derive(of_derivative()) == 0);
  BOOST_TEST(place.printed() == "nothing in this program has a return sweep: `--vjp FUNCTION` adds one\n");
}

BOOST_AUTO_TEST_CASE(translate_says_what_scratch_memory_consists_of) {
  Workplace place(
      "entry f [n][m] (xs: [n]f64) (ys: [m]f64) : f64 =\n"
      "  let sums = scan (+) 0 xs\n"
      "  let products = map (\\y -> scan (+) y sums) ys\n"
      "  in f64.sum (map (\\i -> f64.maximum products[:, i] * sums[n - 1 - i]) (iota n))\n");
  TranslateOptions options;
  options.file = "program.fut";
  options.memory = true;
  options.target = "cpp";
  options.verify = VerifyWith::nothing;
  const std::ptrdiff_t files = place.files();
  BOOST_TEST(place.translate(options) == 0);
  BOOST_TEST(place.printed() ==
             "f needs scratch memory, in bytes, the largest first:\n"
             "  8 * m * n  products  program.fut:3\n"
             "  8 * n      sums      program.fut:2\n");
  BOOST_TEST(place.files() == files, "no file is written");
}

}  // namespace boustro::driver
