#include "transform/facts/sizes.hpp"

#include "tests/unit/transform/inspect.hpp"
#include "transform/ir/scalar.hpp"

namespace sizes_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
using boustro::facts::Polynomial;
using boustro::facts::Sizes;

namespace {

/// Two sizes, two indices below them, and a number of which nothing is known.
struct Bed {
  TestProgram program;
  Builder b{program.names};
  Name n = program.names.bind_fresh("n", integer), m = program.names.bind_fresh("m", integer);
  Name i = program.names.bind_fresh("i", integer), j = program.names.bind_fresh("j", integer);
  Name k = program.names.bind_fresh("k", integer);
  Sizes sizes;

  Bed() {
    sizes.declare(reals({n, m}));
    sizes.declare_index(i, n);
    sizes.declare_index(j, m);
  }
  Atom let(BinOpKind kind, const Atom& x, const Atom& y) {
    const Atom result = b.binop("x", kind, x, y);
    sizes.define(b.stms.back());
    return result;
  }
  Atom add(const Atom& x, const Atom& y) { return let(BinOpKind::add, x, y); }
  Atom sub(const Atom& x, const Atom& y) { return let(BinOpKind::sub, x, y); }
  Atom mul(const Atom& x, const Atom& y) { return let(BinOpKind::mul, x, y); }
};

}  // namespace

BOOST_AUTO_TEST_CASE(polynomials_are_equal_if_their_numbers_are) {
  Bed t;
  const Polynomial n(t.n), m(t.m);
  BOOST_TEST(((n + m) * (n - m) == n * n - m * m));
  BOOST_TEST(((n + Polynomial(1)) * m == m + m * n));
  BOOST_TEST((n * m - m * n == Polynomial(0)));
  BOOST_TEST(!(n * m == n + m));
  BOOST_TEST((Polynomial(INT64_MAX) + Polynomial(1) == Polynomial(INT64_MIN)));
}

BOOST_AUTO_TEST_CASE(polynomials_are_taken_apart_by_a_name) {
  Bed t;
  const Polynomial n(t.n), m(t.m), p = Polynomial(3) * n * m - n + Polynomial(5);
  const auto linear = p.linear_in(t.n);
  BOOST_REQUIRE(linear.has_value());
  BOOST_TEST((linear->slope == Polynomial(3) * m - Polynomial(1)));
  BOOST_TEST((linear->rest == Polynomial(5)));
  BOOST_TEST(!(n * n).linear_in(t.n).has_value());
  BOOST_TEST((p.with(t.n, Polynomial(2)) == Polynomial(6) * m + Polynomial(3)));
  BOOST_TEST((p.names() == NameSet{t.n, t.m}));
  BOOST_TEST((Polynomial(7).constant() == 7));
  BOOST_TEST(!n.constant().has_value());
  BOOST_TEST(to_string(p) == "3*m*n - n + 5");
  BOOST_TEST(to_string(n - n) == "0");
}

BOOST_AUTO_TEST_CASE(statements_define_numbers) {
  Bed t;
  const Atom flat = t.add(t.mul(t.i, t.m), t.j);
  BOOST_TEST((t.sizes.value(flat) == Polynomial(t.i) * Polynomial(t.m) + Polynomial(t.j)));
  BOOST_TEST(t.sizes.equal(t.sub(flat, t.j), t.mul(t.m, t.i)));
  BOOST_TEST(!t.sizes.equal(t.n, t.m));
  BOOST_TEST(t.sizes.equal(t.sub(t.k, t.k), i64(0)));  // whatever it is
}

