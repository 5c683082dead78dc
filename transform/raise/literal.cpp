// A number as people write it: without suffix where its type is known, without point where it is whole.
#include <charconv>
#include <cmath>
#include <numbers>

#include "transform/raise/raiser.hpp"

namespace boustro::raise {
namespace {

using values::PrimType;
using values::PrimValue;

/// Whole floats up to here are written as integers.
constexpr double largest_whole = 1 << 20;

ast::Exp negated(ast::Exp exp) { return raise::exp(ast::Unary{ast::UnaryOp::negate, std::move(exp)}); }

ast::Exp integer(const PrimValue& value, bool known) {
  const std::int64_t number = values::is_signed(value.type) ? value.as_int() : 0;
  const bool is_negative = number < 0;
  const std::uint64_t magnitude = !values::is_signed(value.type) ? value.bits
                                  : is_negative ? ~static_cast<std::uint64_t>(number) + 1 : static_cast<std::uint64_t>(number);
  ast::Exp exp = raise::exp(ast::IntLiteral{magnitude, known ? std::nullopt : std::optional(value.type)});
  return is_negative ? negated(std::move(exp)) : exp;
}

/// Without suffix only if the digits, read as f64 and rounded, are the number.
ast::Exp positive_float(const PrimValue& value, bool known) {
  const double number = value.as_float();
  if (known && number == std::floor(number) && number <= largest_whole)
    return raise::exp(ast::IntLiteral{static_cast<std::uint64_t>(number), std::nullopt});
  std::string digits = values::to_string(value);
  digits.resize(digits.size() - values::name_of(value.type).size());
  double read = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), read);
  if (known && PrimValue::of_float(value.type, read) == value) return raise::exp(ast::FloatLiteral{read, std::nullopt});
  return raise::exp(ast::FloatLiteral{number, value.type});
}

ast::Exp of_f64(std::string_view name) { return member("f64", name); }

/// f64.log (2 * f64.pi), where constants were folded to exactly what that is, or half or twice that.
std::optional<ast::Exp> well_known(double number) {
  const auto two_pi = [] { return binary(raise::number(2), "*", of_f64("pi")); };
  struct Known {
    double value;
    ast::Exp exp;
  };
  std::vector<Known> known{{std::numbers::pi, of_f64("pi")}, {std::numbers::e, of_f64("e")}};
  for (const char* function : {"log", "sqrt"}) {
    const auto value = [&](double x) { return *function == 'l' ? std::log(x) : std::sqrt(x); };
    const auto exp = [&](ast::Exp x) { return applied(of_f64(function), {std::move(x)}); };
    known.push_back({value(2), exp(raise::number(2))});
    known.push_back({value(10), exp(raise::number(10))});
    known.push_back({value(std::numbers::pi), exp(of_f64("pi"))});
    known.push_back({value(2 * std::numbers::pi), exp(two_pi())});
  }
  for (Known& one : known) {
    if (number == one.value) return one.exp;
    if (number == 2 * one.value) return binary(raise::number(2), "*", std::move(one.exp));
    if (number == 0.5 * one.value) return binary(raise::exp(ast::FloatLiteral{0.5, std::nullopt}), "*", std::move(one.exp));
  }
  return std::nullopt;
}

}  // namespace

ast::Exp literal(const PrimValue& value, bool known) {
  if (value.type == PrimType::boolean) return raise::exp(ast::BoolLiteral{value.as_bool()});
  if (!values::is_float(value.type)) return integer(value, known);
  const double number = value.as_float();
  if (std::isnan(number)) return member(values::name_of(value.type), "nan");
  if (value.type == PrimType::f64) {
    auto exp = well_known(std::fabs(number));
    if (exp) return number < 0 ? negated(std::move(*exp)) : std::move(*exp);
  }
  const PrimValue magnitude = PrimValue::of_float(value.type, std::fabs(number));
  ast::Exp exp = std::isinf(number) ? member(values::name_of(value.type), "inf")
                 : number == 0 && std::signbit(number) ? raise::exp(ast::FloatLiteral{0, value.type})
                                                       : positive_float(magnitude, known);
  return std::signbit(number) ? negated(std::move(exp)) : exp;
}

}  // namespace boustro::raise
