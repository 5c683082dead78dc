#include "transform/parallel/flatten/memory.hpp"

#include <algorithm>

#include "transform/ir/scattered.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

bool fits_registers(const Type& type) {
  std::int64_t count = 1;
  for (const Atom& size : type.shape) {
    const PrimValue* value = literal_in(size);
    if (!value || value->as_int() > max_register_elements) return false;
    count *= std::max<std::int64_t>(value->as_int(), 0);
  }
  return count <= max_register_elements;
}

/// Yields a view, or an array whose elements follow from their indices, unless it is written to.
bool is_free(const Stm& stm, const facts::Aliases& aliases) {
  const Exp& e = stm.exp;
  if (std::holds_alternative<Iota>(e) || std::holds_alternative<Replicate>(e))
    return !aliases.is_consumed(stm.pattern[0].name);
  return std::holds_alternative<AtomExp>(e) || std::holds_alternative<Index>(e) ||
         std::holds_alternative<Rearrange>(e) || std::holds_alternative<Reshape>(e) ||
         std::holds_alternative<Coerce>(e) || std::holds_alternative<Update>(e);
}

/// It makes an array that is neither a view nor small.
bool is_stored(const Stm& stm, const facts::Aliases& aliases, Scattered& scattered) {
  const bool copied = scattered.is_copied(stm);
  return (copied || !is_free(stm, aliases)) && std::any_of(stm.pattern.begin(), stm.pattern.end(), [](const Param& param) {
    return !param.type.is_scalar() && !param.type.accumulator && !fits_registers(param.type);
  });
}

bool any_stored(const Body& body, const facts::Aliases& aliases, Scattered& scattered, const std::function<bool(const Stm&)>& ask) {
  return std::any_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
    bool any = is_stored(stm, aliases, scattered) && ask(stm);
    for_each_body(stm.exp, [&](const Body& inner) { any = any || any_stored(inner, aliases, scattered, ask); });
    return any;
  });
}

bool any_stored(const Body& body, const facts::Callees& callees, const std::function<bool(const Stm&)>& ask) {
  Scattered scattered;
  return any_stored(body, facts::Aliases(body.stms, callees), scattered, ask);
}

}  // namespace

bool needs_memory(const Body& body, const facts::Callees& callees) {
  return any_stored(body, callees, [](const Stm&) { return true; });
}

void for_each_stored(const Body& body, const facts::Callees& callees, const std::function<void(const Stm&)>& visit) {
  any_stored(body, callees, [&](const Stm& stm) {
    visit(stm);
    return false;
  });
}

}  // namespace boustro::parallel
