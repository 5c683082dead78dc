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
  std::optional<Atom> first_if, second_if;  // when they are made
  bool unless = false;                      // when they are not

  Name number(const char* base) { return program.names.bind_fresh(base, integer); }
  Atom let(BinOpKind kind, const Atom& x, const Atom& y) { return b.binop("x", kind, x, y); }

  Nest nest() {
    Type type = integers(Shape(first.size(), n));
    type.accumulator = true;
    const auto accumulator = [&] { return program.names.fresh_param("acc", type, true); };
    const Param outer = accumulator(), inner = accumulator(), once = accumulator(), twice = accumulator(), result = accumulator(), start = accumulator();
    Nest adding{Level::thread, Level::thread, {i64(4)}, {}, {outer.name}, {}, {}};
    adding.point = {{inner, {l, integer}}, {b.stms, {twice.name}}, {type}};
    add(adding.point.body, inner.name, once, first, first_if);
    add(adding.point.body, once.name, twice, second, second_if);
    Nest nest{Level::grid, Level::thread, {n, m}, {}, {start.name}, {}, {}};
    nest.point = {{outer, {i, integer}, {j, integer}}, {{{{result}, adding, {}, {}}}, {result.name}}, {type}};
    return nest;
  }

  void add(Body& body, const Name& before, const Param& after, const std::vector<Atom>& at, const std::optional<Atom>& condition) {
    const UpdateAcc addition{before, at, i64(1), false};
    if (!condition) return body.stms.push_back({{after}, addition, {}, {}});
    const Param added = program.names.fresh_param("acc", after.type, true);
    Body yes{{{{added}, addition, {}, {}}}, {added.name}}, no{{}, {before}};
    if (unless) std::swap(yes, no);
    body.stms.push_back({{after}, If{*condition, std::move(yes), std::move(no)}, {}, {}});
  }

  using Numbers = std::vector<std::int64_t>;
  /// The indices at a point; none if there is no addition.
  std::optional<Numbers> indices(const std::vector<Atom>& at, const std::optional<Atom>& condition, std::map<Name, std::int64_t> values) const {
    const auto number = [&](const Atom& atom) {
      const Name* name = name_in(atom);
      return name ? values.at(*name) : std::get<PrimValue>(atom).as_int();
    };
    const auto of = [](std::int64_t v) { return PrimValue::of_int(PrimType::i64, v); };
    for (const Stm& stm : b.stms) {
      std::int64_t& value = values[stm.pattern[0].name];
      if (const auto* op = std::get_if<BinOp>(&stm.exp)) value = boustro::ir::apply(op->kind, of(number(op->lhs)), of(number(op->rhs)))->as_int();
      else if (const auto* cmp = std::get_if<CmpOp>(&stm.exp)) value = boustro::ir::apply(cmp->kind, of(number(cmp->lhs)), of(number(cmp->rhs)))->as_bool();
      else value = 3 * (number(std::get<Atom>(std::get<Index>(stm.exp).indices[0])) % 4) - 2;  // some table
    }
    if (condition && (number(*condition) == 0) != unless) return std::nullopt;
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
            const auto& condition = at == &first ? first_if : second_if;
            const auto cell = indices(*at, condition, {{n, rows}, {m, columns}, {i, at_i}, {j, at_j}, {l, at_l}});
            if (!cell) continue;
            const auto [known, is_new] = who.emplace(*cell, std::pair(at_i, at_j));
            if (!is_new) result = std::min(result, known->second == std::pair(at_i, at_j) ? Meeting::in_a_point : Meeting::of_points);
          }
    return result;
  }

  /// Whatever the sizes are.
  Meeting seen() const {
    Meeting result = Meeting::never;
    for (std::int64_t rows = 1; rows < 5; ++rows)
      for (std::int64_t columns = 1; columns < 5; ++columns) result = std::min(result, seen(rows, columns));
    return result;
  }

  Atom compared(CmpOpKind kind, const Atom& x, const Atom& y) { return b.cmp("holds", kind, x, y); }
};

constexpr CmpOpKind comparisons[] = {CmpOpKind::eq, CmpOpKind::ne, CmpOpKind::lt, CmpOpKind::le};

}  // namespace

BOOST_AUTO_TEST_SUITE(rows_of_triangles)

namespace {

/// Rows one behind the other: row i begins at i * (i + c) / 2, and its element j is added to where j `kind` i, or unless it is.
Meeting of_rows(std::int64_t c, CmpOpKind kind, bool unless = false, bool turned = false) {
  Bed t;
  const Atom start = t.let(BinOpKind::div, t.let(BinOpKind::mul, t.i, t.let(BinOpKind::add, t.i, i64(c))), i64(2));
  const Atom cell = t.let(BinOpKind::add, start, t.j);
  t.first = {cell, t.l, i64(0), i64(0)}, t.second = {t.i, t.j, t.l, i64(1)};
  t.first_if = turned ? t.compared(kind, t.i, t.j) : t.compared(kind, t.j, t.i);
  t.unless = unless;
  return meeting_in_cells(t.nest(), Sizes(), t.program.names);
}

}  // namespace

BOOST_AUTO_TEST_CASE(with_the_diagonal_or_without) {
  BOOST_TEST((of_rows(1, CmpOpKind::le) == Meeting::never));
  BOOST_TEST((of_rows(1, CmpOpKind::lt) == Meeting::never));
  BOOST_TEST((of_rows(-1, CmpOpKind::lt) == Meeting::never));
  BOOST_TEST((of_rows(-1, CmpOpKind::le) == Meeting::of_points));
}

