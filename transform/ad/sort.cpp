#include "transform/ad/sort.hpp"

#include "transform/ad/tensor.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

const Type integer = scalar(PrimType::i64);

/// Where each element goes: those without the bit first, in their order, then those with it.
Name places(Builder& b, const Atom& width, const Name& keys, const Atom& bit) {
  const Lambda lacks =
      b.lambda({{"key", integer}}, [&](Builder& inner, const std::vector<Name>& p) {
        const Atom shifted = inner.binop("shifted", BinOpKind::shr, p[0], bit);
        const Atom has_bit = inner.binop("has_bit", BinOpKind::bit_and, shifted, int_atom(1));
        return std::vector<Atom>{inner.binop("lacks_bit", BinOpKind::sub, int_atom(1), has_bit)};
      });
  const Name lacking = b.let("lacks_bit", Map{width, lacks, {keys}, {}});
  const Lambda add = operator_on(b, BinOpKind::add, integer);
  const Name counts = b.let("counts", Scan{width, add, {int_atom(0)}, {lacking}});
  const Name total =
      b.let("total", Reduce{width, rename(add, b.names), {int_atom(0)}, {lacking}, true});
  const Lambda place = b.lambda(
      {{"i", integer}, {"lacks_bit", integer}, {"count", integer}},
      [&](Builder& inner, const std::vector<Name>& p) {
        const Atom lacks_it = inner.cmp("lacks_it", CmpOpKind::eq, p[1], int_atom(1));
        Builder first(inner.names, inner.origin), second(inner.names, inner.origin);
        const Atom among_first = first.binop("place", BinOpKind::sub, p[2], int_atom(1));
        const Atom among_second = second.binop("place", BinOpKind::add, total,
                                               second.binop("others", BinOpKind::sub, p[0], p[2]));
        return std::vector<Atom>{inner.let("place", If{lacks_it,
                                                       {std::move(first.stms), {among_first}},
                                                       {std::move(second.stms), {among_second}}})};
      });
  return b.let("places", Map{width, place, {b.let("positions", Iota{width}), lacking, counts}, {}});
}

/// The least number of bits that `most` fits in.
Atom bits_of(Builder& b, const Atom& most) {
  const Name leading = b.let("leading", MathOp{MathFn::clz, PrimType::i64, {most}});
  return b.binop("bits", BinOpKind::sub, int_atom(64),
                 b.convert("leading", PrimType::i64, leading));
}

}  // namespace

Name stable_order(Builder& b, const Atom& width, const Name& keys, const Atom& most) {
  const Type type = array(PrimType::i64, {width});
  const Param sorted_keys = b.names.fresh_param("keys", type),
              order = b.names.fresh_param("order", type);
  const Name bit = b.names.bind_fresh("bit", integer);
  Builder body(b.names, b.origin);
  const Name to = places(body, width, sorted_keys.name, bit);
  std::vector<Atom> moved;
  for (const Param& array : {sorted_keys, order}) {
    const Name blank = body.let(array.name.base, Scratch{PrimType::i64, {width}});
    moved.emplace_back(body.let(array.name.base, Scatter{width, {to}, {blank}, {array.name}}));
  }
  const Name unordered = b.let("order", Iota{width});
  const Name start = std::get<Name>(coerced(b, keys, type));
  return b.let_all({"keys", "order"}, Loop{{{sorted_keys, start}, {order, unordered}},
                                           ForLoop{bit, PrimType::i64, bits_of(b, most)},
                                           {std::move(body.stms), moved}})[1];
}

}  // namespace boustro::ad
