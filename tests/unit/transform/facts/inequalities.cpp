#include "transform/facts/inequalities.hpp"

#include <map>
#include <random>

#include <boost/test/unit_test.hpp>

namespace inequalities_tests {

using namespace boustro::ir;
using boustro::facts::Inequalities;
using boustro::facts::Polynomial;

namespace {

const Name d{"d", 1}, t{"t", 2}, u{"u", 3};

std::int64_t value(const Polynomial& p, const std::map<Name, std::int64_t>& at) {
  std::int64_t sum = 0;
  for (const auto& [product, coefficient] : p.terms()) {
    std::int64_t term = coefficient;
    for (const Name& name : product) term *= at.at(name);
    sum += term;
  }
  return sum;
}

Inequalities all(const std::vector<Polynomial>& known) {
  Inequalities result;
  for (const Polynomial& p : known) result.add(p);
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inequalities)

// u < t < d
BOOST_AUTO_TEST_CASE(chains_are_followed) {
  const Inequalities known = all({Polynomial(u), Polynomial(t) - Polynomial(u) - 1, Polynomial(d) - Polynomial(t) - 1});
  BOOST_TEST(known.imply_not_negative(Polynomial(d) - Polynomial(u) - 2));
  BOOST_TEST(!known.imply_not_negative(Polynomial(d) - Polynomial(u) - 3));
  BOOST_TEST(known.imply_not_negative((Polynomial(d) - 1) * Polynomial(t) - Polynomial(t) * Polynomial(t)));
}

BOOST_AUTO_TEST_CASE(names_without_inequalities_prove_nothing) {
  const Inequalities known = all({Polynomial(u)});
  BOOST_TEST(known.imply_not_negative(Polynomial(u) * Polynomial(u)));
  BOOST_TEST(!known.imply_not_negative(Polynomial(u) + Polynomial(t)));
  BOOST_TEST(!known.imply_not_negative(Polynomial(u) * Polynomial(t)));
}

BOOST_AUTO_TEST_CASE(claims_hold_for_random_polynomials) {
  int proven = 0;
  for (unsigned seed = 0; seed < 20'000; ++seed) {
    std::mt19937 random(seed);
    const std::vector<Polynomial> names{d, t, u};
    const auto number = [&](int most) { return Polynomial(static_cast<std::int64_t>(random() % (2 * most + 1)) - most); };
    const auto linear = [&](int most) { return number(most) * names[0] + number(most) * names[1] + number(most) * names[2] + number(2); };
    std::vector<Polynomial> known{Polynomial(u)};
    for (int i = 0; i < 4; ++i) known.push_back(linear(1));
    const Polynomial p = linear(2) * linear(1) + linear(2);
    if (!all(known).imply_not_negative(p)) continue;
    ++proven;
    BOOST_TEST_INFO_SCOPE("seed " << seed << ": " << to_string(p));
    const auto holds = [](const Polynomial& q, const std::map<Name, std::int64_t>& at) { return value(q, at) >= 0; };
    for (std::int64_t x = -4; x < 8; ++x)
      for (std::int64_t y = -4; y < 8; ++y)
        for (std::int64_t z = -4; z < 8; ++z) {
          const std::map<Name, std::int64_t> at{{d, x}, {t, y}, {u, z}};
          if (std::all_of(known.begin(), known.end(), [&](const Polynomial& q) { return holds(q, at); })) BOOST_TEST(holds(p, at));
        }
  }
  BOOST_TEST(proven > 400);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace inequalities_tests