BOOST_AUTO_TEST_CASE(where_the_opposite_does_not_hold) {
  BOOST_TEST((of_rows(-1, CmpOpKind::le, true, true) == Meeting::never));   // not i <= j
  BOOST_TEST((of_rows(1, CmpOpKind::lt, true, true) == Meeting::never));    // not i < j
  BOOST_TEST((of_rows(-1, CmpOpKind::lt, true, true) == Meeting::of_points));
  BOOST_TEST((of_rows(1, CmpOpKind::le, true) == Meeting::of_points));      // not j <= i
}

// i * i = i' * i' + j' + 1 has solutions, of which none has i < i'.
BOOST_AUTO_TEST_CASE(one_order_is_not_enough) {
  Bed t;
  const Atom square = t.let(BinOpKind::mul, t.i, t.i);
  t.first = {square, t.j, t.l}, t.second = {t.let(BinOpKind::add, t.let(BinOpKind::add, square, t.j), i64(1)), t.j, t.l};
  t.first_if = t.second_if = t.compared(CmpOpKind::lt, t.i, t.n);
  BOOST_TEST((meeting_in_cells(t.nest(), Sizes(), t.program.names) == Meeting::of_points));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(cells_apart)

BOOST_AUTO_TEST_CASE(claims_hold_for_random_arithmetic) {
  int apart = 0, once = 0, missed = 0;
  for (unsigned seed = 0; seed < 20'000; ++seed) {
    std::mt19937 random(seed);
    Bed t;
    std::vector<Atom> atoms{t.i, t.j, t.l, t.n, t.m, i64(1), i64(2), i64(4)};
    const auto any = [&] { return atoms[random() % atoms.size()]; };
    const BinOpKind kinds[] = {BinOpKind::add, BinOpKind::add,  BinOpKind::mul, BinOpKind::sub,
                               BinOpKind::min, BinOpKind::quot, BinOpKind::div, BinOpKind::mod};
    for (unsigned s = 0; s < 3 + random() % 4; ++s) {
      const BinOpKind kind = kinds[random() % 8];
      const bool divides = kind == BinOpKind::quot || kind == BinOpKind::div || kind == BinOpKind::mod;
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
    for (auto* condition : {&t.first_if, &t.second_if})
      if (random() % 2) *condition = t.compared(comparisons[random() % 4], any(), any());
    const Meeting claim = meeting_in_cells(t.nest(), Sizes(), t.program.names);
    BOOST_TEST_INFO_SCOPE("seed " << seed);
    const Meeting seen = t.seen();
    BOOST_TEST((claim <= seen));
    apart += claim == Meeting::in_a_point, once += claim == Meeting::never, missed += claim < seen;
  }
  BOOST_TEST(apart > 400);
  BOOST_TEST(once > 40);
  BOOST_TEST(missed < apart + once);
}

// Rows of a triangle one behind the other, as they are or not quite: row i begins at (a * n + b * i + c) * i / e, and is read from j + g * i + h on.
BOOST_AUTO_TEST_CASE(claims_hold_for_packed_triangles) {
  int once = 0, missed = 0;
  for (unsigned seed = 0; seed < 250; ++seed) {
    std::mt19937 random(seed);
    Bed t;
    const auto one_of = [&](std::initializer_list<std::int64_t> numbers) { return i64(numbers.begin()[random() % numbers.size()]); };
    const Name &row = random() % 2 ? t.i : t.j, &column = row == t.i ? t.j : t.i;
    const auto times = [&](const Atom& factor, const Atom& x) { return t.let(BinOpKind::mul, factor, x); };
    const auto plus = [&](const Atom& x, const Atom& y) { return t.let(BinOpKind::add, x, y); };
    const Atom size = random() % 3 ? Atom(row == t.i ? t.m : t.n) : i64(4);
    const Atom slope = plus(plus(times(one_of({0, 1, 2}), size), times(one_of({-1, 1}), row)), one_of({-1, -1, 0, 1}));
    const Atom start = t.let(BinOpKind::div, times(slope, row), one_of({1, 2, 2, 2, 3}));
    const Atom cell = plus(plus(start, column), plus(times(one_of({-1, 0, 1}), row), one_of({-1, 0})));
    t.first = {cell, t.l};
    t.second = {random() % 2 ? cell : Atom(column), i64(4)};
    const Atom x = random() % 2 ? Atom(row) : Atom(column), y = x == Atom(row) ? Atom(column) : Atom(row);
    t.first_if = t.compared(random() % 4 ? CmpOpKind::lt : CmpOpKind::le, x, y);
    t.second_if = t.compared(comparisons[random() % 4], x, y);
    if (random() % 2) t.second = {column, t.l}, t.first[0] = plus(cell, size);
    const Meeting claim = meeting_in_cells(t.nest(), Sizes(), t.program.names);
    BOOST_TEST_INFO_SCOPE("seed " << seed);
    const Meeting seen = t.seen();
    BOOST_TEST((claim <= seen));
    once += claim == Meeting::never, missed += claim < seen;
  }
  BOOST_TEST(once > 1);
  BOOST_TEST(missed < 40 * once);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cells_apart_tests
