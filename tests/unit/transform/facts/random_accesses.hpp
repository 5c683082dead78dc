// Random programs that read and write single elements at places computed of indices, in loops and in the points of nests. Places are
// linear in the indices, or products, quotients and remainders of them, what a table says, or what an earlier iteration computed.
#pragma once

#include "tests/unit/transform/inspect.hpp"

namespace boustro::ir::testing {

class RandomAccesses {
 public:
  explicit RandomAccesses(unsigned seed) : random_(seed) {}

  /// main (n: i64) (m: i64) (is: [5]i64): n and m from 0 to 5, all of is from 0 to 4
  Program make() {
    FunctionMaker f = p_.function("main");
    n_ = f.param("n", integer), m_ = f.param("m", integer);
    table_ = f.param("is", integers({i64(5)}));
    rows_ = f.let("rows", Replicate{{i64(row_count), i64(cell_count)}, f64(1)});
    std::vector<Atom> results;
    for (int count = 0; count < 2; ++count) {
      cells_ = f.let("cells", Replicate{{i64(cell_count)}, f64(1)});
      results.emplace_back(nest(f));
      results.emplace_back(loop(f, cells_, {n_, m_}, 2));
    }
    f.returns(results);
    return p_.program;
  }

 private:
  // Of a place, no more than three parts are added to the middle or subtracted from it, each of them from 0 to 25.
  static constexpr int cell_count = 160, row_count = 54, middle = 80, row_middle = 26;

  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }
  template <typename T>
  const T& some(const std::vector<T>& list) { return list[pick(static_cast<unsigned>(list.size()))]; }

  /// From 0 to 25, if all numbers in scope are from 0 to 4, except n and m, which are from 0 to 5.
  Atom part(Builder& b, const std::vector<Atom>& numbers) {
    const Atom x = some(numbers), y = some(numbers);
    switch (pick(9)) {
      case 0: return b.binop("product", BinOpKind::mul, x, y);
      case 1: return b.binop("half", BinOpKind::quot, x, i64(2));
      case 2: return b.binop("rest", BinOpKind::rem, x, i64(3));
      case 3: return b.binop("least", BinOpKind::min, x, y);
      case 4: return b.index("entry", table_, {b.binop("at", BinOpKind::rem, x, i64(5))});
      case 5: return x;
      default: return b.binop("scaled", BinOpKind::mul, i64(1 + pick(5)), x);
    }
  }

  /// Often a neighbour of an index, so that iterations meet at a distance.
  Atom place(Builder& b, const std::vector<Atom>& numbers, int from, unsigned parts) {
    Atom at = i64(from + static_cast<int>(pick(3)));
    if (pick(2)) return b.binop("at", BinOpKind::add, some(numbers), at);
    for (unsigned k = pick(parts) + 1; k > 0; --k)
      at = b.binop("at", pick(3) ? BinOpKind::add : BinOpKind::sub, at, part(b, numbers));
    return at;
  }

  Atom read(Builder& b, const Name& cells, const std::vector<Atom>& numbers) {
    switch (pick(4)) {
      case 0: {
        const Atom row = place(b, numbers, row_middle, 1);
        return b.index("x", rows_, {row, place(b, numbers, middle, 3)}, true);
      }
      case 1: {
        const Name row = b.let("row", Index{rows_, {place(b, numbers, row_middle, 1)}, true});
        return b.index("x", row, {place(b, numbers, middle, 3)}, true);
      }
      default: return b.index("x", cells, {place(b, numbers, middle, 3)}, true);
    }
  }

  // ---- Nests

  Name nest(Builder& b) {
    const Shape space = pick(2) ? Shape{n_, m_} : Shape{m_, i64(3)};
    const Lambda point = b.lambda({{"i", integer}, {"j", integer}}, [&](Builder& in, const std::vector<Name>& at) {
      const std::vector<Atom> numbers{at[0], at[1], n_, m_};
      const Atom x = read(in, cells_, numbers);
      return std::vector<Atom>{pick(2) ? x : sum(in, x, numbers)};
    });
    Out out;
    out.rank = 2;
    return b.let("made", Nest{Level::thread, Level::thread, space, point, {}, {out}});
  }

  /// A loop in a point that adds up what it reads, and carries a number from 0 to 4.
  Name sum(Builder& b, const Atom& start, std::vector<Atom> numbers) {
    const LoopParam total{b.names.fresh_param("total", real), start}, carried = number(b);
    const Name i = b.names.bind_fresh("i", integer);
    numbers.insert(numbers.end(), {Atom(i), Atom(carried.param.name)});
    Builder in(b.names);
    const Atom next = in.binop("total", BinOpKind::add, total.param.name, read(in, cells_, numbers));
    const Atom later = advanced(in, carried, numbers);
    return b.let_all({"total", "k"}, Loop{{total, carried}, ForLoop{i, PrimType::i64, m_}, {in.stms, {next, later}}})[0];
  }

  LoopParam number(Builder& b) { return {b.names.fresh_param("k", integer), i64(pick(5))}; }
  Atom advanced(Builder& b, const LoopParam& k, const std::vector<Atom>& numbers) {
    return b.binop("k", BinOpKind::rem, b.binop("k", BinOpKind::add, k.param.name, some(numbers)), i64(5));
  }

  // ---- Loops that update an array

  Name loop(Builder& b, const Name& cells, std::vector<Atom> numbers, int depth) {
    const LoopParam array{b.names.fresh_param("us", reals({i64(cell_count)}), true), cells}, carried = number(b);
    const Name i = b.names.bind_fresh("i", integer);
    numbers.insert(numbers.end(), {Atom(i), Atom(i), Atom(i), Atom(carried.param.name)});
    Builder in(b.names);
    const Name next = steps(in, array.param.name, numbers, depth);
    const Atom later = advanced(in, carried, numbers);
    return b.let_all({"us", "k"}, Loop{{array, carried}, ForLoop{i, PrimType::i64, pick(2) ? n_ : m_}, {in.stms, {next, later}}})[0];
  }

  Name steps(Builder& b, Name cells, const std::vector<Atom>& numbers, int depth) {
    for (unsigned count = 1 + pick(2); count > 0; --count) {
      switch (depth > 0 ? pick(5) : 0) {
        case 3: cells = branch(b, cells, numbers, depth); break;
        case 4: cells = loop(b, cells, numbers, depth - 1); break;
        default: {
          const Atom x = read(b, cells, numbers);
          cells = b.let("us", Update{cells, {place(b, numbers, middle, 3)}, x, true});
        }
      }
    }
    return cells;
  }

  Name branch(Builder& b, const Name& cells, const std::vector<Atom>& numbers, int depth) {
    const Atom c = b.cmp("c", CmpOpKind::lt, some(numbers), some(numbers));
    Builder yes(b.names);
    const Name updated = steps(yes, cells, numbers, depth - 1);
    return b.let("us", If{c, {yes.stms, {updated}}, {{}, {cells}}});
  }

  std::mt19937 random_;
  TestProgram p_;
  Name n_, m_, table_, rows_, cells_;
};

}  // namespace boustro::ir::testing
