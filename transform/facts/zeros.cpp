#include "transform/facts/zeros.hpp"

#include <algorithm>

#include "transform/facts/vanishing.hpp"

namespace boustro::facts {

using namespace ir;

namespace {

/// With another coordinate for each; nothing if one of them has none.
template <typename Move>
std::optional<ZeroPart> moved(const ZeroPart& part, Move&& move) {
  const std::optional<Coordinate> low = move(part.low), high = move(part.high);
  return low && high ? std::optional(ZeroPart{*low, *high}) : std::nullopt;
}

}  // namespace

std::optional<ZeroPart> Zeros::of(const Atom& atom) const {
  const Name* name = name_in(atom);
  const auto found = name ? parts_.find(*name) : parts_.end();
  return found == parts_.end() ? std::nullopt : std::optional(found->second);
}

void Zeros::note(const Body& body) {
  for (const Stm& stm : body.stms) {
    for_each_body(stm.exp, [&](const Body& inner) { note(inner); });
    note(stm);
  }
}

void Zeros::note(const Stm& stm) {
  if (const auto* nest = std::get_if<Nest>(&stm.exp)) return note_nest(stm, *nest);
  if (stm.pattern.size() != 1) return;
  const Name& name = stm.pattern[0].name;
  if (const auto* comparison = std::get_if<CmpOp>(&stm.exp)) comparisons_.insert_or_assign(name, *comparison);
  std::optional<ZeroPart> part;
  if (const auto* branch = std::get_if<If>(&stm.exp)) part = of_branch(*branch);
  if (const auto* product = std::get_if<BinOp>(&stm.exp)) part = of_product(*product);
  if (const auto* index = std::get_if<Index>(&stm.exp)) part = of_part(*index);
  if (const auto* view = std::get_if<Rearrange>(&stm.exp)) part = rearranged(*view);
  if (const auto* negation = std::get_if<UnOp>(&stm.exp); negation && negation->kind == UnOpKind::neg) part = of(negation->operand);
  if (part) parts_.insert_or_assign(name, *part);
}

/// if low < high then 0 else ..
std::optional<ZeroPart> Zeros::of_branch(const If& branch) const {
  const Name* condition = name_in(branch.condition);
  const auto found = condition ? comparisons_.find(*condition) : comparisons_.end();
  if (found == comparisons_.end() || branch.then_body.result.size() != 1) return std::nullopt;
  const CmpOp& comparison = found->second;
  if (comparison.type != PrimType::i64) return std::nullopt;
  if (comparison.kind == CmpOpKind::lt && is_zero(branch.then_body.result[0])) return ZeroPart{comparison.lhs, comparison.rhs};
  if (comparison.kind == CmpOpKind::le && is_zero(branch.else_body.result[0])) return ZeroPart{comparison.rhs, comparison.lhs};
  return std::nullopt;
}

/// Of either factor: 0 * x = 0.
std::optional<ZeroPart> Zeros::of_product(const BinOp& product) const {
  if (product.kind != BinOpKind::mul) return std::nullopt;
  const auto part = of(product.lhs);
  return part ? part : of(product.rhs);
}

std::optional<ZeroPart> Zeros::of_part(const Index& index) const {
  const auto part = of(index.array);
  if (!part) return std::nullopt;
  return moved(*part, [&](const Coordinate& at) -> std::optional<Coordinate> {
    const auto* dimension = std::get_if<std::size_t>(&at);
    if (!dimension) return at;
    const auto slices = std::count_if(index.indices.begin(), index.indices.end(), [](const DimIndex& one) { return std::holds_alternative<Slice>(one); });
    if (slices > 0) return std::nullopt;
    if (*dimension < index.indices.size()) return std::get<Atom>(index.indices[*dimension]);
    return *dimension - index.indices.size();
  });
}

std::optional<ZeroPart> Zeros::rearranged(const Rearrange& view) const {
  const auto part = of(view.array);
  if (!part) return std::nullopt;
  return moved(*part, [&](const Coordinate& at) -> std::optional<Coordinate> {
    const auto* dimension = std::get_if<std::size_t>(&at);
    if (!dimension) return at;
    const auto found = std::find(view.permutation.begin(), view.permutation.end(), static_cast<int>(*dimension));
    return static_cast<std::size_t>(found - view.permutation.begin());
  });
}

/// What its points store.
void Zeros::note_nest(const Stm& stm, const Nest& nest) {
  std::size_t result = nest.accumulators.size(), value = result;
  for (const Out& out : nest.outs) {
    if (out.kind == OutKind::store && out.destinations.empty() && !out.epilogue) {
      const auto part = of(nest.point.body.result[value]);
      const auto outside = part ? moved(*part, [&](const Coordinate& at) -> std::optional<Coordinate> {
        if (const auto* dimension = std::get_if<std::size_t>(&at)) return *dimension + nest.space.size();
        for (std::size_t d = 0; d < nest.space.size(); ++d)
          if (std::get<Atom>(at) == Atom(nest.point.params[nest.accumulators.size() + d].name)) return d;
        return at;
      }) : std::nullopt;
      if (outside) parts_.insert_or_assign(stm.pattern[result].name, *outside);
    }
    result += out.results();
    value += out.indices() + out.values();
  }
}

}  // namespace boustro::facts
