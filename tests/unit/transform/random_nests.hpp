// Random nests over integers, with all kinds of outs, and what they yield by loops of the test's own.
#pragma once

#include <random>

#include "tests/unit/transform/inspect.hpp"

namespace boustro::ir::testing {

using Number = std::uint64_t;   // wraps around
using Row = std::vector<Number>;  // the components of a value: one, or several of a tuple
using Position = std::vector<std::int64_t>;

/// A sum of indices and the element of the input there, each times a number.
struct Formula {
  std::vector<Number> factors;
  Number of_element, constant;

  Number at(const Position& at, Number element) const {
    Number sum = constant + of_element * element;
    for (std::size_t d = 0; d < at.size(); ++d) sum += factors[d] * static_cast<Number>(at[d]);
    return sum;
  }
  Atom code(Builder& b, const std::vector<Name>& indices, const Atom& element) const {
    const auto times = [&](Number factor, const Atom& x) {
      return b.binop("term", BinOpKind::mul, i64(static_cast<std::int64_t>(factor)), x);
    };
    Atom sum = b.binop("sum", BinOpKind::add, i64(static_cast<std::int64_t>(constant)), times(of_element, element));
    for (std::size_t d = 0; d < indices.size(); ++d)
      sum = b.binop("sum", BinOpKind::add, sum, times(factors[d], indices[d]));
    return sum;
  }
};

/// (a, b) then (c, d) is x -> c (a x + b) + d: associative, and does not commute. Or a sum, or a maximum.
enum class Combination { sum, maximum, affine };

inline Row neutral_of(Combination c) {
  if (c == Combination::affine) return {1, 0};
  return {c == Combination::sum ? 0 : static_cast<Number>(std::numeric_limits<std::int64_t>::min())};
}
inline Row combined(Combination c, const Row& x, const Row& y) {
  if (c == Combination::affine) return {x[0] * y[0], y[0] * x[1] + y[1]};
  if (c == Combination::sum) return {x[0] + y[0]};
  return {static_cast<Number>(std::max(static_cast<std::int64_t>(x[0]), static_cast<std::int64_t>(y[0])))};
}
inline Operator operator_of(Builder& b, Combination c) {
  Operator op;
  for (const Number x : neutral_of(c)) op.neutral.push_back(i64(static_cast<std::int64_t>(x)));
  if (c != Combination::affine) {
    op.op = binop_lambda(b, c == Combination::sum ? BinOpKind::add : BinOpKind::max, PrimType::i64);
    return op;
  }
  op.op = b.lambda({{"a", integer}, {"b", integer}, {"c", integer}, {"d", integer}},
                   [](Builder& in, const std::vector<Name>& x) {
                     const Atom moved = in.binop("moved", BinOpKind::mul, x[2], x[1]);
                     return std::vector<Atom>{in.binop("slope", BinOpKind::mul, x[0], x[2]),
                                              in.binop("offset", BinOpKind::add, moved, x[3])};
                   });
  return op;
}

/// One out, and what it does as plain loops.
struct RandomOut {
  OutKind kind;
  int rank;
  Combination combination = Combination::sum;
  std::vector<Formula> indices = {}, values = {};
  std::optional<Formula> epilogue = {};  // of the kept indices and the first combined value
  std::vector<std::int64_t> bins = {};
};

class RandomNest {
 public:
  explicit RandomNest(unsigned seed) : random_(seed) {
    const int dimensions = 1 + below(3);
    for (int d = 0; d < dimensions; ++d) extents_.push_back(below(5));
    const int outs = 1 + below(3);
    for (int k = 0; k < outs; ++k) outs_.push_back(random_out());
    make();
  }

  const Program& program() const { return p_.program; }

  Arguments arguments() {
    Arguments args = {some_i64s(extents_, 100, random_())};
    for (const RandomOut& out : outs_)
      for (std::size_t k = 0; k < destinations(out); ++k) args.push_back(some_i64s(out.bins, 50, random_()));
    return args;
  }

