// Parentheses, literals and functions of the language, as text.
#include "emit/text/expression.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include <boost/test/unit_test.hpp>

#include "../printing.hpp"
#include "emit/plan/build.hpp"

namespace expression_tests {

namespace {

using namespace boustro::plan;
using boustro::text::Literals;
using boustro::text::Side;
namespace ir = boustro::ir;

boustro::text::Needs needs;

std::string on(Side side, const Expr& expr, Literals literals = Literals::converted) {
  boustro::text::Place place{printing::cuda, needs};
  place.side = side;
  return boustro::text::expression(expr, place, literals);
}
std::string text(const Expr& expr) { return on(Side::device, expr); }
std::string exact(const Expr& expr) { return on(Side::device, expr, Literals::exact); }

const Expr a = var("a"), b = var("b"), c = var("c"), x = var("x", f32), y = var("y", f64),
           p = var("p", PrimType::boolean);
const Expr q = var("q", PrimType::boolean);

}  // namespace

BOOST_AUTO_TEST_CASE(parentheses_where_precedence_asks_for_them) {
  BOOST_TEST(text(a + b * c) == "a + b * c");
  BOOST_TEST(text((a + b) * c) == "(a + b) * c");
  BOOST_TEST(text(a - (b - c)) == "a - (b - c)");
  BOOST_TEST(text((a - b) - c) == "a - b - c");
  BOOST_TEST(text(a * (b * c)) == "a * (b * c)");
  BOOST_TEST(text(-(a + b)) == "-(a + b)");
  BOOST_TEST(text(-(-a)) == "-(-a)");
  BOOST_TEST(text(!(a < b)) == "!(a < b)");
  BOOST_TEST(text(a + lit(-1)) == "a + -1");
}

BOOST_AUTO_TEST_CASE(parentheses_where_compilers_warn_without) {
  BOOST_TEST(text(p || (p && q)) == "p || (p && q)");
  BOOST_TEST(text((p || q) && q) == "(p || q) && q");
  BOOST_TEST(text(p || q || p) == "p || q || p");
  BOOST_TEST(text(op(Op::bit_and, op(Op::bit_or, a, b), c)) == "(a | b) & c");
  BOOST_TEST(text(op(Op::bit_xor, a + b, c)) == "(a + b) ^ c");
}

BOOST_AUTO_TEST_CASE(conditionals_nest_to_the_right) {
  BOOST_TEST(text(select(p, a, select(q, b, c))) == "p ? a : q ? b : c");
  BOOST_TEST(text(select(p, select(q, a, b), c)) == "p ? (q ? a : b) : c");
  BOOST_TEST(text(select(p, a, b) + c) == "(p ? a : b) + c");
}

BOOST_AUTO_TEST_CASE(literals_have_the_type_that_their_context_needs) {
  BOOST_TEST(text(a + 1) == "a + 1");
  BOOST_TEST(exact(lit(1)) == "int64_t{1}");
  BOOST_TEST(exact(lit(1, i32)) == "1");
  BOOST_TEST(text(lit(1, PrimType::u32)) == "1u");
  BOOST_TEST(exact(lit(-1, PrimType::i8)) == "int8_t{-1}");
  BOOST_TEST(text(lit(std::numeric_limits<std::int64_t>::min())) == "INT64_MIN");
  BOOST_TEST(text(lit(2) + lit(3)) == "int64_t{2} + 3");
}

BOOST_AUTO_TEST_CASE(braces_have_no_int_that_would_become_narrower) {
  const boustro::text::Place place{printing::cuda, needs};
  const auto narrow = [](int value) { return lit(value, PrimType::i8); };
  const auto large = [](int value) { return lit(value, PrimType::u64); };
  const Expr v = var("v", PrimType::i8), w = var("w", PrimType::u64);
  const std::vector<std::pair<Expr, std::string>> cases = {
      {narrow(1), "1"},
      {select(p, narrow(1), narrow(0)), "p ? int8_t{1} : int8_t{0}"},
      {select(p, v, narrow(0)), "p ? v : int8_t{0}"},
      {select(p, select(q, narrow(1), v), narrow(0)), "p ? (q ? int8_t{1} : v) : int8_t{0}"},
      {select(p, large(1), large(0)), "p ? uint64_t{1} : uint64_t{0}"},
      {select(p, w, large(0)), "p ? w : 0"},
      {select(p, lit(1, i32), lit(0, i32)), "p ? 1 : 0"},
      {select(p, lit(1), lit(0)), "p ? 1 : 0"},
      {select(p, lit_float(1, f64), lit_float(0, f64)), "p ? 1.0 : 0.0"}};
  for (const auto& [expr, expected] : cases) BOOST_TEST(boustro::text::initializers({expr, a}, place) == expected + ", a");
}

BOOST_AUTO_TEST_CASE(float_literals_read_back_as_the_same_value) {
  BOOST_TEST(text(lit_float(1, f32)) == "1.0f");
  BOOST_TEST(text(lit_float(0.1, f32)) == "0.1f");
  BOOST_TEST(text(lit_float(0.1, f64)) == "0.1");
  BOOST_TEST(text(lit_float(1e300, f64)) == "1e+300");
  BOOST_TEST(text(lit_float(-0.0, f64)) == "-0.0");
  BOOST_TEST(text(lit_float(INFINITY, f32)) == "INFINITY");
  BOOST_TEST(text(lit_float(-INFINITY, f64)) == "-INFINITY");
  BOOST_TEST(exact(lit_float(INFINITY, f64)) == "double{INFINITY}");
  BOOST_TEST(text(lit_float(NAN, f32)) == "NAN");
}

BOOST_AUTO_TEST_CASE(functions_by_side) {
  const Expr root = intrinsic(ir::MathFn::sqrt, f32, type(f32), {x});
  BOOST_TEST(on(Side::device, root) == "sqrt(x)");
  BOOST_TEST(on(Side::host, root) == "std::sqrt(x)");
  BOOST_TEST(on(Side::device, runtime::max(a, lit(5))) == "max(a, int64_t{5})");
  BOOST_TEST(on(Side::host, runtime::max(a, lit(5))) == "std::max<int64_t>(a, 5)");
  BOOST_TEST(on(Side::host, runtime::max(a, b)) == "std::max(a, b)");
}

BOOST_AUTO_TEST_CASE(elementary_functions_have_forms_for_loops) {
  boustro::text::Dialect cpp = printing::cpp;
  cpp.vector_math = true;
  printing::Page page(Side::host, cpp);
  const auto vector = [&](ir::MathFn fn, const Expr& arg) {
    return boustro::text::expression(intrinsic(fn, arg.type.prim, arg.type, {arg}), page.place);
  };
  BOOST_TEST(vector(ir::MathFn::exp, y) == "vector_exp(y)");
  BOOST_TEST(vector(ir::MathFn::tanh, x) == "vector_tanhf(x)");
  BOOST_TEST(vector(ir::MathFn::log, var("h", PrimType::f16)) ==
             "_Float16(vector_logf(static_cast<float>(h)))");
  BOOST_TEST(vector(ir::MathFn::exp10, y) == "vector_exp10(y)");
  BOOST_TEST(vector(ir::MathFn::lgamma, y) == "std::lgamma(y)");
  BOOST_TEST((page.needs_template("vector_exp") && page.needs_template("vector_logf")));
  BOOST_TEST(on(Side::device, intrinsic(ir::MathFn::exp, f64, type(f64), {y})) == "exp(y)");
}

BOOST_AUTO_TEST_CASE(operators_that_cpp_leaves_undefined_are_functions) {
  BOOST_TEST(text(intrinsic(ir::BinOpKind::div, a, b)) == "floor_div(a, b)");
  BOOST_TEST(text(intrinsic(ir::BinOpKind::mod, a, lit(3))) == "floor_mod(a, int64_t{3})");
  BOOST_TEST(text(intrinsic(ir::BinOpKind::add, a, b)) == "wrapping_add(a, b)");
  BOOST_TEST(text(intrinsic(ir::BinOpKind::min, y, lit_float(INFINITY, f64))) ==
             "fmin(y, double{INFINITY})");
  const Expr u = var("u", PrimType::u64);
  BOOST_TEST(text(intrinsic(ir::BinOpKind::div, u, u)) == "u / u");
  const Expr byte = var("byte", PrimType::u8);
  BOOST_TEST(text(intrinsic(ir::BinOpKind::bit_and, byte, byte)) ==
             "static_cast<uint8_t>(byte & byte)");
  BOOST_TEST(needs.templates.contains("floor_div"));
}

BOOST_AUTO_TEST_CASE(conversions) {
  BOOST_TEST(text(cast(i64, position(Position::block_x))) == "int64_t(blockIdx.x)");
  BOOST_TEST(text(cast(i64, var("grid_size", PrimType::u32))) == "int64_t{grid_size}");
  BOOST_TEST(text(cast(i32, a)) == "static_cast<int>(a)");
  BOOST_TEST(text(convert(i32, y)) == "to_integer<int>(y)");
  BOOST_TEST(text(convert(f64, x)) == "static_cast<double>(x)");
}

}  // namespace expression_tests
