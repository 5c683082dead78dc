#include "emit/plan/formula/constants.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace boustro::plan::formula {
namespace {

struct Constant {
  const char* name;
  double value;
};

/// `{}` is the constant.
struct Form {
  const char* text;
  double (*of)(double);
};

const Constant constants[] = {
    {"pi", std::numbers::pi},
    {"e", std::numbers::e},
    {"log(2)", std::numbers::ln2},
    {"log(10)", std::numbers::ln10},
    {"log(pi)", std::log(std::numbers::pi)},
    {"log(2 * pi)", std::log(2 * std::numbers::pi)},
    {"sqrt(2)", std::numbers::sqrt2},
    {"sqrt(3)", std::numbers::sqrt3},
    {"sqrt(pi)", std::sqrt(std::numbers::pi)},
    {"sqrt(2 * pi)", std::sqrt(2 * std::numbers::pi)},
};

const Form forms[] = {
    {"{}", [](double x) { return x; }},
    {"1 / {}", [](double x) { return 1 / x; }},
    {"2 * {}", [](double x) { return 2 * x; }},
    {"0.5 * {}", [](double x) { return 0.5 * x; }},
    {"2 / {}", [](double x) { return 2 / x; }},
    {"0.5 / {}", [](double x) { return 0.5 / x; }},
    {"4 * {}", [](double x) { return 4 * x; }},
    {"0.25 * {}", [](double x) { return 0.25 * x; }},
    {"{} / 180", [](double x) { return x / 180; }},
    {"180 / {}", [](double x) { return 180 / x; }},
};

}  // namespace

std::optional<std::string> name_of_constant(const values::PrimValue& value) {
  if (value.type != values::PrimType::f64 && value.type != values::PrimType::f32) return std::nullopt;
  const double number = value.as_float(), size = std::abs(number);
  if (!std::isfinite(number)) return std::nullopt;
  const double last_digit = value.type == values::PrimType::f64 ? 4e-16 : 1.2e-7;
  for (const Constant& constant : constants)
    for (const Form& form : forms)
      if (std::abs(size - form.of(constant.value)) <= last_digit * size)
        return fmt::format("{}{}", number < 0 ? "-" : "", fmt::format(fmt::runtime(form.text), constant.name));
  return std::nullopt;
}

}  // namespace boustro::plan::formula
