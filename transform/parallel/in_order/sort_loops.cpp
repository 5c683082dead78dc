// Sorts as loops: a radix sort, one bit at a time.
//
// Before:   let ys = core.sort first end xs
// After:    let ys = loop xs for j < end - first do
//                      let lacks = map (\x -> 1 - (x >> (first + j) & 1)) xs
//                      let counts = scan (+) 0 lacks
//                      let places = map3 (\i l c -> if l == 1 then c - 1 else counts[n - 1] + i - c) (iota n) lacks counts
//                      in scatter (core.scratch n) places xs
// Applies   to all sorts, or to those that a thread does
#include "transform/parallel/in_order/sort_loops.hpp"

#include "transform/ir/elementwise.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::parallel {

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

/// The statement's result, made by a loop.
std::vector<Stm> sorting_loop(const Stm& stm, const Sort& sort, Names& names) {
  Builder b(names, stm.origin), body(names, stm.origin);
  const Type type = stm.pattern[0].type;
  const Atom& width = type.shape[0];
  const Param elements = names.fresh_param(sort.array.base, type, true);
  const Name j = names.bind_fresh("j", integer);
  const Name to = places(body, width, elements.name, body.binop("bit", BinOpKind::add, sort.first_bit, j));
  const Name blank = body.let(sort.array.base, Scratch{PrimType::i64, {width}});
  const Name moved = body.let(sort.array.base, Scatter{width, {to}, {blank}, {elements.name}});
  const Atom bits = b.binop("bits", BinOpKind::sub, sort.end_bit, sort.first_bit);
  const Name start = b.let(sort.array.base, Copy{sort.array});
  b.let(stm.pattern, Loop{{{elements, start}}, ForLoop{j, PrimType::i64, bits}, {std::move(body.stms), {moved}}});
  return std::move(b.stms);
}

void in_body(Body& body, Names& names, bool all) {
  std::vector<Stm> stms;
  for (Stm& stm : body.stms) {
    const bool control = std::holds_alternative<If>(stm.exp) || std::holds_alternative<Loop>(stm.exp) || std::holds_alternative<WithAcc>(stm.exp);
    map_bodies(stm.exp, [&](Body& inner) { in_body(inner, names, all || !control); });
    const auto* sort = std::get_if<Sort>(&stm.exp);
    if (!sort || !all) {
      stms.push_back(std::move(stm));
      continue;
    }
    for (Stm& part : sorting_loop(stm, *sort, names)) stms.push_back(std::move(part));
  }
  body.stms = std::move(stms);
}

}  // namespace

void sort_by_loops(Program& program, bool all) {
  Names names(program);
  for (Function& function : program.functions) in_body(function.body, names, all);
}

}  // namespace boustro::parallel
