#include "transform/facts/access.hpp"

#include <set>

#include "tests/unit/transform/inspect.hpp"
#include "transform/ir/scalar.hpp"

namespace access_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
using namespace boustro::facts;

namespace {

/// A nest of i < n, j < m, l < 4 around arithmetic.
struct Bed {
  TestProgram program;
  Builder b{program.names};
  Name n = number("n"), m = number("m"), i = number("i"), j = number("j"), l = number("l"), start = number("start");
  Name is = program.names.bind_fresh("is", integers({n}));

  Name number(const char* base) { return program.names.bind_fresh(base, integer); }
  Atom let(BinOpKind kind, const Atom& x, const Atom& y) { return b.binop("x", kind, x, y); }
  Atom add(const Atom& x, const Atom& y) { return let(BinOpKind::add, x, y); }
  Atom mul(const Atom& x, const Atom& y) { return let(BinOpKind::mul, x, y); }
  std::vector<IndexRange> nest() const { return {{i, n}, {j, m}, {l, i64(4)}}; }
  Accesses accesses() const { return Accesses(nest(), b.stms); }
};

const Along constant{Along::Kind::constant, 0}, other{Along::Kind::other, 0};
Along linear(const Polynomial& stride) { return {Along::Kind::linear, stride}; }
using Alongs = std::vector<Along>;

}  // namespace

BOOST_AUTO_TEST_CASE(constant_indices_tell_parts_apart) {
  Bed t;
  const DimIndex zero{i64(0)}, one{i64(1)}, i{t.i}, all{Slice{i64(0), t.n, i64(1)}};
  BOOST_TEST(are_disjoint({zero}, {one}));
  BOOST_TEST(are_disjoint({i, zero}, {i, one}));
  BOOST_TEST(are_disjoint({all, i, zero}, {i, i, one}));
  BOOST_TEST(!are_disjoint({zero}, {zero}));
  BOOST_TEST(!are_disjoint({zero, i}, {zero, one}));
  BOOST_TEST(!are_disjoint({zero}, {zero, one}));
  BOOST_TEST(!are_disjoint({}, {one}));
}

BOOST_AUTO_TEST_CASE(rows_and_columns_have_strides) {
  Bed t;
  const Shape shape{t.n, t.m};
  BOOST_TEST((t.accesses().along({t.i, t.j}, shape) == Alongs{linear(Polynomial(t.m)), linear(1), constant}));
  BOOST_TEST((t.accesses().along({t.j, t.i}, shape) == Alongs{linear(1), linear(Polynomial(t.m)), constant}));
  BOOST_TEST((t.accesses().along({t.i}, shape) == Alongs{linear(Polynomial(t.m)), constant, constant}));
  const DimIndex part = Slice{t.l, i64(2), i64(1)};
  BOOST_TEST((t.accesses().along({t.start, part}, shape) == Alongs{constant, constant, linear(1)}));
}

BOOST_AUTO_TEST_CASE(arithmetic_is_followed) {
  Bed t;
  const Atom tiled = t.add(t.mul(t.i, i64(4)), t.l), shifted = t.add(t.start, t.let(BinOpKind::sub, t.m, t.j));
  BOOST_TEST((t.accesses().along({tiled}, {t.n}) == Alongs{linear(4), constant, linear(1)}));
  BOOST_TEST((t.accesses().along({shifted}, {t.n}) == Alongs{constant, linear(-1), constant}));
  BOOST_TEST(!t.accesses().varies(t.start));
  BOOST_TEST(t.accesses().varies(shifted));
}

BOOST_AUTO_TEST_CASE(what_is_not_linear_varies_somehow) {
  Bed t;
  const Atom square = t.mul(t.i, t.i), product = t.mul(t.i, t.j), half = t.let(BinOpKind::quot, t.l, i64(2));
  const Name gathered = t.b.index("g", t.is, {t.j});
  const Atom moved = t.add(gathered, t.i);
  BOOST_TEST((t.accesses().along(square) == Alongs{other, constant, constant}));
  BOOST_TEST((t.accesses().along(product) == Alongs{other, other, constant}));
  BOOST_TEST((t.accesses().along(half) == Alongs{constant, constant, other}));
  BOOST_TEST((t.accesses().along(moved) == Alongs{linear(1), other, constant}));
}