BOOST_AUTO_TEST_CASE(indices_are_in_bounds) {
  Bed t;
  const Atom flat = t.add(t.mul(t.i, t.m), t.j), size = t.mul(t.n, t.m);
  BOOST_TEST(t.sizes.in_bounds(t.i, t.n));
  BOOST_TEST(t.sizes.in_bounds(flat, size));
  BOOST_TEST(t.sizes.in_bounds(t.sub(t.sub(t.n, t.i), i64(1)), t.n));
  BOOST_TEST(t.sizes.in_bounds(t.i, t.add(t.n, t.m)));
  for (const Atom& outside : {t.add(t.i, i64(1)), t.sub(t.i, i64(1)), t.sub(t.n, t.i), Atom(t.j), Atom(t.k), t.add(flat, t.m)})
    BOOST_TEST(!t.sizes.in_bounds(outside, t.n));
}

BOOST_AUTO_TEST_CASE(bounds_of_inner_indices_may_depend_on_outer_ones) {
  Bed t;
  const Atom below = t.sub(t.i, t.j);  // of any sign
  const Name l = t.program.names.bind_fresh("l", integer);
  t.sizes.declare_index(l, t.add(t.i, i64(1)));
  BOOST_TEST(t.sizes.in_bounds(l, t.n));  // l <= i < n
  BOOST_TEST(t.sizes.in_bounds(t.sub(t.i, l), t.n));
  BOOST_TEST(!t.sizes.in_bounds(t.add(l, t.i), t.n));
  BOOST_TEST(!t.sizes.not_negative(t.sizes.value(below)));
  BOOST_TEST(!t.sizes.not_negative(Polynomial() - t.sizes.value(below)));
}

BOOST_AUTO_TEST_CASE(least_greatest_quotient_and_remainder_have_bounds) {
  Bed t;
  const Atom least = t.let(BinOpKind::min, t.n, t.m), most = t.let(BinOpKind::max, t.n, t.m);
  const auto value = [&](const Atom& atom) { return t.sizes.value(atom); };
  BOOST_TEST(t.sizes.at_most(value(least), value(t.n)));
  BOOST_TEST(t.sizes.at_most(value(least), value(t.m)));
  BOOST_TEST(t.sizes.at_most(value(t.m), value(most)));
  BOOST_TEST(t.sizes.at_most(value(least), value(most)));
  BOOST_TEST(!t.sizes.at_most(value(most), value(t.n)));
  BOOST_TEST(!t.sizes.at_most(value(t.n), value(least)));
  BOOST_TEST(t.sizes.equal(t.let(BinOpKind::max, i64(0), t.n), t.n));
  const Atom steps = t.let(BinOpKind::max, t.sub(t.n, i64(1)), i64(0));
  BOOST_TEST(t.sizes.at_most(value(steps), value(t.n)));
  BOOST_TEST(!t.sizes.at_most(value(steps), value(t.sub(t.n, i64(1)))));
  BOOST_TEST(!t.sizes.at_most(value(t.let(BinOpKind::max, t.sub(t.n, i64(2)), i64(0))), value(t.sub(t.n, i64(1)))));
  const Atom half = t.let(BinOpKind::quot, t.n, i64(2)), last = t.sub(t.n, i64(1));
  BOOST_TEST(t.sizes.at_most(value(half), value(t.n)));
  BOOST_TEST(t.sizes.not_negative(value(half)));
  BOOST_TEST(!t.sizes.not_negative(value(t.let(BinOpKind::quot, last, i64(2)))));
  const Atom row = t.let(BinOpKind::mod, t.k, i64(4)), of_index = t.let(BinOpKind::rem, t.i, i64(4));
  BOOST_TEST(!t.sizes.in_bounds(row, i64(4)));  // nothing is known of k, not even that it is a number like others
  BOOST_TEST(t.sizes.in_bounds(of_index, i64(4)));
  BOOST_TEST(!t.sizes.in_bounds(of_index, i64(3)));
}

BOOST_AUTO_TEST_CASE(numbers_that_may_overflow_are_not_compared) {
  Bed t;
  const Atom next = t.add(t.k, i64(1));
  BOOST_TEST(!t.sizes.at_most(t.sizes.value(t.k), t.sizes.value(next)));
  BOOST_TEST(!t.sizes.less(t.sizes.value(t.k), t.sizes.value(next)));
  BOOST_TEST(t.sizes.at_most(t.sizes.value(next), t.sizes.value(next)));
}

