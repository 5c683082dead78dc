// How far the functions of templates/vector_*.hpp are from the truth, in units of the last place
// (ulp): at most 2, signs of zeros, infinities and NaN included.
//
//   accuracy [STEP [FUNCTION]]      every STEPth bit pattern of float (default 509; 1 takes them all)
//
// f32 is compared with the library in f64, which is wrong by 2^-28 ulp of f32. f64 is compared with
// the library in the 64 bits of x87: glibc's manual states at most 3 ulp of those for each function
// here, which are 0.0015 ulp of f64. Arguments of f64 are random bit patterns, random numbers of the
// ranges in which something happens, the neighbours of those where something changes, and special
// ones.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "tests/math/functions.hpp"

namespace {

constexpr double bound = 2.0;

/// Distance of y from `exact` in ulp; huge where NaN, infinity or sign is another.
template <typename T, typename Wide>
double distance(T y, Wide exact) {
  const double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(exact) || std::isnan(y)) return std::isnan(exact) && std::isnan(y) ? 0 : wrong;
  if (std::signbit(exact) != std::signbit(y)) return wrong;
  using Limits = std::numeric_limits<T>;
  if (std::isinf(exact)) return std::isinf(y) ? 0 : wrong;
  // Infinity stands for the number behind the largest one.
  const Wide beyond = std::ldexp(Wide{1}, Limits::max_exponent);
  const Wide got = std::isinf(y) ? beyond : std::fabs(static_cast<Wide>(y));
  const Wide size = std::fabs(exact) > beyond ? beyond : std::fabs(exact);
  int exponent = 0;
  std::frexp(size == beyond ? static_cast<Wide>(Limits::max()) : size, &exponent);
  if (size == 0 || exponent < Limits::min_exponent) exponent = Limits::min_exponent;
  return static_cast<double>(std::fabs(got - size) / std::ldexp(Wide{1}, exponent - Limits::digits));
}

/// The worst of all arguments so far.
template <typename T, typename Wide>
struct Worst {
  const Function<T, Wide>& function;
  double ulp = 0;
  T at = 0;

  void look_at(const std::vector<T>& xs) {
    std::vector<T> ys(xs.size());
    function.loop(ys.data(), xs.data(), static_cast<int>(xs.size()));
    for (std::size_t i = 0; i < xs.size(); ++i) {
      const double here = distance(ys[i], function.exact(static_cast<Wide>(xs[i])));
      if (here > ulp || (i == 0 && ulp == 0)) ulp = here, at = xs[i];
    }
  }
  bool report() const {
    const bool good = ulp <= bound;
    std::printf("%-8s %6.3f ulp at %a%s\n", function.name, ulp, static_cast<double>(at),
                good ? "" : "  TOO FAR");
    return good;
  }
};

template <typename T, typename Bits>
T from_bits(Bits bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

bool test(const Function<float, double>& function, std::uint64_t step) {
  Worst<float, double> worst{function};
  std::vector<float> xs;
  const auto flush = [&] { worst.look_at(xs), xs.clear(); };
  // Zeros, infinities and their neighbours are always among them.
  for (const std::uint32_t sign : {0u, 0x80000000u}) {
    for (const std::uint32_t middle : {0x100u, 0x00800000u, 0x7f7fff00u, 0x7f800000u}) {
      for (std::uint32_t bits = middle - 0x100; bits < middle + 0x100; ++bits) {
        xs.push_back(from_bits<float>(sign | bits));
      }
    }
  }
  for (std::uint64_t bits = 0; bits <= 0xffffffff; bits += step) {
    xs.push_back(from_bits<float>(static_cast<std::uint32_t>(bits)));
    if (xs.size() > 4000) flush();
  }
  flush();
  return worst.report();
}

/// Numbers next to which functions change how they go about it, or reach the end of their range.
std::vector<double> places() {
  std::vector<double> result = {0x1p-1022, 0x1p-1074, 0x1p-54, 0.17, 1.0, 22, 40, 326, 710, 752, 1080,
                                // where exp, sinh and exp10 overflow, exp and exp10 become subnormal or 0
                                709.782712893384, 710.4758600739439, 308.25471555991674, 708.3964185322641,
                                745.1332191019412, 307.6526555685888, 323.6062130364209};
  for (int n = 0; n < 1080; ++n) {
    result.push_back((n + 0.5) * std::log(2.0));  // exp takes another multiple of log(2) off, tanh at the half
    result.push_back((n + 0.5) * std::log(2.0) / 2);
    result.push_back((n + 0.5) * std::log10(2.0));
    result.push_back(n + 0.5);
    result.push_back(std::ldexp(std::sqrt(0.5), n - 540));  // logarithms take another exponent
    result.push_back(std::ldexp(1.0, n - 540));
    result.push_back(std::pow(10.0, n - 308));
  }
  return result;
}

bool test(const Function<double, long double>& function) {
  Worst<double, long double> worst{function};
  std::mt19937_64 random(1);
  std::vector<double> xs = {0.0, HUGE_VAL, std::nan(""), 0x1.fffffffffffffp1023};
  for (const double place : places()) {
    double below = place, above = place;
    for (int i = 0; i < 8; ++i) {
      xs.insert(xs.end(), {below, above, place - 1.0, place + below});
      below = std::nextafter(below, -HUGE_VAL), above = std::nextafter(above, HUGE_VAL);
    }
  }
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  for (int i = 0; i < 50000; ++i) {
    xs.push_back(from_bits<double>(static_cast<std::uint64_t>(random())));
    for (const double width : {1100.0, 400.0, 40.0, 3.0, 1.0, 0.4}) xs.push_back(width * uniform());
    xs.push_back(1.0 + 0.5 * uniform()), xs.push_back(1.0 - 0.5 * uniform());
    xs.push_back(1.0 + std::ldexp(uniform(), -static_cast<int>(random() % 52)));
    xs.push_back(std::ldexp(uniform(), -static_cast<int>(random() % 60)));
  }
  std::vector<double> negative = xs;
  for (double& x : negative) x = -x;
  worst.look_at(xs);
  worst.look_at(negative);
  return worst.report();
}

}  // namespace

int main(int count, char** words) {
  const std::uint64_t step = count > 1 ? std::strtoull(words[1], nullptr, 10) : 509;
  const auto asked = [&](const char* name) { return count < 3 || std::strcmp(words[2], name) == 0; };
  bool good = true;
  for (const auto& function : functions_f64) good = (!asked(function.name) || test(function)) && good;
  for (const auto& function : functions_f32) good = (!asked(function.name) || test(function, step)) && good;
  return good ? 0 : 1;
}
