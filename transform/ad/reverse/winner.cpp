#include "transform/ad/reverse/winner.hpp"

#include <cmath>

namespace boustro::ad {

using namespace ir;

namespace {

bool is_number(const Atom& atom) {
  const PrimValue* value = literal_in(atom);
  return value && !std::isnan(value->as_float());
}

/// Whether (y, j) wins.
Atom second_wins(Builder& b, BinOpKind kind, PrimType type, const Atom& neutral, const Name& x, const Name& i,
                 const Name& y, const Name& j) {
  const bool is_min = kind == BinOpKind::min;
  const Atom better = b.cmp("better", CmpOpKind::lt, is_min ? y : x, is_min ? x : y);
  const Atom equal = b.cmp("equal", CmpOpKind::eq, x, y);
  const Atom earlier = b.cmp("earlier", CmpOpKind::lt, j, i);
  const Atom wins_tie = b.binop("wins_tie", BinOpKind::bit_and, equal, earlier);
  const Atom wins = b.binop("wins", BinOpKind::bit_or, better, wins_tie);
  if (!values::is_float(type)) return wins;
  // Against a NaN, a number wins, or the earlier NaN.
  const Atom x_is_nan = b.cmp("is_nan", CmpOpKind::ne, x, x);
  if (is_number(neutral)) return b.binop("wins", BinOpKind::bit_or, wins, x_is_nan);
  const Atom y_is_number = b.cmp("is_number", CmpOpKind::eq, y, y);
  const Atom beats_nan = b.binop("wins", BinOpKind::bit_and, x_is_nan,
                                 b.binop("wins", BinOpKind::bit_or, y_is_number, earlier));
  return b.binop("wins", BinOpKind::bit_or, wins, beats_nan);
}

}  // namespace

Lambda winner_operator(Builder& builder, BinOpKind kind, PrimType type, const Atom& neutral) {
  const Type value = scalar(type), index = scalar(PrimType::i64);
  return builder.lambda(
      {{"x", value}, {"i", index}, {"y", value}, {"j", index}},
      [&](Builder& b, const std::vector<Name>& p) {
        const Atom wins = second_wins(b, kind, type, neutral, p[0], p[1], p[2], p[3]);
        const auto better = b.let_all({"x", "i"}, If{wins, {{}, {p[2], p[3]}}, {{}, {p[0], p[1]}}});
        return std::vector<Atom>{better[0], better[1]};
      });
}

}  // namespace boustro::ad
