// Every scalar operator, function and conversion of every type: its derivative, or the refusal that is listed here. Smooth
// ones against central differences at many points, in both modes; all against what the same operator has as a derivative in
// f64; corners one by one.
#include <fmt/format.h>

#include <set>

#include "frontend/source/diagnostics.hpp"
#include "tests/unit/transform/ad/check_derivative.hpp"

namespace boustro::ad::testing {

namespace {

constexpr PrimType float_types[] = {PrimType::f16, PrimType::f32, PrimType::f64};
constexpr PrimType integer_types[] = {PrimType::i8, PrimType::i16, PrimType::i32, PrimType::i64,
                                      PrimType::u8, PrimType::u16, PrimType::u32, PrimType::u64};

PrimValue number(PrimType type, double x) {
  return values::is_float(type) ? PrimValue::of_float(type, x)
         : type == PrimType::boolean ? PrimValue::of_bool(x != 0)
                                     : PrimValue::of_int(type, static_cast<std::int64_t>(x));
}
double as_double(const PrimValue& x) {
  return values::is_float(x.type) ? x.as_float()
         : x.type == PrimType::boolean ? static_cast<double>(x.as_bool())
                                         : static_cast<double>(x.as_int());
}

/// An operator on operands of these types.
struct Operation {
  std::vector<PrimType> operands;
  std::function<Exp(const std::vector<Atom>&)> make;
};

Operation operation(UnOpKind kind, PrimType type) {
  return {{type}, [=](const std::vector<Atom>& x) { return UnOp{kind, type, x[0]}; }};
}
Operation operation(BinOpKind kind, PrimType type) {
  return {{type, type}, [=](const std::vector<Atom>& x) { return BinOp{kind, type, x[0], x[1]}; }};
}
Operation operation(CmpOpKind kind, PrimType type) {
  return {{type, type}, [=](const std::vector<Atom>& x) { return CmpOp{kind, type, x[0], x[1]}; }};
}
Operation operation(MathFn fn, PrimType type) {
  Operation result{{}, [=](const std::vector<Atom>& x) { return MathOp{fn, type, x}; }};
  for (int i = 0; i < arity_of(fn); ++i) result.operands.push_back(argument_type_of(fn, type, i));
  return result;
}
Operation conversion(PrimType from, PrimType to) {
  return {{from}, [=](const std::vector<Atom>& x) { return Convert{from, to, x[0]}; }};
}

/// The derivative with respect to one operand, in the mode asked for, at any point.
class Derivative {
 public:
  Derivative(const Operation& op, std::size_t operand, bool forward) {
    FunctionMaker f = p_.function("f");
    std::vector<Atom> args;
    for (const PrimType type : op.operands) args.emplace_back(f.param("x", scalar(type)));
    const Lambda fn = f.lambda({{"x", scalar(op.operands[operand])}}, [&](Builder& b, const std::vector<Name>& x) {
      std::vector<Atom> all = args;
      all[operand] = x[0];
      return std::vector<Atom>{b.let("y", op.make(all))};
    });
    const PrimType seed = forward ? op.operands[operand] : fn.result_types.at(0).elem;
    const Atom one = PrimValue::one(seed);
    const Exp derivative = forward ? Exp(Jvp{fn, {args[operand]}, {one}, {}}) : Exp(Vjp{fn, {args[operand]}, {one}, {}});
    const auto results = f.let_all({"y", "d"}, derivative);
    f.returns({results[0], results[1]});
    derived_ = differentiated(p_.program);
  }
  /// The value, and the derivative.
  std::pair<double, double> at(const std::vector<PrimValue>& point) const {
    std::vector<Value> args;
    for (const PrimValue& x : point) args.push_back(Value::of(x));
    const auto results = run_entry(derived_, "f", args);
    return {as_double(results[0].element(0)), as_double(results[1].element(0))};
  }

