#include "transform/parallel/recompute/parts.hpp"

#include <algorithm>

namespace boustro::parallel {

using namespace ir;

const Index* as_part(const Stm& stm) {
  const auto* read = std::get_if<Index>(&stm.exp);
  const auto is_number = [](const DimIndex& at) { return std::holds_alternative<Atom>(at); };
  return read && !read->checked && std::all_of(read->indices.begin(), read->indices.end(), is_number) ? read : nullptr;
}

std::vector<Atom> numbers_of(const Index& part) {
  std::vector<Atom> result;
  for (const DimIndex& at : part.indices) result.push_back(std::get<Atom>(at));
  return result;
}

ArrayPart whole_array(const Name& array, std::size_t rank) {
  ArrayPart result{array, {}};
  for (std::size_t d = 0; d < rank; ++d) result.at.emplace_back(d);
  return result;
}

std::size_t rank_read_by(const Index& index, const Stm& stm) {
  const auto picked = std::count_if(index.indices.begin(), index.indices.end(), [](const DimIndex& at) { return std::holds_alternative<Atom>(at); });
  return static_cast<std::size_t>(picked) + stm.pattern[0].type.shape.size();
}

namespace {

/// Element after element from the first: their numbers are the same.
bool is_from_start(const Slice& slice) {
  const PrimValue *start = literal_in(slice.start), *stride = literal_in(slice.stride);
  return start && start->is_zero() && stride && stride->as_int() == 1;
}

/// The part's first dimensions at these indices.
std::optional<ArrayPart> at(const ArrayPart& part, const std::vector<DimIndex>& indices) {
  std::vector<std::variant<Atom, std::size_t>> own;
  std::size_t kept = 0;
  for (const DimIndex& index : indices) {
    if (const auto* slice = std::get_if<Slice>(&index); slice && !is_from_start(*slice)) return std::nullopt;
    if (const auto* number = std::get_if<Atom>(&index)) own.emplace_back(*number);
    else own.emplace_back(kept++);
  }
  ArrayPart result = part;
  for (auto& dimension : result.at) {
    const auto* number = std::get_if<std::size_t>(&dimension);
    if (!number) continue;
    if (*number < own.size()) dimension = std::variant(own[*number]);
    else dimension = *number - own.size() + kept;
  }
  return result;
}

ArrayPart rearranged(const ArrayPart& part, const std::vector<int>& permutation) {
  ArrayPart result = part;
  for (auto& dimension : result.at) {
    const auto* number = std::get_if<std::size_t>(&dimension);
    if (!number || *number >= permutation.size()) continue;
    dimension = static_cast<std::size_t>(std::find(permutation.begin(), permutation.end(), static_cast<int>(*number)) - permutation.begin());
  }
  return result;
}

}  // namespace

std::optional<ArrayPart> part_of(const Stm& stm, const ArrayParts& parts) {
  const auto* index = std::get_if<Index>(&stm.exp);
  const auto* turned = std::get_if<Rearrange>(&stm.exp);
  if (!turned && (!index || index->checked)) return std::nullopt;
  const auto found = parts.find(turned ? turned->array : index->array);
  if (found == parts.end()) return std::nullopt;
  return turned ? rearranged(found->second, turned->permutation) : at(found->second, index->indices);
}

std::vector<Atom> indices_of(const ArrayPart& element) {
  std::vector<Atom> result;
  for (const auto& index : element.at) result.push_back(std::get<Atom>(index));
  return result;
}

}  // namespace boustro::parallel
