#include "transform/parallel/flatten/chunk.hpp"

#include "transform/ir/nest.hpp"

namespace boustro::parallel {

using namespace ir;

Atom divided_up(Builder& b, std::string_view base, const Atom& x, const Atom& y) {
  const Atom sum = b.binop("sum", BinOpKind::add, x, y);
  return b.binop(base, BinOpKind::div, b.binop("rounded", BinOpKind::sub, sum, int_atom(1)), y);
}

Atom count(Builder& b, std::string_view base, const Atom& x, const Atom& y) {
  const BinOp product{BinOpKind::mul, PrimType::i64, x, y};
  for (const Stm& stm : b.stms)
    if (stm.exp == Exp(product) && has_attribute(stm, "is_size")) return stm.pattern[0].name;
  const Param count = b.names.fresh_param(std::string(base), scalar(PrimType::i64));
  b.let({count}, product, {{"is_size", {}}});
  return count.name;
}

Chunks in_chunks(Builder& b, const Atom& width, const Atom& limit, const std::string& base) {
  const Atom size = b.binop(base + "_size", BinOpKind::max, divided_up(b, "size", width, limit), int_atom(1));
  return {divided_up(b, base + "s", width, size), size};
}

Chunk chunk_of(Builder& b, const Chunks& chunks, const Atom& width, const Atom& number) {
  const Atom first = b.binop("first", BinOpKind::mul, number, chunks.size);
  const Atom rest = b.binop("rest", BinOpKind::sub, width, first);
  const Param count = b.names.fresh_param("count", scalar(PrimType::i64));
  b.let({count}, BinOp{BinOpKind::min, PrimType::i64, rest, chunks.size}, {{"is_size", {}}});  // no chunk begins behind the end
  return {first, count.name};
}

std::vector<Name> elements_of(Builder& b, const Chunk& chunk, const std::vector<Name>& arrays) {
  std::vector<Name> views;
  for (const Name& array : arrays)
    views.push_back(b.let(array.base, Index{array, {Slice{chunk.first, chunk.count, int_atom(1)}}, false}));
  return views;
}

}  // namespace boustro::parallel
