#include "transform/ir/elementwise.hpp"
#include "transform/parallel/flatten/chunk.hpp"
#include "transform/parallel/flatten/chunks.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

constexpr std::int64_t most_scanned = 1024;

/// What each chunk comes to by itself.
std::vector<Name> parts_of(Builder& builder, const Scan& scan, const Chunks& chunks) {
  const Lambda fn = builder.lambda({{"chunk", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& k) {
    const Chunk chunk = chunk_of(b, chunks, scan.width, k[0]);
    const Reduce part{chunk.count, rename(scan.op, b.names), scan.neutral, elements_of(b, chunk, scan.arrays), false};
    return as_atoms(b.let_all({"part"}, part));
  });
  return builder.let_all({"parts"}, Map{chunks.count, fn, {builder.let("indices", Iota{chunks.count})}, {}});
}

/// The prefixes of a chunk, in an array of the size of all chunks.
std::vector<Atom> prefixes_of(Builder& b, const Scan& scan, const Chunks& chunks, const std::vector<Name>& parts, const Name& k) {
  const Chunk chunk = chunk_of(b, chunks, scan.width, k);
  const Reduce before{k, rename(scan.op, b.names), scan.neutral, elements_of(b, {int_atom(0), k}, parts), false};
  const std::vector<Name> begin = b.let_all({"before"}, before);

  const std::size_t count = scan.arrays.size();
  Loop loop;
  const Name j = b.names.bind_fresh("j", scalar(PrimType::i64));
  loop.form = ForLoop{j, PrimType::i64, chunk.count};
  Builder inside(b.names, b.origin);
  std::vector<Atom> operands, next;
  for (std::size_t i = 0; i < count; ++i) {
    const Type type = b.names.type_of(begin[i]);
    loop.params.push_back({b.names.fresh_param("total", type), begin[i]});
    operands.push_back(loop.params.back().param.name);
  }
  const Atom place = inside.binop("place", BinOpKind::add, chunk.first, j);
  for (const Name& array : scan.arrays) operands.push_back(inside.let("element", Index{array, {place}, false}));
  next = inline_lambda(inside, rename(scan.op, b.names), operands);
  for (std::size_t i = 0; i < count; ++i) {
    const Type row = b.names.type_of(begin[i]);
    Type prefixes = row;
    prefixes.shape.insert(prefixes.shape.begin(), chunks.size);
    const Name start = b.let("prefixes", Scratch{prefixes.elem, prefixes.shape});
    loop.params.push_back({b.names.fresh_param("prefixes", prefixes, true), start});
    next.push_back(inside.let("prefixes", Update{loop.params.back().param.name, {Atom(j)}, next[i], false}));
  }
  loop.body.stms = std::move(inside.stms);
  loop.body.result = std::move(next);
  const std::vector<Name> results = b.let_all({"prefixes"}, std::move(loop));
  return {results.begin() + static_cast<std::ptrdiff_t>(count), results.end()};
}

}  // namespace

std::vector<Stm> chunked_scan(const Stm& stm, const Scan& scan, Names& names) {
  Builder builder(names, stm.origin);
  const Chunks chunks = in_chunks(builder, scan.width, int_atom(most_scanned));
  const std::vector<Name> parts = parts_of(builder, scan, chunks);
  const Lambda fn = builder.lambda({{"chunk", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& k) {
    return prefixes_of(b, scan, chunks, parts, k[0]);
  });
  const std::vector<Name> rows =
      builder.let_all({"prefixes"}, Map{chunks.count, fn, {builder.let("indices", Iota{chunks.count})}, {}});
  const Atom room = builder.binop("room", BinOpKind::mul, chunks.count, chunks.size);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Shape shape = stm.pattern[i].type.shape;
    shape[0] = room;
    const Name flat = builder.let("prefixes", Reshape{shape, rows[i]});
    builder.let({stm.pattern[i]}, Index{flat, {Slice{int_atom(0), scan.width, int_atom(1)}}, false});
  }
  return std::move(builder.stms);
}

}  // namespace boustro::parallel