  /// What the nest yields for these arguments.
  std::vector<values::Value> expected(const Arguments& args) const {
    std::vector<values::Value> results;
    std::size_t next = 1;
    for (const RandomOut& out : outs_) {
      std::vector<values::Value> starts(args.begin() + static_cast<std::ptrdiff_t>(next),
                                        args.begin() + static_cast<std::ptrdiff_t>(next + destinations(out)));
      next += destinations(out);
      for (values::Value& value : interpret(out, args[0], std::move(starts))) results.push_back(std::move(value));
    }
    return results;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  int dimensions() const { return static_cast<int>(extents_.size()); }
  static std::size_t components(const RandomOut& out) {
    const bool pairs = out.kind != OutKind::store && out.kind != OutKind::scatter;
    return pairs ? neutral_of(out.combination).size() : 1;
  }
  static std::size_t destinations(const RandomOut& out) { return out.bins.empty() ? 0 : components(out); }
  static std::size_t results(const RandomOut& out) { return out.epilogue ? 1 : components(out); }

  Formula formula(int indices) {
    Formula f{{}, static_cast<Number>(below(4)), static_cast<Number>(below(9))};
    for (int d = 0; d < indices; ++d) f.factors.push_back(static_cast<Number>(below(5)));
    return f;
  }
  /// Its own number for each point.
  Formula distinct(std::int64_t first) const {
    Formula f{{}, 0, static_cast<Number>(first)};
    Number stride = 1;
    for (std::size_t d = extents_.size(); d-- > 0; stride *= static_cast<Number>(extents_[d]))
      f.factors.insert(f.factors.begin(), stride);
    return f;
  }

  RandomOut random_out() {
    constexpr OutKind kinds[] = {OutKind::store, OutKind::reduce, OutKind::scan, OutKind::histogram, OutKind::scatter};
    RandomOut out{kinds[below(5)], dimensions()};
    // Cells are combined in any order, so that the operator commutes.
    out.combination = static_cast<Combination>(below(out.kind == OutKind::histogram ? 2 : 3));
    if (out.kind == OutKind::reduce) out.rank = below(dimensions());
    if (out.kind == OutKind::scan) out.rank = dimensions() - 1;
    const bool combines = out.kind == OutKind::reduce || out.kind == OutKind::scan;
    if (combines && below(2) == 0) out.epilogue = formula(out.kind == OutKind::scan ? dimensions() : out.rank);
    if (out.kind == OutKind::histogram) {
      for (int d = 0; d < 1 + below(2); ++d) {
        out.bins.push_back(1 + below(6));
        out.indices.push_back(formula(dimensions()));
      }
    }
    if (out.kind == OutKind::scatter) {  // some places are out of bounds
      out.bins = {1 + below(30)};
      out.indices = {distinct(below(4) - 2)};
    }
    for (std::size_t k = 0; k < components(out); ++k) out.values.push_back(formula(dimensions()));
    return out;
  }

  // ---- As a program

  void make() {
    FunctionMaker f = p_.function("main");
    Shape space;
    for (int d = 0; d < dimensions(); ++d) space.push_back(f.size("n"));
    const Name xs = f.param("xs", integers(space));
    Nest nest{Level::thread, Level::thread, space, {}, {}, {}};
    for (const RandomOut& out : outs_) nest.outs.push_back(core(f, out));
    std::vector<std::pair<std::string, Type>> params(extents_.size(), {"i", integer});
    nest.point = f.lambda(params, [&](Builder& b, const std::vector<Name>& indices) {
      const Atom element = b.index("x", xs, {indices.begin(), indices.end()});
      std::vector<Atom> values;
      for (const RandomOut& out : outs_) {
        for (const Formula& index : out.indices) values.push_back(index.code(b, indices, element));
        for (const Formula& value : out.values) values.push_back(value.code(b, indices, element));
      }
      return values;
    });
    std::size_t count = 0;
    for (const RandomOut& out : outs_) count += results(out);
    const std::vector<Name> made = f.let_all(std::vector<std::string>(count, "r"), nest);
    f.returns({made.begin(), made.end()});
  }

  Out core(FunctionMaker& f, const RandomOut& random) {
    Out out;
    out.kind = random.kind;
    out.rank = random.rank;
    const bool combines = random.kind != OutKind::store && random.kind != OutKind::scatter;
    if (combines) out.op = operator_of(f, random.combination);
    if (random.kind == OutKind::reduce) out.op->commutative = random.combination != Combination::affine;
    for (const std::int64_t size : random.bins) out.bins.push_back(i64(size));
    for (std::size_t k = 0; k < destinations(random); ++k)
      out.destinations.push_back(f.param("dest", integers(out.bins), true));
    if (!random.epilogue) return out;
    const std::size_t kept = random.epilogue->factors.size();
    const std::vector<std::pair<std::string, Type>> params(kept + random.values.size(), {"x", integer});
    out.epilogue = f.lambda(params, [&](Builder& b, const std::vector<Name>& x) {
      const std::vector<Name> indices(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(kept));
      return std::vector<Atom>{random.epilogue->code(b, indices, x[kept])};
    });
    return out;
  }

  // ---- As loops

  static std::int64_t flat(const Position& at, const std::vector<std::int64_t>& sizes) {
    std::int64_t place = 0;
    for (std::size_t d = 0; d < sizes.size(); ++d) place = place * sizes[d] + at[d];
    return place;
  }
  static std::vector<Position> positions(const std::vector<std::int64_t>& sizes) {
    std::vector<Position> all = {{}};
    for (const std::int64_t size : sizes) {
      std::vector<Position> longer;
      for (const Position& at : all)
        for (std::int64_t i = 0; i < size; ++i) {
          longer.push_back(at);
          longer.back().push_back(i);
        }
      all = std::move(longer);
    }
    return all;
  }
  static void set(values::Value& value, std::int64_t place, Number number) {
    value.set_element(place, PrimValue::of_int(PrimType::i64, static_cast<std::int64_t>(number)));
  }
  static Number get(const values::Value& value, std::int64_t place) {
    return static_cast<Number>(value.element(place).as_int());
  }

  std::vector<values::Value> interpret(const RandomOut& out, const values::Value& xs,
                                       std::vector<values::Value> results_so_far) const {
    const auto values_at = [&](const Position& at) {
      Row row;
      for (const Formula& f : out.values) row.push_back(f.at(at, get(xs, flat(at, extents_))));
      return row;
    };
    if (!out.bins.empty()) {
      for (const Position& at : positions(extents_)) {
        Position cell;
        bool inside = true;
        for (std::size_t d = 0; d < out.bins.size(); ++d) {
          cell.push_back(static_cast<std::int64_t>(out.indices[d].at(at, get(xs, flat(at, extents_)))));
          inside = inside && cell[d] >= 0 && cell[d] < out.bins[d];
        }
        if (!inside) continue;
        const std::int64_t place = flat(cell, out.bins);
        Row row = values_at(at), before;
        for (const values::Value& result : results_so_far) before.push_back(get(result, place));
        if (out.kind == OutKind::histogram) row = combined(out.combination, before, row);
        for (std::size_t k = 0; k < row.size(); ++k) set(results_so_far[k], place, row[k]);
      }
      return results_so_far;
    }
    const bool scans = out.kind == OutKind::scan;
    const std::vector<std::int64_t> kept(extents_.begin(), extents_.begin() + out.rank);
    const std::vector<std::int64_t> rest(extents_.begin() + out.rank, extents_.end());
    const std::vector<std::int64_t>& shape = scans ? extents_ : kept;
    std::vector<values::Value> made(results(out), values::Value::zeros(PrimType::i64, shape));
    const auto conclude = [&](const Position& at, const Row& row) {
      for (std::size_t k = 0; k < made.size(); ++k)
        set(made[k], flat(at, shape), out.epilogue ? out.epilogue->at(at, row[0]) : row[k]);
    };
    for (const Position& outer : positions(kept)) {
      if (out.kind == OutKind::store) {
        conclude(outer, values_at(outer));
        continue;
      }
      Row sum = neutral_of(out.combination);
      for (const Position& inner : positions(rest)) {
        Position at = outer;
        at.insert(at.end(), inner.begin(), inner.end());
        sum = combined(out.combination, sum, values_at(at));
        if (scans) conclude(at, sum);
      }
      if (!scans) conclude(outer, sum);
    }
    return made;
  }

  std::mt19937 random_;
  std::vector<std::int64_t> extents_;
  std::vector<RandomOut> outs_;
  TestProgram p_;
};

}  // namespace boustro::ir::testing