BOOST_AUTO_TEST_CASE(injective_accesses_are_recognised) {
  Bed t;
  const Accesses none = t.accesses();
  BOOST_TEST(none.is_injective({t.i, t.j, t.l}));
  BOOST_TEST(none.is_injective({t.l, t.i, t.j}));
  BOOST_TEST(!none.is_injective({t.i, t.j}));
  const Atom flat = t.add(t.mul(t.i, t.m), t.j), tiled = t.add(t.mul(flat, i64(4)), t.l), skewed = t.add(t.i, t.j);
  const Atom overlapping = t.add(t.mul(flat, i64(3)), t.l), backwards = t.let(BinOpKind::sub, t.n, tiled);
  const Atom half = t.let(BinOpKind::quot, t.l, i64(2));
  const Atom row = t.add(t.mul(t.l, t.n), t.i), shorter = t.add(t.mul(t.n, i64(3)), i64(1));  // it reaches to 4 * n - 1
  const Atom last_overlapping = t.add(t.mul(t.j, shorter), row);
  const Accesses accesses = t.accesses();
  BOOST_TEST(accesses.is_injective({tiled}));
  BOOST_TEST(accesses.is_injective({backwards}));
  BOOST_TEST(accesses.is_injective({flat, t.l}));
  BOOST_TEST(accesses.is_injective({skewed, t.j, t.l}));
  BOOST_TEST(accesses.is_injective({t.j, skewed, t.l}));
  BOOST_TEST(!accesses.is_injective({overlapping}));
  BOOST_TEST(!accesses.is_injective({last_overlapping}));
  BOOST_TEST(!accesses.is_injective({skewed, t.l}));
  BOOST_TEST(!accesses.is_injective({t.i, t.j, half}));
}

/// What is claimed holds at all points of small nests.
BOOST_AUTO_TEST_CASE(claims_hold_for_random_arithmetic) {
  int claimed = 0, injective = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    std::mt19937 random(seed);
    Bed t;
    std::vector<Atom> atoms{t.i, t.j, t.l, t.n, t.m, i64(2), i64(4)};
    const BinOpKind kinds[] = {BinOpKind::add, BinOpKind::mul, BinOpKind::sub, BinOpKind::min, BinOpKind::quot, BinOpKind::mod};
    for (int s = 0; s < 4; ++s) {
      const BinOpKind kind = kinds[random() % 6];
      const bool divides = kind == BinOpKind::quot || kind == BinOpKind::mod;
      const Atom x = atoms[random() % atoms.size()];
      atoms.push_back(t.let(kind, x, divides ? i64(1 + random() % 3) : atoms[random() % atoms.size()]));
    }
    std::vector<Atom> at{atoms.back()};
    for (std::size_t d = random() % 4; d > 0; --d)
      at.push_back(atoms[random() % (random() % 4 ? 3 : atoms.size())]);  // often an index itself
    const Accesses accesses = t.accesses();
    const std::vector<Along> along = accesses.along(at[0]);
    const bool is_injective = accesses.is_injective(at);
    injective += is_injective;
    BOOST_TEST_INFO_SCOPE("seed " << seed);
    for (std::int64_t n = 1; n < 4; ++n)
      for (std::int64_t m = 1; m < 4; ++m) {
        const auto numbers = [&](const std::vector<std::int64_t>& point) {
          std::map<Name, std::int64_t> values{{t.n, n}, {t.m, m}, {t.i, point[0]}, {t.j, point[1]}, {t.l, point[2]}};
          const auto number = [&](const Atom& atom) {
            const Name* name = name_in(atom);
            return name ? values.at(*name) : std::get<PrimValue>(atom).as_int();
          };
          const auto of = [](std::int64_t v) { return PrimValue::of_int(PrimType::i64, v); };
          for (const Stm& stm : t.b.stms) {
            const auto& op = std::get<BinOp>(stm.exp);
            values[stm.pattern[0].name] = boustro::ir::apply(op.kind, of(number(op.lhs)), of(number(op.rhs)))->as_int();
          }
          std::vector<std::int64_t> result;
          for (const Atom& atom : at) result.push_back(number(atom));
          return result;
        };
        const std::vector<std::int64_t> extents{n, m, 4};
        std::set<std::vector<std::int64_t>> seen;
        for (std::int64_t i = 0; i < n; ++i)
          for (std::int64_t j = 0; j < m; ++j)
            for (std::int64_t l = 0; l < 4; ++l) {
              const std::vector<std::int64_t> point{i, j, l}, here = numbers(point);
              const bool is_new = seen.insert(here).second;
              if (is_injective) BOOST_TEST(is_new);
              for (std::size_t d = 0; d < 3; ++d) {
                if (along[d].kind == Along::Kind::other || point[d] + 1 == extents[d]) continue;
                std::vector<std::int64_t> next = point;
                ++next[d];
                const auto stride = along[d].stride.with(t.n, n).with(t.m, m).constant();
                if (!stride) continue;  // it mentions what is computed of n and m
                BOOST_TEST(numbers(next)[0] - here[0] == *stride);
                ++claimed;
              }
            }
      }
  }
  BOOST_TEST(claimed > 10'000);
  BOOST_TEST(injective > 10);
}

}  // namespace access_tests
