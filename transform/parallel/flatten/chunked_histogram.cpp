#include <algorithm>
#include <optional>

#include "transform/parallel/flatten/chunk.hpp"
#include "transform/parallel/flatten/chunks.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

constexpr std::int64_t most_histograms = 1 << 16;
constexpr std::int64_t share_of_memory = 4;  // of what the elements take

/// The product, at least 1.
Atom cells_of(Builder& b, const Shape& shape) {
  std::int64_t known = 1;
  std::optional<Atom> unknown;
  for (const Atom& size : shape) {
    if (const PrimValue* literal = literal_in(size)) known *= literal->as_int();
    else unknown = unknown ? b.binop("cells", BinOpKind::mul, *unknown, size) : size;
  }
  if (!unknown || known < 1) return int_atom(std::max<std::int64_t>(known, 1));
  const Atom cells = known == 1 ? *unknown : b.binop("cells", BinOpKind::mul, *unknown, int_atom(known));
  return b.binop("cells", BinOpKind::max, cells, int_atom(1));
}

/// How many histograms take no more than a part of the memory of the elements, but one.
Atom chunks_for(Builder& b, const Atom& width, const Shape& bins) {
  const Atom cells = cells_of(b, bins);
  const PrimValue* known = literal_in(cells);
  const Atom some = known ? int_atom(known->as_int() * share_of_memory) : b.binop("cells", BinOpKind::mul, cells, int_atom(share_of_memory));
  const Atom fitting = b.binop("most_chunks", BinOpKind::max, b.binop("fitting", BinOpKind::div, width, some), int_atom(1));
  return b.binop("most_chunks", BinOpKind::min, fitting, int_atom(most_histograms));
}

/// The histogram of each chunk, of nothing but neutral elements where the chunk has none.
std::vector<Name> parts_of(Builder& builder, const ReduceByIndex& e, const Chunks& chunks) {
  const Histogram& histogram = e.histograms[0];
  const Lambda fn = builder.lambda({{"chunk", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& k) {
    const Chunk chunk = chunk_of(b, chunks, e.width, k[0]);
    Histogram part{histogram.shape, {}, rename(histogram.op, b.names), histogram.neutral};
    for (const Atom& neutral : histogram.neutral)
      part.destinations.push_back(b.let("bins", Replicate{histogram.shape, neutral}));
    const ReduceByIndex one{chunk.count, {std::move(part)}, rename(e.fn, b.names), elements_of(b, chunk, e.arrays)};
    return as_atoms(b.let_all({"bins"}, one));
  });
  return builder.let_all({"parts"}, Map{chunks.count, fn, {builder.let("indices", Iota{chunks.count})}, {}});
}

/// What was there and all parts of it, for one bin.
std::vector<Atom> of_one(Builder& b, const Histogram& histogram, const Chunks& chunks, const std::vector<Name>& parts,
                         const std::vector<DimIndex>& bin) {
  std::vector<Atom> before;
  std::vector<Name> of_bin;
  std::vector<DimIndex> all_of_bin{Slice{int_atom(0), chunks.count, int_atom(1)}};
  all_of_bin.insert(all_of_bin.end(), bin.begin(), bin.end());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    before.push_back(b.let("old", Index{histogram.destinations[i], bin, false}));
    of_bin.push_back(b.let("parts", Index{parts[i], all_of_bin, false}));
  }
  // As all operators of histograms, it commutes.
  const auto totals = as_atoms(b.let_all({"total"}, Reduce{chunks.count, rename(histogram.op, b.names), histogram.neutral, of_bin, true}));
  before.insert(before.end(), totals.begin(), totals.end());
  return inline_lambda(b, rename(histogram.op, b.names), before);
}

/// Map after map over the dimensions of the bins, inside of the bins of `outer`.
Exp combined(Builder& builder, const Histogram& histogram, const Chunks& chunks, const std::vector<Name>& parts,
             const std::vector<DimIndex>& outer) {
  const Atom width = histogram.shape[outer.size()];
  const Lambda fn = builder.lambda({{"bin", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& index) {
    std::vector<DimIndex> bins = outer;
    bins.push_back(Atom(index[0]));
    if (bins.size() == histogram.shape.size()) return of_one(b, histogram, chunks, parts, bins);
    return as_atoms(b.let_all({"combined"}, combined(b, histogram, chunks, parts, bins)));
  });
  return Map{width, fn, {builder.let("indices", Iota{width})}, {}};
}

}  // namespace

std::vector<Stm> chunked_histogram(const Stm& stm, const ReduceByIndex& e, Names& names) {
  Builder builder(names, stm.origin);
  const Chunks chunks = in_chunks(builder, e.width, chunks_for(builder, e.width, e.histograms[0].shape));
  const std::vector<Name> parts = parts_of(builder, e, chunks);
  builder.let(stm.pattern, combined(builder, e.histograms[0], chunks, parts, {}), stm.attributes);
  return std::move(builder.stms);
}

}  // namespace boustro::parallel