BOOST_AUTO_TEST_CASE(upper_bounds_leave_out_what_varies) {
  Bed t;
  const Polynomial n(t.n), m(t.m), i(t.i), j(t.j);
  BOOST_TEST((t.sizes.upper_bound(i * m + j, {t.i, t.j}) == n * m - Polynomial(1)));
  BOOST_TEST((t.sizes.upper_bound(n - i, {t.i}) == n));
  BOOST_TEST((t.sizes.upper_bound(i + j, {t.i}) == n - Polynomial(1) + j));
  BOOST_TEST(!t.sizes.upper_bound(Polynomial(t.k), {t.k}).has_value());
  BOOST_TEST(!t.sizes.upper_bound(n, {t.n}).has_value());
}

/// What is claimed holds for all small values of the names.
BOOST_AUTO_TEST_CASE(sizes_hold_for_random_arithmetic) {
  int claimed = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    Bed t;
    std::vector<Atom> atoms{t.n, t.m, t.i, t.j, i64(0), i64(1), i64(2)};
    const BinOpKind kinds[] = {BinOpKind::add, BinOpKind::sub, BinOpKind::mul, BinOpKind::min, BinOpKind::max, BinOpKind::quot, BinOpKind::mod};
    for (int s = 0; s < 5; ++s) {
      const BinOpKind kind = kinds[random() % 7];
      const bool divides = kind == BinOpKind::quot || kind == BinOpKind::mod;
      const Atom x = atoms[random() % atoms.size()], y = divides ? i64(1 + random() % 3) : atoms[random() % atoms.size()];
      atoms.push_back(t.let(kind, x, y));
    }
    const Atom x = atoms.back(), y = atoms[random() % atoms.size()];
    const bool at_most = t.sizes.at_most(t.sizes.value(x), t.sizes.value(y)), equal = t.sizes.equal(x, y);
    const bool not_negative = t.sizes.not_negative(t.sizes.value(x));
    const auto bound = t.sizes.upper_bound(t.sizes.value(x), {t.i, t.j});
    claimed += at_most + not_negative + bound.has_value();
    for (std::int64_t n = 1; n < 4; ++n)
      for (std::int64_t m = 1; m < 4; ++m)
        for (std::int64_t i = 0; i < n; ++i)
          for (std::int64_t j = 0; j < m; ++j) {
            std::map<Name, std::int64_t> values{{t.n, n}, {t.m, m}, {t.i, i}, {t.j, j}};
            const auto number = [&](const Atom& atom) {
              const Name* name = name_in(atom);
              return name ? values.at(*name) : std::get<PrimValue>(atom).as_int();
            };
            for (const Stm& stm : t.b.stms) {
              const auto& op = std::get<BinOp>(stm.exp);
              const auto of = [](std::int64_t v) { return PrimValue::of_int(PrimType::i64, v); };
              values[stm.pattern[0].name] = boustro::ir::apply(op.kind, of(number(op.lhs)), of(number(op.rhs)))->as_int();
            }
            BOOST_TEST_INFO_SCOPE("seed " << seed << ": n = " << n << ", m = " << m << ", i = " << i << ", j = " << j);
            if (at_most) BOOST_TEST(number(x) <= number(y));
            if (equal) BOOST_TEST(number(x) == number(y));
            if (not_negative) BOOST_TEST(number(x) >= 0);
            if (!bound) continue;
            Polynomial most = *bound;
            for (const auto& [name, value] : values) most = most.with(name, Polynomial(value));
            BOOST_TEST(number(x) <= most.constant().value());
          }
  }
  BOOST_TEST(claimed > 200);
}

}  // namespace sizes_tests
