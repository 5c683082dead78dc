#include "transform/parallel/flatten/chunks.hpp"

#include "transform/parallel/flatten/chunk.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

/// How many chunks there are at most, in one stage after the other.
constexpr std::int64_t stages[] = {4096, 64, 1};

/// The parts of so many chunks, under the names of the arrays.
struct Parts {
  Atom width;
  std::vector<Name> arrays;
};

/// What chunk number `k` begins with, and from where on it goes: with the neutral elements at the very first element, and with its
/// own first element otherwise. So they join in once, as in a reduction from left to right.
struct Begin {
  std::vector<Atom> values;
  Atom skipped;
};
Begin begin_of(Builder& b, const Reduce& reduce, const Parts& of, const Atom& k, const Atom& first,
               bool original) {
  Builder inside(b.names, b.origin);
  Builder& reading = original ? inside : b;
  std::vector<Atom> elements;
  for (const Name& array : of.arrays)
    elements.push_back(reading.let("element", Index{array, {first}, false}));
  if (!original) return {std::move(elements), int_atom(1)};
  elements.push_back(int_atom(1));
  std::vector<Atom> neutral = reduce.neutral;
  neutral.push_back(int_atom(0));
  const Atom later = b.cmp("later", CmpOpKind::lt, int_atom(0), k);
  Begin begin{as_atoms(b.let_all({"begin"}, If{later,
                                               {std::move(inside.stms), std::move(elements)},
                                               {{}, std::move(neutral)}})),
              {}};
  begin.skipped = begin.values.back();
  begin.values.pop_back();
  return begin;
}

/// Chunk number k of `size` elements, reduced.
Lambda reduce_chunk(Builder& builder, const Reduce& reduce, const Parts& of, const Atom& size,
                    bool original) {
  return builder.lambda({{"chunk", scalar(PrimType::i64)}}, [&](Builder& b,
                                                                const std::vector<Name>& k) {
    const Atom first = b.binop("first", BinOpKind::mul, k[0], size);
    const Atom rest = b.binop("rest", BinOpKind::sub, of.width, first);
    const Atom count = b.binop("count", BinOpKind::min, rest, size);
    const Begin begin = begin_of(b, reduce, of, k[0], first, original);
    const Atom second = b.binop("second", BinOpKind::add, first, begin.skipped);
    const Atom more = b.binop("more", BinOpKind::sub, count, begin.skipped);
    std::vector<Name> chunks;
    for (const Name& array : of.arrays)
      chunks.push_back(b.let(array.base, Index{array, {Slice{second, more, int_atom(1)}}, false}));
    const Reduce part{more, rename(reduce.op, b.names), begin.values, chunks, reduce.commutative};
    return as_atoms(b.let_all({"part"}, part));
  });
}

/// No chunk is empty, but the only one of no elements.
Parts in_chunks(Builder& b, const Reduce& reduce, const Parts& of, std::int64_t limit,
                bool original) {
  Atom chunks = int_atom(1), size = of.width;
  if (limit > 1) {
    const Atom least = b.binop("least", BinOpKind::max,
                               divided_up(b, "quotient", of.width, int_atom(limit)), int_atom(1));
    size = least;
    chunks =
        b.binop("chunks", BinOpKind::max, divided_up(b, "quotient", of.width, least), int_atom(1));
  }
  const Name indices = b.let("indices", Iota{chunks});
  const Lambda fn = reduce_chunk(b, reduce, of, size, original);
  return {chunks, b.let_all({"parts"}, Map{chunks, fn, {indices}, {}})};
}

}  // namespace

std::vector<Stm> chunked_reduce(const Stm& stm, const Reduce& reduce, Names& names) {
  Builder builder(names, stm.origin);
  Parts parts{reduce.width, reduce.arrays};
  for (const std::int64_t limit : stages)
    parts = in_chunks(builder, reduce, parts, limit, limit == stages[0]);
  for (std::size_t k = 0; k < stm.pattern.size(); ++k)
    builder.let({stm.pattern[k]}, Index{parts.arrays[k], {int_atom(0)}, false});
  return std::move(builder.stms);
}

}  // namespace boustro::parallel
