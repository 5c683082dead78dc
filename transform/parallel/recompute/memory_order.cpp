#include "transform/parallel/recompute/memory_order.hpp"

#include <algorithm>
#include <numeric>

#include "transform/facts/thread_rows.hpp"

namespace boustro::parallel {

using namespace ir;

MemoryOrder::MemoryOrder(const Body& host) {
  count(host);
  note(host);
}

void MemoryOrder::count(const Body& body) {
  const auto use = [&](const Atom& atom) {
    if (const Name* name = name_in(atom)) ++uses_[*name];
  };
  for (const Stm& stm : body.stms) {
    for_each_atom(stm.exp, use);
    for_each_body(stm.exp, [&](const Body& inner) { count(inner); });
  }
  for (const Atom& atom : body.result) use(atom);
}

void MemoryOrder::note(const Body& host) {
  for (std::size_t at = 0; at < host.stms.size(); ++at) {
    const Stm& stm = host.stms[at];
    if (const auto* turned = std::get_if<Rearrange>(&stm.exp)) {
      std::vector<std::size_t> order = of(turned->array, stm.pattern[0].type.shape.size());
      for (std::size_t& dimension : order) {
        const auto seen = std::find(turned->permutation.begin(), turned->permutation.end(), static_cast<int>(dimension));
        if (seen != turned->permutation.end()) dimension = static_cast<std::size_t>(seen - turned->permutation.begin());
      }
      orders_.insert_or_assign(stm.pattern[0].name, std::move(order));
    } else if (std::holds_alternative<Nest>(stm.exp)) {
      note_rows(host.stms, at);
    } else {
      for_each_body(stm.exp, [&](const Body& inner) { note(inner); });
    }
  }
}

void MemoryOrder::note_rows(const std::vector<Stm>& stms, std::size_t at) {
  const auto uses = [&](const Name& name) { return uses_[name]; };
  for (const Param& made : stms[at].pattern) {
    const auto order = facts::order_in_memory(stms, at, made.name, uses);
    if (order) orders_.insert_or_assign(made.name, std::vector<std::size_t>(order->begin(), order->end()));
  }
}

std::vector<std::size_t> MemoryOrder::of(const Name& array, std::size_t rank) const {
  const auto found = orders_.find(array);
  if (found != orders_.end()) return found->second;
  std::vector<std::size_t> in_order(rank);
  std::iota(in_order.begin(), in_order.end(), std::size_t{0});
  return in_order;
}

}  // namespace boustro::parallel
