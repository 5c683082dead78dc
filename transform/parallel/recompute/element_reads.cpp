#include "transform/parallel/recompute/element_reads.hpp"

#include <algorithm>

namespace boustro::parallel {

using namespace ir;

ElementReads::ElementReads(const Param& made) { parts_.emplace(made.name, whole_array(made.name, made.type.shape.size())); }

bool ElementReads::is_in(const std::vector<Atom>& atoms) const {
  return std::any_of(atoms.begin(), atoms.end(), [&](const Atom& atom) { return name_in(atom) && parts_.contains(*name_in(atom)); });
}

bool ElementReads::only_read(const std::vector<Stm>& stms, bool in_nest) {
  return std::all_of(stms.begin(), stms.end(), [&](const Stm& stm) { return only_read(stm, in_nest); });
}

bool ElementReads::only_read(const Stm& stm, bool in_nest) {
  const NameSet used = free_names(stm);
  if (std::none_of(used.begin(), used.end(), [&](const Name& name) { return parts_.contains(name); })) return true;
  if (auto part = part_of(stm, parts_)) {
    if (stm.pattern[0].type.is_scalar()) return in_nest;
    return parts_.emplace(stm.pattern[0].name, std::move(*part)), true;
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
    const auto part = part_of(stm, parts_);
    if (part && stm.pattern[0].type.is_scalar()) {
      std::vector<Stm> filled = fill(stm, indices_of(*part));
      result.insert(result.end(), std::make_move_iterator(filled.begin()), std::make_move_iterator(filled.end()));
    } else if (stm.pattern.empty() || !parts_.contains(stm.pattern[0].name)) {
      map_bodies(stm.exp, [&](Body& body) { replace(body.stms, fill); });
      result.push_back(std::move(stm));
    }
  }
  stms = std::move(result);
}

}  // namespace boustro::parallel
