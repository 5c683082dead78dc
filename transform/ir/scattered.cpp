#include "transform/ir/scattered.hpp"

#include <algorithm>

#include "transform/ir/operands.hpp"

namespace boustro::ir {
namespace {

/// xs[i], xs[i, a:b]: neighbours stay neighbours.
bool is_dense_part(const Index& index) {
  const auto slice = std::find_if(index.indices.begin(), index.indices.end(),
                                  [](const DimIndex& dim) { return std::holds_alternative<Slice>(dim); });
  if (slice == index.indices.end()) return true;
  const PrimValue* stride = literal_in(std::get<Slice>(*slice).stride);
  return stride && stride->as_int() == 1 && slice + 1 == index.indices.end();
}

}  // namespace

bool Scattered::is_copied(const Stm& stm) {
  if (!scatters(stm.exp)) return false;
  if (std::holds_alternative<Reshape>(stm.exp)) return true;
  arrays_.insert(stm.pattern[0].name);
  return false;
}

bool Scattered::scatters(const Exp& exp) const {
  if (std::holds_alternative<Iota>(exp) || std::holds_alternative<Rearrange>(exp)) return true;
  const auto* index = std::get_if<Index>(&exp);
  if (index && !is_dense_part(*index)) return true;
  const Name* viewed = viewed_operand(exp);
  return viewed && arrays_.contains(*viewed);
}

}  // namespace boustro::ir
