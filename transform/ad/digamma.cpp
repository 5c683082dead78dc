// psi(x) = psi(1 - x) - pi cos(pi x) / sin(pi x)                           for x < 1/2
//        = psi(x + 10) - 1/x - 1/(x+1) - ... - 1/(x+9)                     to come where the series is short
// psi(y) = log y - 1/(2y) - sum over k >= 1 of B[2k] / (2k y^(2k))         B: Bernoulli's numbers
// Source: NIST's Digital Library of Mathematical Functions, 5.5.2, 5.5.4, 5.11.2. With y >= 10.5, seven terms leave an
// error below 1e-16.
#include "transform/ad/digamma.hpp"

#include <array>
#include <numbers>

namespace boustro::ad {

using namespace ir;

namespace {

constexpr int shift = 10;

// B[2k] / 2k for k = 1, 2, ...
constexpr std::array coefficients{1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12};

}  // namespace

Atom digamma(Builder& b, const Atom& x) {
  const PrimType type = b.names.type_of(x).elem;
  const auto number = [&](double value) { return Atom(PrimValue::of_float(type, value)); };
  const auto op = [&](BinOpKind kind, const Atom& u, const Atom& v) { return b.binop("psi", kind, u, v); };

  const Atom is_low = b.cmp("is_low", CmpOpKind::lt, x, number(0.5));
  Builder low(b.names, b.origin);
  const Atom reflected = low.binop("z", BinOpKind::sub, number(1), x);
  const Atom cosine = low.binop("psi", BinOpKind::mul, number(std::numbers::pi), low.math("psi", MathFn::cospi, {x}));
  const Atom cotangent = low.binop("psi", BinOpKind::div, cosine, low.math("psi", MathFn::sinpi, {x}));
  const auto start = b.let_all({"z", "psi"}, If{is_low, {std::move(low.stms), {reflected, cotangent}}, {{}, {x, number(0)}}});

  Atom subtracted = start[1];
  for (int i = 0; i < shift; ++i)
    subtracted = op(BinOpKind::add, subtracted, op(BinOpKind::div, number(1), op(BinOpKind::add, start[0], number(i))));
  const Atom y = op(BinOpKind::add, start[0], number(shift));
  const Atom inverse = op(BinOpKind::div, number(1), y);
  const Atom square = op(BinOpKind::mul, inverse, inverse);
  Atom series = number(coefficients.back());
  for (std::size_t k = coefficients.size() - 1; k-- > 0;)
    series = op(BinOpKind::add, number(coefficients[k]), op(BinOpKind::mul, series, square));
  series = op(BinOpKind::add, op(BinOpKind::mul, series, square), op(BinOpKind::mul, number(0.5), inverse));
  const Atom logarithm = b.math("psi", MathFn::log, {y});
  return op(BinOpKind::sub, op(BinOpKind::sub, logarithm, series), subtracted);
}

}  // namespace boustro::ad
