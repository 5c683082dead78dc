// Claims of which points add to the same cell, put to the test with random arithmetic; which programs they are for is in
// programs/cells_apart.fut.
#include "transform/parallel/flatten/cells_apart.hpp"

#include <map>
#include <random>

#include "tests/unit/transform/inspect.hpp"
#include "transform/ir/scalar.hpp"

namespace cells_apart_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
using boustro::facts::Sizes;
using boustro::parallel::Meeting;
using boustro::parallel::meeting_in_cells;

namespace {

/// A nest of i < n, j < m, in whose points another one, of l < 4, adds twice.
struct Bed {
  TestProgram program;
  Builder b{program.names};
  Name n = number("n"), m = number("m"), i = number("i"), j = number("j"), l = number("l");
  Name table = program.names.bind_fresh("table", integers({n}));
  std::vector<Atom> first, second;  // indices of both additions

  Name number(const char* base) { return program.names.bind_fresh(base, integer); }
  Atom let(BinOpKind kind, const Atom& x, const Atom& y) { return b.binop("x", kind, x, y); }

  Nest nest() {
    Type type = integers(Shape(first.size(), n));
    type.accumulator = true;
    const auto accumulator = [&] { return program.names.fresh_param("acc", type, true); };
    const Param outer = accumulator(), inner = accumulator(), once = accumulator(), twice = accumulator(), result = accumulator(), start = accumulator();
    Nest adding{Level::thread, Level::thread, {i64(4)}, {}, {outer.name}, {}, {}};
    adding.point = {{inner, {l, integer}}, {b.stms, {twice.name}}, {type}};
    adding.point.body.stms.push_back({{once}, UpdateAcc{inner.name, first, i64(1), false}, {}, {}});
    adding.point.body.stms.push_back({{twice}, UpdateAcc{once.name, second, i64(1), false}, {}, {}});
    Nest nest{Level::grid, Level::thread, {n, m}, {}, {start.name}, {}, {}};
    nest.point = {{outer, {i, integer}, {j, integer}}, {{{{result}, adding, {}, {}}}, {result.name}}, {type}};
    return nest;
  }

  using Numbers = std::vector<std::int64_t>;
  /// The indices at a point.
  Numbers indices(const std::vector<Atom>& at, std::map<Name, std::int64_t> values) const {
    const auto number = [&](const Atom& atom) {
      const Name* name = name_in(atom);
      return name ? values.at(*name) : std::get<PrimValue>(atom).as_int();
    };
    const auto of = [](std::int64_t v) { return PrimValue::of_int(PrimType::i64, v); };
    for (const Stm& stm : b.stms) {
      std::int64_t& value = values[stm.pattern[0].name];
      if (const auto* op = std::get_if<BinOp>(&stm.exp)) value = boustro::ir::apply(op->kind, of(number(op->lhs)), of(number(op->rhs)))->as_int();
      else value = 3 * (number(std::get<Atom>(std::get<Index>(stm.exp).indices[0])) % 4) - 2;  // some table
    }
    Numbers result;
    for (const Atom& index : at) result.push_back(number(index));
    return result;
  }

  /// What happens at so many points.
  Meeting seen(std::int64_t rows, std::int64_t columns) const {
    Meeting result = Meeting::never;
    std::map<Numbers, std::pair<std::int64_t, std::int64_t>> who;
    for (std::int64_t at_i = 0; at_i < rows; ++at_i)
      for (std::int64_t at_j = 0; at_j < columns; ++at_j)
        for (std::int64_t at_l = 0; at_l < 4; ++at_l)
          for (const auto* at : {&first, &second}) {
            const Numbers cell = indices(*at, {{n, rows}, {m, columns}, {i, at_i}, {j, at_j}, {l, at_l}});
            const auto [known, is_new] = who.emplace(cell, std::pair(at_i, at_j));
            if (!is_new) result = std::min(result, known->second == std::pair(at_i, at_j) ? Meeting::in_a_point : Meeting::of_points);
          }
    return result;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(cells_apart)

BOOST_AUTO_TEST_CASE(claims_hold_for_random_arithmetic) {
  int apart = 0, once = 0, missed = 0;
  for (unsigned seed = 0; seed < 20'000; ++seed) {
    std::mt19937 random(seed);
    Bed t;
    std::vector<Atom> atoms{t.i, t.j, t.l, t.n, t.m, i64(1), i64(2), i64(4)};
    const auto any = [&] { return atoms[random() % atoms.size()]; };
    const BinOpKind kinds[] = {BinOpKind::add, BinOpKind::add, BinOpKind::mul, BinOpKind::sub, BinOpKind::min, BinOpKind::quot, BinOpKind::mod};
    for (unsigned s = 0; s < 3 + random() % 4; ++s) {
      const BinOpKind kind = kinds[random() % 7];
      const bool divides = kind == BinOpKind::quot || kind == BinOpKind::mod;
      const Atom x = any();
      if (random() % 6 == 0) atoms.push_back(t.b.index("read", t.table, {x}));
      else atoms.push_back(t.let(kind, x, divides ? i64(1 + random() % 3) : any()));
    }
    const std::size_t rank = 1 + random() % 4;
    for (std::size_t d = 0; d < rank; ++d) {
      t.first.push_back(d == 0 ? atoms.back() : atoms[random() % (random() % 3 ? 3 : atoms.size())]);
      t.second.push_back(random() % 2 ? t.first.back() : any());
    }
    if (random() % 2) t.first.emplace_back(i64(0)), t.second.emplace_back(i64(random() % 4 > 0));  // often in different rows
    const Meeting claim = meeting_in_cells(t.nest(), Sizes(), t.program.names);
    BOOST_TEST_INFO_SCOPE("seed " << seed);
    Meeting seen = Meeting::never;
    for (std::int64_t n = 1; n < 5; ++n)
      for (std::int64_t m = 1; m < 4; ++m) seen = std::min(seen, t.seen(n, m));
    BOOST_TEST((claim <= seen));
    apart += claim == Meeting::in_a_point, once += claim == Meeting::never, missed += claim < seen;
  }
  BOOST_TEST(apart > 400);
  BOOST_TEST(once > 40);
  BOOST_TEST(missed < apart + once);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cells_apart_tests
