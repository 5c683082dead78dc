#include "transform/parallel/recompute/element_reads.hpp"

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

ElementReads::ElementReads(const Stm& made) {
  View whole;
  for (std::size_t d = 0; d < std::get<Nest>(made.exp).space.size(); ++d) whole.emplace_back(d);
  views_.emplace(made.pattern[0].name, whole);
}

bool ElementReads::is_in(const std::vector<Atom>& atoms) const {
  return std::any_of(atoms.begin(), atoms.end(), [&](const Atom& atom) { return name_in(atom) && views_.contains(*name_in(atom)); });
}

bool ElementReads::only_read(const std::vector<Stm>& stms, bool in_nest) {
  return std::all_of(stms.begin(), stms.end(), [&](const Stm& stm) { return only_read(stm, in_nest); });
}

bool ElementReads::only_read(const Stm& stm, bool in_nest) {
  const NameSet used = free_names(stm);
  if (std::none_of(used.begin(), used.end(), [&](const Name& name) { return views_.contains(name); })) return true;
  if (const View* view = view_read(stm)) {
    if (stm.pattern[0].type.is_scalar()) return in_nest;
    return views_.emplace(stm.pattern[0].name, at(*view, numbers_of(std::get<Index>(stm.exp)))), true;
  }
  if (const auto* e = std::get_if<Rearrange>(&stm.exp)) {
    const View view = views_.at(e->array);
    return views_.emplace(stm.pattern[0].name, rearranged(view, e->permutation)), true;
  }
  std::vector<Atom> operands;
  for_each_atom(stm.exp, [&](const Atom& atom) { operands.push_back(atom); });
  bool inside = !is_in(operands);
  const bool is_nest = std::holds_alternative<Nest>(stm.exp);
  for_each_body(stm.exp, [&](const Body& body) { inside = inside && only_read(body.stms, in_nest || is_nest) && !is_in(body.result); });
  return inside;
}

void ElementReads::replace(std::vector<Stm>& stms, const Fill& fill) const {
  std::vector<Stm> result;
  for (Stm& stm : stms) {
    const View* view = view_read(stm);
    if (view && stm.pattern[0].type.is_scalar()) {
      std::vector<Atom> indices;
      for (const auto& index : at(*view, numbers_of(std::get<Index>(stm.exp)))) indices.push_back(std::get<Atom>(index));
      std::vector<Stm> filled = fill(stm, indices);
      result.insert(result.end(), std::make_move_iterator(filled.begin()), std::make_move_iterator(filled.end()));
    } else if (stm.pattern.empty() || !views_.contains(stm.pattern[0].name)) {
      map_bodies(stm.exp, [&](Body& body) { replace(body.stms, fill); });
      result.push_back(std::move(stm));
    }
  }
  stms = std::move(result);
}

const ElementReads::View* ElementReads::view_read(const Stm& stm) const {
  const Index* read = as_part(stm);
  const auto found = read ? views_.find(read->array) : views_.end();
  return found == views_.end() ? nullptr : &found->second;
}

/// The view's first dimensions at these indices.
ElementReads::View ElementReads::at(const View& view, const std::vector<Atom>& indices) {
  View result = view;
  for (auto& dimension : result) {
    const auto* number = std::get_if<std::size_t>(&dimension);
    if (!number) continue;
    if (*number < indices.size())
      dimension = indices[*number];
    else
      dimension = *number - indices.size();
  }
  return result;
}

ElementReads::View ElementReads::rearranged(const View& view, const std::vector<int>& permutation) {
  View result = view;
  for (auto& dimension : result) {
    const auto* number = std::get_if<std::size_t>(&dimension);
    if (!number || *number >= permutation.size()) continue;
    dimension = static_cast<std::size_t>(std::find(permutation.begin(), permutation.end(), static_cast<int>(*number)) - permutation.begin());
  }
  return result;
}

}  // namespace boustro::parallel