 private:
  TestProgram p_;
  Program derived_;
};

/// The derivative in both modes, which must agree; nullopt if it is refused, in both.
std::optional<Derivative> derivative_of(const Operation& op, std::size_t operand) {
  std::optional<Derivative> modes[2];
  for (const bool forward : {false, true}) {
    try {
      modes[forward].emplace(op, operand, forward);
    } catch (const source::Refusal&) {
    }
  }
  BOOST_TEST(modes[0].has_value() == modes[1].has_value());
  return std::move(modes[0]);
}

const double points[] = {-2.75, -1.5, -0.875, -0.625, -0.25, 0.25, 0.375, 0.625, 0.875, 1.125, 1.75, 2.5, 3.25};

/// Calls with every combination of points, the operands' types being respected.
void at_points(const Operation& op, const std::function<void(const std::vector<PrimValue>&)>& check) {
  std::vector<std::size_t> chosen(op.operands.size(), 0);
  std::mt19937 random(5);
  for (int i = 0; i < 60; ++i) {
    std::vector<PrimValue> point;
    for (const PrimType type : op.operands)
      point.push_back(number(type, values::is_float(type) ? points[random() % std::size(points)] : static_cast<double>(1 + random() % 5)));
    check(point);
  }
}

/// All operators and functions of a float type.
std::vector<std::pair<std::string, Operation>> float_operations(PrimType type) {
  std::vector<std::pair<std::string, Operation>> all;
  for (const UnOpKind kind : {UnOpKind::neg, UnOpKind::abs, UnOpKind::sgn})
    all.emplace_back(name_of(kind), operation(kind, type));
  for (const BinOpKind kind : {BinOpKind::add, BinOpKind::sub, BinOpKind::mul, BinOpKind::div, BinOpKind::mod,
                               BinOpKind::pow, BinOpKind::min, BinOpKind::max})
    all.emplace_back(name_of(kind), operation(kind, type));
  for (int i = 0; i < static_cast<int>(MathFn::to_bits); ++i) {
    const auto fn = static_cast<MathFn>(i);
    if (fn == MathFn::isnan || fn == MathFn::isinf) continue;  // below, with the comparisons
    all.emplace_back(name_of(fn), operation(fn, type));
  }
  return all;
}

/// Far from the operator's jumps and kinks, where differences say nothing.
bool is_smooth_at(const std::string& name, const std::vector<PrimValue>& point) {
  const auto x = [&](std::size_t i) { return as_double(point[i]); };
  if (name == "min" || name == "max") return x(0) != x(1);
  if (name == "mod") return std::abs(x(0) / x(1) - std::round(x(0) / x(1))) > 1e-3;
  if (name == "round") return std::abs(x(0) - std::floor(x(0)) - 0.5) > 1e-3;
  return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(floats_against_differences) {
  for (const auto& [name, op] : float_operations(PrimType::f64))
    for (std::size_t k = 0; k < op.operands.size(); ++k)
      BOOST_TEST_CONTEXT(name << ", operand " << k) {
        const auto derivative = derivative_of(op, k);
        BOOST_TEST_REQUIRE(derivative.has_value());
        const Derivative forward(op, k, true);
        int compared = 0;
        at_points(op, [&](const std::vector<PrimValue>& point) {
          const auto [y, d] = derivative->at(point);
          const double d_forward = forward.at(point).second;
          BOOST_TEST((d == d_forward || (std::isnan(d) && std::isnan(d_forward))));
          if (!values::is_float(op.operands[k]) || !std::isfinite(y) || !is_smooth_at(name, point)) return;
          const auto moved = [&](double step) {
            std::vector<PrimValue> near = point;
            near[k] = number(PrimType::f64, as_double(point[k]) + step);
            return derivative->at(near).first;
          };
          const double h = 1e-4;  // of fourth order
          const double difference = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
          if (!std::isfinite(difference)) return;
          BOOST_TEST(std::abs(d - difference) <= 1e-7 * (1 + std::abs(d)),
                     "at " << as_double(point[0]) << ": " << d << ", by differences " << difference);
          ++compared;
        });
        if (values::is_float(op.operands[k])) BOOST_TEST(compared >= 10);
      }
}

BOOST_AUTO_TEST_CASE(narrow_floats_as_f64) {
  for (const PrimType type : {PrimType::f32, PrimType::f16}) {
    const double tolerance = type == PrimType::f32 ? 1e-4 : 0.1;
    const auto narrow = float_operations(type), wide = float_operations(PrimType::f64);
    for (std::size_t i = 0; i < narrow.size(); ++i)
      for (std::size_t k = 0; k < wide[i].second.operands.size(); ++k)
        BOOST_TEST_CONTEXT(narrow[i].first << " of " << values::name_of(type) << ", operand " << k) {
          const auto one = derivative_of(narrow[i].second, k), other = derivative_of(wide[i].second, k);
          BOOST_TEST_REQUIRE((one.has_value() && other.has_value()));
          at_points(wide[i].second, [&](const std::vector<PrimValue>& point) {
            std::vector<PrimValue> narrow_point;
            for (std::size_t j = 0; j < point.size(); ++j)
              narrow_point.push_back(number(narrow[i].second.operands[j], as_double(point[j])));
            const double d = one->at(narrow_point).second, expected = other->at(point).second;
            if (!std::isfinite(expected) || !is_smooth_at(narrow[i].first, point)) return;
            BOOST_TEST(std::abs(d - expected) <= tolerance * (1 + std::abs(expected)), d << ", in f64 " << expected);
          });
        }
  }
}

BOOST_AUTO_TEST_CASE(what_is_refused) {
  std::set<std::string> refused;
  const auto note = [&](const std::string& name, const Operation& op) {
    for (std::size_t k = 0; k < op.operands.size(); ++k)
      if (!derivative_of(op, k)) refused.insert(fmt::format("{} {}", name, k));
  };
  for (const PrimType type : integer_types) {
    for (const UnOpKind kind : {UnOpKind::neg, UnOpKind::complement, UnOpKind::abs, UnOpKind::sgn})
      note(std::string(name_of(kind)), operation(kind, type));
    for (int i = 0; i <= static_cast<int>(BinOpKind::ushr); ++i)
      note(std::string(name_of(static_cast<BinOpKind>(i))), operation(static_cast<BinOpKind>(i), type));
    for (const MathFn fn : {MathFn::popc, MathFn::clz, MathFn::ctz, MathFn::mul_hi, MathFn::mad_hi})
      note(std::string(name_of(fn)), operation(fn, type));
  }
  const std::set<std::string> expected{
      "pow 1", "bit_and 0", "bit_and 1", "bit_or 0", "bit_or 1", "bit_xor 0", "bit_xor 1", "shl 1", "shr 0", "shr 1",
      "ushr 0", "ushr 1", "popc 0", "mul_hi 0", "mul_hi 1", "mad_hi 0", "mad_hi 1", "mad_hi 2"};
  BOOST_TEST(refused == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(integers_wrap_around) {
  for (const PrimType type : integer_types)
    BOOST_TEST_CONTEXT(values::name_of(type)) {
      const auto at = [&](BinOpKind kind, std::size_t k, double x, double y) {
        return derivative_of(operation(kind, type), k)->at({number(type, x), number(type, y)}).second;
      };
      BOOST_TEST(at(BinOpKind::mul, 0, 3, 5) == 5);
      BOOST_TEST(at(BinOpKind::mul, 1, 3, 5) == 3);
      BOOST_TEST(at(BinOpKind::add, 0, 3, 5) == 1);
      BOOST_TEST(at(BinOpKind::sub, 1, 3, 5) == as_double(values::is_unsigned(type) ? PrimValue::of_int(type, -1) : number(type, -1)));
      BOOST_TEST(at(BinOpKind::pow, 0, 3, 4) == 4 * 27);
      BOOST_TEST(at(BinOpKind::mod, 0, 7, 5) == 1);
      BOOST_TEST(at(BinOpKind::min, 0, 3, 5) == 1);
      BOOST_TEST(at(BinOpKind::min, 1, 3, 5) == 0);
      BOOST_TEST(at(BinOpKind::max, 0, 3, 5) == 0);
      BOOST_TEST(at(BinOpKind::shl, 0, 3, 2) == 4);
    }
}

BOOST_AUTO_TEST_CASE(scalar_rules_of_integers) {
  for (const PrimType type : integer_types)
    BOOST_TEST_CONTEXT(values::name_of(type)) {
      const auto at = [&](const auto& kind, std::size_t k, std::vector<int> x) {
        std::vector<PrimValue> point;
        for (const int v : x) point.push_back(PrimValue::of_int(type, v));
        return derivative_of(operation(kind, type), k)->at(point).second;
      };
      const auto same = [&](double x, int expected) { BOOST_TEST(x == as_double(PrimValue::of_int(type, expected))); };
      same(at(BinOpKind::div, 1, {7, 2}), -1);
      same(at(BinOpKind::quot, 0, {7, 1}), 1);
      same(at(BinOpKind::quot, 0, {7, 2}), 0);  // of the adjoint, as the quotient itself
      same(at(BinOpKind::quot, 1, {7, 2}), -1);
      same(at(BinOpKind::mod, 1, {7, 2}), -3);
      same(at(BinOpKind::rem, 0, {7, 2}), 1);
      same(at(BinOpKind::rem, 1, {7, 2}), -3);
      same(at(BinOpKind::pow, 0, {3, 0}), 0);
      same(at(UnOpKind::neg, 0, {3}), -1);
      same(at(UnOpKind::complement, 0, {3}), -1);
      same(at(UnOpKind::abs, 0, {3}), 1);
      same(at(UnOpKind::abs, 0, {0}), values::is_unsigned(type) ? 1 : 0);
      same(at(UnOpKind::sgn, 0, {3}), 0);
      if (values::is_unsigned(type)) continue;
      same(at(UnOpKind::abs, 0, {-3}), -1);
      same(at(BinOpKind::div, 1, {-7, 2}), 2);
      same(at(BinOpKind::mod, 1, {-7, 2}), 4);
      same(at(BinOpKind::rem, 1, {-7, 2}), 3);
    }
}

/// The bits of a tangent are the tangent of the bits, and the other way round for adjoints.
BOOST_AUTO_TEST_CASE(bit_patterns) {
  const auto at = [](MathFn fn, bool forward, const PrimValue& x) {
    return Derivative(operation(fn, PrimType::f32), 0, forward).at({x}).second;
  };
  const PrimValue x = PrimValue::of_float(PrimType::f32, 3), bits = PrimValue::of_int(PrimType::u32, 1077936128);
  BOOST_TEST(at(MathFn::to_bits, true, x) == 1065353216);
  BOOST_TEST(at(MathFn::from_bits, false, bits) == 1065353216);
  BOOST_TEST(at(MathFn::to_bits, false, x) == 0x1p-149);
  BOOST_TEST(at(MathFn::from_bits, true, bits) == 0x1p-149);
}

BOOST_AUTO_TEST_CASE(booleans) {
  const auto at = [](const Operation& op, std::size_t k, std::vector<bool> x) {
    std::vector<PrimValue> point;
    for (const bool b : x) point.push_back(PrimValue::of_bool(b));
    return derivative_of(op, k)->at(point).second != 0;
  };
  const PrimType b = PrimType::boolean;
  for (const bool x : {false, true})
    for (const bool y : {false, true}) {
      BOOST_TEST(at(operation(BinOpKind::bit_and, b), 0, {x, y}) == y);
      BOOST_TEST(at(operation(BinOpKind::bit_or, b), 0, {x, y}) == !y);
      BOOST_TEST(at(operation(BinOpKind::bit_xor, b), 1, {x, y}));
      BOOST_TEST(at(operation(UnOpKind::complement, b), 0, {x}));
    }
}

BOOST_AUTO_TEST_CASE(comparisons_and_tests_are_locally_constant) {
  std::vector<PrimType> all(std::begin(float_types), std::end(float_types));
  all.insert(all.end(), std::begin(integer_types), std::end(integer_types));
  for (const PrimType type : all)
    for (const CmpOpKind kind : {CmpOpKind::eq, CmpOpKind::ne, CmpOpKind::lt, CmpOpKind::le})
      for (const std::size_t k : {0, 1})
        BOOST_TEST(derivative_of(operation(kind, type), k)->at({number(type, 2), number(type, 2)}).second == 0);
  for (const PrimType type : float_types)
    for (const MathFn fn : {MathFn::isnan, MathFn::isinf})
      BOOST_TEST(derivative_of(operation(fn, type), 0)->at({number(type, 2)}).second == 0);
}

BOOST_AUTO_TEST_CASE(conversions_are_their_own_derivative) {
  std::vector<PrimType> all(std::begin(float_types), std::end(float_types));
  all.insert(all.end(), std::begin(integer_types), std::end(integer_types));
  all.push_back(PrimType::boolean);
  for (const PrimType from : all)
    for (const PrimType to : all) {
      if (from == to) continue;
      BOOST_TEST_CONTEXT(values::name_of(to) << "." << values::name_of(from)) {
        const auto derivative = derivative_of(conversion(from, to), 0);
        BOOST_TEST_REQUIRE(derivative.has_value());
        BOOST_TEST(derivative->at({number(from, 2)}).second == 1);
      }
    }
}

BOOST_AUTO_TEST_CASE(corners) {
  const auto at = [](const auto& kind, std::size_t k, std::vector<double> x) {
    std::vector<PrimValue> point;
    for (const double v : x) point.push_back(number(PrimType::f64, v));
    return derivative_of(operation(kind, PrimType::f64), k)->at(point).second;
  };
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  // Powers: no 0 * inf.
  BOOST_TEST(at(BinOpKind::pow, 0, {0, 1}) == 1);
  BOOST_TEST(at(BinOpKind::pow, 1, {0, 1}) == 0);
  BOOST_TEST(at(BinOpKind::pow, 0, {0, 0}) == 0);
  BOOST_TEST(at(BinOpKind::pow, 1, {0, 0}) == 0);
  BOOST_TEST(at(BinOpKind::pow, 0, {-2, 3}) == 12);
  BOOST_TEST(at(BinOpKind::pow, 0, {0, 0.5}) == inf);
  // The first operand wins ties, and a number wins against a NaN.
  for (const BinOpKind kind : {BinOpKind::min, BinOpKind::max}) {
    BOOST_TEST(at(kind, 0, {2, 2}) == 1);
    BOOST_TEST(at(kind, 1, {2, 2}) == 0);
    BOOST_TEST(at(kind, 0, {nan, 2}) == 0);
    BOOST_TEST(at(kind, 1, {nan, 2}) == 1);
    BOOST_TEST(at(kind, 0, {2, nan}) == 1);
    BOOST_TEST(at(kind, 1, {2, nan}) == 0);
  }
  BOOST_TEST(at(UnOpKind::abs, 0, {0}) == 0);
  BOOST_TEST(at(UnOpKind::abs, 0, {-3}) == -1);
  BOOST_TEST(at(MathFn::sqrt, 0, {0}) == inf);
  BOOST_TEST(at(MathFn::cbrt, 0, {0}) == inf);
  BOOST_TEST(at(MathFn::log, 0, {0}) == inf);
  // Distances: nothing at the origin, no overflow and no underflow elsewhere.
  for (const std::size_t k : {0, 1}) {
    BOOST_TEST(at(MathFn::hypot, k, {0, 0}) == 0);
    BOOST_TEST(at(MathFn::atan2, k, {0, 0}) == 0);
  }
  BOOST_TEST(std::abs(at(MathFn::atan2, 0, {1e-200, 1e-200}) / 5e199 - 1) < 1e-12);
  BOOST_TEST(std::abs(at(MathFn::atan2, 1, {1e200, 1e200}) / -5e-201 - 1) < 1e-12);
  BOOST_TEST(std::abs(at(MathFn::hypot, 0, {1e200, 1e200}) - std::sqrt(0.5)) < 1e-12);
  // The gamma function: psi(1) is minus Euler's constant, psi(1/2) that minus 2 log 2.
  BOOST_TEST(std::abs(at(MathFn::lgamma, 0, {1}) + 0.57721566490153286) < 1e-14);
  BOOST_TEST(std::abs(at(MathFn::lgamma, 0, {0.5}) + 1.96351002602142347) < 1e-14);
  for (const int k : {1, 12, 20}) {  // psi(x + 1) = psi(x) + 1 / x
    long double psi = -1.96351002602142347944L;
    for (int i = 0; i < k; ++i) psi += 1 / (0.5L + i);
    BOOST_TEST(std::abs(at(MathFn::lgamma, 0, {k + 0.5}) - static_cast<double>(psi)) < 1e-14);
    BOOST_TEST(std::abs(at(MathFn::lgamma, 0, {0.5 - k}) - static_cast<double>(psi)) < 1e-13);  // psi(1 - x) = psi(x) + pi / tan(pi x)
  }
  BOOST_TEST(std::abs(at(MathFn::gamma, 0, {5}) - 24 * 1.50611766843180047) < 1e-11);
  // No squares and no quotients that overflow where the derivative does not.
  BOOST_TEST(std::abs(at(MathFn::asinh, 0, {1e200}) * 1e200 - 1) < 1e-12);
  BOOST_TEST(std::abs(at(MathFn::acosh, 0, {1e200}) * 1e200 - 1) < 1e-12);
  BOOST_TEST(at(BinOpKind::mod, 1, {1, 0.1}) == -9);  // 1 % 0.1 is 1 - 9 * 0.1, although 1 / 0.1 is 10
  // Signs are discrete, of zeros too.
  BOOST_TEST(at(MathFn::copysign, 0, {2, -0.0}) == -1);
  BOOST_TEST(at(MathFn::copysign, 0, {-2, -3}) == 1);
  BOOST_TEST(at(MathFn::copysign, 1, {2, 3}) == 0);
  BOOST_TEST(at(MathFn::nextafter, 0, {2, 3}) == 1);
  BOOST_TEST(at(MathFn::nextafter, 1, {2, 3}) == 0);
}

}  // namespace boustro::ad::testing
