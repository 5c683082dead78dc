#include <boost/test/unit_test.hpp>

#include "checking.hpp"

using namespace boustro::check;

BOOST_AUTO_TEST_SUITE(infer)

BOOST_AUTO_TEST_CASE(numbers_default_to_i32_and_f64) {
  BOOST_TEST(type_of_f("def f = 1") == "i32");
  BOOST_TEST(type_of_f("def f = 1.5") == "f64");
  BOOST_TEST(type_of_f("def f x = x + 1") == "i32 -> i32");
  BOOST_TEST(type_of_f("def f x = x / 2.0") == "f64 -> f64");
}

BOOST_AUTO_TEST_CASE(literals_take_the_type_of_their_context) {
  BOOST_TEST(type_of_f("def f (x: f32) = 2 * x") == "f32 -> f32");
  BOOST_TEST(type_of_f("def f (x: u8) = x + 'a'") == "u8 -> u8");
}

BOOST_AUTO_TEST_CASE(definitions_are_polymorphic) {
  BOOST_TEST(type_of_f("def pair x = (x, x)\ndef f = (pair 1.5, pair true)") ==
             "((f64, f64), (bool, bool))");
  BOOST_TEST(type_of_f("def f 'a (x: a) = [x, x]") == "'a a -> *[2]a");
}

BOOST_AUTO_TEST_CASE(local_functions_with_parameters_are_polymorphic) {
  BOOST_TEST(type_of_f("def f = let twice 'a (x: a) = (x, x) in (twice 1, twice true)") ==
             "((i32, i32), (bool, bool))");
}

BOOST_AUTO_TEST_CASE(higher_order_functions) {
  BOOST_TEST(type_of_f("def f g xs = map (g 1i64) xs").find("error") == std::string::npos);
  BOOST_TEST(type_of_f("def f (xs: []i32) = xs |> map (+ 1) |> map (2 *) |> reduce (+) 0") ==
             "[d0] [d0]i32 -> i32");
  BOOST_TEST(type_of_f("def f = (+ 1) >-> f64.i32 >-> f64.sqrt").find("i32 -> f64") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(records_tuples_and_sums) {
  BOOST_TEST(type_of_f("def f (p: {x: f64, y: f64}) = p with x = p.y") ==
             "{x: f64, y: f64} -> {x: f64, y: f64}");
  BOOST_TEST(type_of_f("def f (p: (i32, bool)) = if p.1 then p.0 else 0") == "(i32, bool) -> i32");
  BOOST_TEST(type_of_f("type t = #circle f64 | #square f64 f64\n"
                       "def f (s: t) = match s case #circle r -> r case #square a b -> a * b") ==
             "#circle f64 | #square f64 f64 -> f64");
  BOOST_TEST(type_of_f("def f (x: f64) : {a: f64, b: f64} = let a = x let b = x + 1 in {a, b}") ==
             "f64 -> {a: f64, b: f64}");
}

BOOST_AUTO_TEST_CASE(abbreviations_with_parameters) {
  BOOST_TEST(type_of_f("type grid [n] [m] 'a = [n][m]a\n"
                       "def f [n] (g: grid [n] [3] f32) = g[0, 1]") == "[n] [n][3]f32 -> f32");
}

BOOST_AUTO_TEST_CASE(modules_of_primitive_types) {
  BOOST_TEST(type_of_f("def f (x: f64) = f64.to_bits x") == "f64 -> u64");
  BOOST_TEST(type_of_f("def f (xs: [3]i16) = i16.maximum xs") == "[3]i16 -> i16");
  BOOST_TEST(type_of_f("def f (x: i32) = f32.i32 x + f32.pi") == "i32 -> f32");
  BOOST_TEST(type_of_f("def f (x: f64) = f64.(sin x * x + pi)") == "f64 -> f64");
}

BOOST_AUTO_TEST_CASE(every_member_of_every_module_checks) {
  const std::string numeric = "def f%(x: %) = %.(sum [abs x, min x lowest, max x highest, x ** 2, sgn (neg x)])\n";
  for (const std::string type : {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64"}) {
    std::string text = numeric;
    for (std::size_t at; (at = text.find('%')) != std::string::npos;) text.replace(at, 1, type);
    text += "def g (x: " + type + ") (b: i32) = " + type + ".set_bit 1 x (" + type + ".get_bit b x)";
    BOOST_TEST(Checked(text).errors() == "");
  }
}

BOOST_AUTO_TEST_CASE(derivatives) {
  BOOST_TEST(type_of_f("def f [n] (g: [n]f64 -> f64) (xs: [n]f64) = vjp g xs 1") ==
             "[n] [n]f64 -> f64 -> [n]f64 -> [n]f64");
  BOOST_TEST(type_of_f("def f (x: f64) = jmp (\\y -> (y, y * y)) x [1, 2, 3]") == "f64 -> *[3](f64, f64)");
}

BOOST_AUTO_TEST_SUITE_END()
