// Programs written for the language find every name of its prelude, with the type that they know.
#include <string>

#include <boost/test/unit_test.hpp>

#include "checking.hpp"

using namespace boustro;
using namespace boustro::check;

namespace {

struct Known {
  const char *name, *type;  // as in a module type: type parameters, colon, type
};

const Known top_level[] = {
    {"map", "'a 'x [n] : (a -> x) -> [n]a -> *[n]x"},
    {"map1", "'a 'x [n] : (a -> x) -> [n]a -> *[n]x"},
    {"map2", "'a 'b 'x [n] : (a -> b -> x) -> [n]a -> [n]b -> *[n]x"},
    {"map3", "'a 'b 'c 'x [n] : (a -> b -> c -> x) -> [n]a -> [n]b -> [n]c -> *[n]x"},
    {"map4",
     "'a 'b 'c 'd 'x [n] : (a -> b -> c -> d -> x) -> [n]a -> [n]b -> [n]c -> [n]d -> *[n]x"},
    {"map5",
     "'a 'b 'c 'd 'e 'x [n] : (a -> b -> c -> d -> e -> x) -> [n]a -> [n]b -> [n]c -> [n]d -> [n]e "
     "-> *[n]x"},
    {"reduce", "'a [n] : (a -> a -> a) -> a -> [n]a -> a"},
    {"reduce_comm", "'a [n] : (a -> a -> a) -> a -> [n]a -> a"},
    {"scan", "'a [n] : (a -> a -> a) -> a -> [n]a -> *[n]a"},
    {"exscan", "'a [n] : (a -> a -> a) -> a -> [n]a -> *[n]a"},
    {"hist", "'a [n] : (a -> a -> a) -> a -> (k: i64) -> [n]i64 -> [n]a -> *[k]a"},
    {"reduce_by_index", "'a [k] [n] : *[k]a -> (a -> a -> a) -> a -> [n]i64 -> [n]a -> *[k]a"},
    {"reduce_by_index_2d",
     "'a [k] [n] [m] : *[k][m]a -> (a -> a -> a) -> a -> [n](i64, i64) -> [n]a -> *[k][m]a"},
    {"reduce_by_index_3d",
     "'a [k] [n] [m] [l] : *[k][m][l]a -> (a -> a -> a) -> a -> [n](i64, i64, i64) -> [n]a -> "
     "*[k][m][l]a"},
    {"scatter", "'t [k] [n] : *[k]t -> [n]i64 -> [n]t -> *[k]t"},
    {"scatter_2d", "'t [k] [n] [l] : *[k][n]t -> [l](i64, i64) -> [l]t -> *[k][n]t"},
    {"scatter_3d", "'t [k] [n] [o] [l] : *[k][n][o]t -> [l](i64, i64, i64) -> [l]t -> *[k][n][o]t"},
    {"spread", "'t [n] : (k: i64) -> t -> [n]i64 -> [n]t -> *[k]t"},
    {"all", "'a [n] : (a -> bool) -> [n]a -> bool"},
    {"any", "'a [n] : (a -> bool) -> [n]a -> bool"},
    {"and", "[n] : [n]bool -> bool"},
    {"or", "[n] : [n]bool -> bool"},
    {"filter", "'a [n] : (a -> bool) -> [n]a -> *[]a"},
    {"partition", "'a [n] : (a -> bool) -> [n]a -> ?[k].([k]a, [n - k]a)"},
    {"partition2",
     "'a [n] : (a -> bool) -> (a -> bool) -> [n]a -> ?[k][l].([k]a, [l]a, [n - k - l]a)"},
    {"flatmap",
     "'a 'b 'c [n] : (a -> ?[k].([k]b, c)) -> [n]a -> ?[m].([n]i64, [m]bool, [n]i64, [m]b, [n]c)"},
    {"flatmap'", "'a 'b [n] : (a -> ?[k].[k]b) -> [n]a -> ?[m].([n]i64, [m]bool, [n]i64, [m]b)"},
    {"length", "'t [n] : [n]t -> i64"},
    {"null", "'t [n] : [n]t -> bool"},
    {"head", "'t [n] : [n]t -> t"},
    {"last", "'t [n] : [n]t -> t"},
    {"tail", "'t [n] : [n]t -> [n - 1]t"},
    {"init", "'t [n] : [n]t -> [n - 1]t"},
    {"take", "'t [n] : (i: i64) -> [n]t -> [i]t"},
    {"drop", "'t [n] : (i: i64) -> [n]t -> [n - i]t"},
    {"split", "'t [n] [m] : [n + m]t -> ([n]t, [m]t)"},
    {"sized", "'t [m] : (n: i64) -> [m]t -> [n]t"},
    {"reverse", "'t [n] : [n]t -> [n]t"},
    {"(++)", "'t [n] [m] : [n]t -> [m]t -> *[n + m]t"},
    {"concat", "'t [n] [m] : [n]t -> [m]t -> *[n + m]t"},
    {"iota", ": (n: i64) -> *[n]i64"},
    {"indices", "'t [n] : [n]t -> *[n]i64"},
    {"rotate", "'t [n] : i64 -> [n]t -> [n]t"},
    {"replicate", "'t : (n: i64) -> t -> *[n]t"},
    {"rep", "'t [n] : t -> *[n]t"},
    {"copy", "'t : t -> *t"},
    {"manifest", "'t : t -> *t"},
    {"flatten", "'t [n] [m] : [n][m]t -> [n * m]t"},
    {"flatten_3d", "'t [n] [m] [l] : [n][m][l]t -> [n * m * l]t"},
    {"flatten_4d", "'t [n] [m] [l] [k] : [n][m][l][k]t -> [n * m * l * k]t"},
    {"unflatten", "'t [n] [m] : [n * m]t -> [n][m]t"},
    {"unflatten_3d", "'t [n] [m] [l] : [n * m * l]t -> [n][m][l]t"},
    {"unflatten_4d", "'t [n] [m] [l] [k] : [n * m * l * k]t -> [n][m][l][k]t"},
    {"transpose", "'t [n] [m] : [n][m]t -> [m][n]t"},
    {"foldl", "'a 'b [n] : (a -> b -> a) -> a -> [n]b -> a"},
    {"foldr", "'a 'b [n] : (b -> a -> a) -> a -> [n]b -> a"},
    {"tabulate", "'a : (n: i64) -> (i64 -> a) -> *[n]a"},
    {"tabulate_2d", "'a : (n: i64) -> (m: i64) -> (i64 -> i64 -> a) -> *[n][m]a"},
    {"tabulate_3d",
     "'a : (n: i64) -> (m: i64) -> (o: i64) -> (i64 -> i64 -> i64 -> a) -> *[n][m][o]a"},
    {"zip", "'a 'b [n] : [n]a -> [n]b -> *[n](a, b)"},
    {"zip2", "'a 'b [n] : [n]a -> [n]b -> *[n](a, b)"},
    {"zip3", "'a 'b 'c [n] : [n]a -> [n]b -> [n]c -> *[n](a, b, c)"},
    {"zip4", "'a 'b 'c 'd [n] : [n]a -> [n]b -> [n]c -> [n]d -> *[n](a, b, c, d)"},
    {"zip5", "'a 'b 'c 'd 'e [n] : [n]a -> [n]b -> [n]c -> [n]d -> [n]e -> *[n](a, b, c, d, e)"},
    {"unzip", "'a 'b [n] : [n](a, b) -> ([n]a, [n]b)"},
    {"unzip2", "'a 'b [n] : [n](a, b) -> ([n]a, [n]b)"},
    {"unzip3", "'a 'b 'c [n] : [n](a, b, c) -> ([n]a, [n]b, [n]c)"},
    {"unzip4", "'a 'b 'c 'd [n] : [n](a, b, c, d) -> ([n]a, [n]b, [n]c, [n]d)"},
    {"unzip5", "'a 'b 'c 'd 'e [n] : [n](a, b, c, d, e) -> ([n]a, [n]b, [n]c, [n]d, [n]e)"},
    {"(|>)", "'a 'b : a -> (a -> b) -> b"},
    {"(<|)", "'a 'b : (a -> b) -> a -> b"},
    {"(>->)", "'a 'b 'c : (a -> b) -> (b -> c) -> a -> c"},
    {"(<-<)", "'a 'b 'c : (b -> c) -> (a -> b) -> a -> c"},
    {"flip", "'a 'b 'c : (a -> b -> c) -> b -> a -> c"},
    {"curry", "'a 'b 'c : ((a, b) -> c) -> a -> b -> c"},
    {"uncurry", "'a 'b 'c : (a -> b -> c) -> (a, b) -> c"},
    {"const", "'a 'b : a -> b -> a"},
    {"id", "'a : a -> a"},
    {"iterate", "'a : i32 -> (a -> a) -> a -> a"},
    {"iterate_until", "'a : (a -> bool) -> (a -> a) -> a -> a"},
    {"iterate_while", "'a : (a -> bool) -> (a -> a) -> a -> a"},
    {"jvp", "'a 'b : (a -> b) -> a -> a -> b"},
    {"vjp", "'a 'b : (a -> b) -> a -> b -> a"},
    {"jvp2", "'a 'b : (a -> b) -> a -> a -> (b, b)"},
    {"vjp2", "'a 'b : (a -> b) -> a -> b -> (b, a)"},
    {"jmp", "'a 'b [n] : (a -> b) -> a -> [n]a -> [n]b"},
    {"mjp", "'a 'b [n] : (a -> b) -> a -> [n]b -> [n]a"},
    {"jmp2", "'a 'b [n] : (a -> b) -> a -> [n]a -> (b, [n]b)"},
    {"mjp2", "'a 'b [n] : (a -> b) -> a -> [n]b -> (b, [n]a)"},
    {"with_vjp", "'a 'b : (a -> b) -> (b -> b -> a) -> a -> b"},
    {"with_vjp_tape", "'a 'b 'c : (a -> (c, b)) -> ((c, b) -> a) -> a -> b"},
    {"r32", ": i32 -> f32"},
    {"t32", ": f32 -> i32"},
    {"r64", ": i32 -> f64"},
    {"t64", ": f64 -> i32"},
    {"not", ": bool -> bool"},
    {"opaque", "'t : t -> t"},
    {"trace", "'t : t -> t"},
    {"break", "'t : t -> t"},
};

const Known of_all[] = {
    {"i8", ": i8 -> t"},   {"i16", ": i16 -> t"}, {"i32", ": i32 -> t"}, {"i64", ": i64 -> t"},
    {"u8", ": u8 -> t"},   {"u16", ": u16 -> t"}, {"u32", ": u32 -> t"}, {"u64", ": u64 -> t"},
    {"f16", ": f16 -> t"}, {"f32", ": f32 -> t"}, {"f64", ": f64 -> t"}, {"bool", ": bool -> t"},
};

const Known of_numbers[] = {
    {"+", ": t -> t -> t"},
    {"-", ": t -> t -> t"},
    {"*", ": t -> t -> t"},
    {"/", ": t -> t -> t"},
    {"%", ": t -> t -> t"},
    {"**", ": t -> t -> t"},
    {"==", ": t -> t -> bool"},
    {"!=", ": t -> t -> bool"},
    {"<", ": t -> t -> bool"},
    {"<=", ": t -> t -> bool"},
    {">", ": t -> t -> bool"},
    {">=", ": t -> t -> bool"},
    {"to_i64", ": t -> i64"},
    {"neg", ": t -> t"},
    {"max", ": t -> t -> t"},
    {"min", ": t -> t -> t"},
    {"abs", ": t -> t"},
    {"sgn", ": t -> t"},
    {"highest", ": t"},
    {"lowest", ": t"},
    {"sum", "[n] : [n]t -> t"},
    {"product", "[n] : [n]t -> t"},
    {"maximum", "[n] : [n]t -> t"},
    {"minimum", "[n] : [n]t -> t"},
    {"num_bits", ": i32"},
    {"get_bit", ": i32 -> t -> i32"},
    {"set_bit", ": i32 -> t -> i32 -> t"},
};

const Known of_integers[] = {
    {"//", ": t -> t -> t"}, {"%%", ": t -> t -> t"},          {"&", ": t -> t -> t"},
    {"|", ": t -> t -> t"},  {"^", ": t -> t -> t"},           {"not", ": t -> t"},
    {"<<", ": t -> t -> t"}, {">>", ": t -> t -> t"},          {">>>", ": t -> t -> t"},
    {"popc", ": t -> i32"},  {"mul_hi", ": t -> t -> t"},      {"clz", ": t -> i32"},
    {"ctz", ": t -> i32"},   {"mad_hi", ": t -> t -> t -> t"}, {"to_i32", ": t -> i32"},
};

const Known of_floats[] = {
    {"recip", ": t -> t"},
    {"from_fraction", ": i64 -> i64 -> t"},
    {"to_f64", ": t -> f64"},
    {"sqrt", ": t -> t"},
    {"rsqrt", ": t -> t"},
    {"cbrt", ": t -> t"},
    {"exp", ": t -> t"},
    {"sin", ": t -> t"},
    {"cos", ": t -> t"},
    {"tan", ": t -> t"},
    {"sinpi", ": t -> t"},
    {"cospi", ": t -> t"},
    {"tanpi", ": t -> t"},
    {"asin", ": t -> t"},
    {"acos", ": t -> t"},
    {"atan", ": t -> t"},
    {"asinpi", ": t -> t"},
    {"acospi", ": t -> t"},
    {"atanpi", ": t -> t"},
    {"sinh", ": t -> t"},
    {"cosh", ": t -> t"},
    {"tanh", ": t -> t"},
    {"asinh", ": t -> t"},
    {"acosh", ": t -> t"},
    {"atanh", ": t -> t"},
    {"atan2", ": t -> t -> t"},
    {"atan2pi", ": t -> t -> t"},
    {"hypot", ": t -> t -> t"},
    {"gamma", ": t -> t"},
    {"lgamma", ": t -> t"},
    {"erf", ": t -> t"},
    {"erfc", ": t -> t"},
    {"lerp", ": t -> t -> t -> t"},
    {"log", ": t -> t"},
    {"log2", ": t -> t"},
    {"log10", ": t -> t"},
    {"log1p", ": t -> t"},
    {"ceil", ": t -> t"},
    {"floor", ": t -> t"},
    {"trunc", ": t -> t"},
    {"round", ": t -> t"},
    {"mad", ": t -> t -> t -> t"},
    {"fma", ": t -> t -> t -> t"},
    {"isinf", ": t -> bool"},
    {"isnan", ": t -> bool"},
    {"inf", ": t"},
    {"nan", ": t"},
    {"pi", ": t"},
    {"e", ": t"},
    {"epsilon", ": t"},
    {"from_bits", ": bits -> t"},
    {"to_bits", ": t -> bits"},
    {"nextafter", ": t -> t -> t"},
    {"ldexp", ": t -> i32 -> t"},
    {"copysign", ": t -> t -> t"},
};

std::string errors_of(const std::string& types, const std::string& name, const std::string& type) {
  return Checked(types + "def it " + type + " = " + name).errors();
}

template <std::size_t count>
void check_members(const std::string& module, const Known (&members)[count]) {
  const std::string width = module.substr(1);
  for (const auto& [name, type] : members) {
    const std::string qualified =
        ast::is_operator(name) ? "(" + module + "." + name + ")" : module + "." + name;
    BOOST_TEST_CONTEXT(qualified) {
      BOOST_TEST(errors_of("type t = " + module + "\ntype bits = u" +
                               (module[0] == 'f' ? width : "8") + "\n",
                           qualified, type) == "");
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(prelude_names)

BOOST_AUTO_TEST_CASE(at_the_top_level) {
  for (const auto& [name, type] : top_level) {
    BOOST_TEST_CONTEXT(name) { BOOST_TEST(errors_of("", name, type) == ""); }
  }
}

BOOST_AUTO_TEST_CASE(in_modules_of_primitive_types) {
  for (const std::string module :
       {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool"}) {
    check_members(module, of_all);
    if (module == "bool") continue;
    check_members(module, of_numbers);
    if (module[0] == 'f')
      check_members(module, of_floats);
    else
      check_members(module, of_integers);
  }
}

BOOST_AUTO_TEST_SUITE_END()
