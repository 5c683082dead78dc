#include "transform/ir/evaluate/machine.hpp"

#include <fmt/format.h>

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::ir::evaluation {

const Array& live(Machine& m, int index, const Stm* stm) {
  const Array& array = m.array(index);
  if (!array.alive()) broken(stm, "uses an array after it was consumed");
  return array;
}

void fail(const Stm* stm, const std::string& text) { throw RuntimeFailure(text, stm->origin); }

void broken(const Stm* stm, const std::string& text) {
  std::string names;
  for (const Param& param : stm->pattern)
    names += fmt::format(" {}_{}", param.name.base, param.name.tag);
  source::internal_error(fmt::format(
      "evaluate: the statement that binds `{}`{}{} {}", names.empty() ? names : names.substr(1),
      stm->origin.rule.empty() ? "" : ", made by ", stm->origin.rule, text));
}

void assign_all(Machine& m, std::span<const Slot> from, std::span<const Slot> to) {
  if (to.size() == 1) return assign(m, from[0], to[0]);
  boost::container::small_vector<Bits, 8> scalars;
  boost::container::small_vector<Array, 4> arrays;
  for (const Slot& slot : from.first(to.size())) {
    if (slot.is_array)
      arrays.push_back(m.array(slot.index));
    else
      scalars.push_back(m.scalar(slot.index));
  }
  std::size_t next_scalar = 0, next_array = 0;
  for (const Slot& slot : to) {
    if (slot.is_array)
      m.array(slot.index) = std::move(arrays[next_array++]);
    else
      m.scalar(slot.index) = scalars[next_scalar++];
  }
}

}  // namespace boustro::ir::evaluation
