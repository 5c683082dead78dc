#include "emit/plan/planner/repeated_rows.hpp"

#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

void unite_with_rows(facts::Aliases& aliases, const std::vector<ir::Stm>& stms) {
  for (const ir::Stm& stm : stms) {
    const auto* repeated = std::get_if<ir::Replicate>(&stm.exp);
    const ir::Name* value = repeated ? ir::name_in(repeated->value) : nullptr;
    const bool is_row = value && stm.pattern[0].type.shape.size() > repeated->shape.size();
    if (is_row) aliases.unite(stm.pattern[0].name, *value);
    ir::for_each_body(stm.exp, [&](const ir::Body& body) { unite_with_rows(aliases, body.stms); });
  }
}

}  // namespace

facts::Aliases planned_aliases(const std::vector<ir::Stm>& stms, const facts::Callees& callees) {
  facts::Aliases aliases(stms, callees);
  unite_with_rows(aliases, stms);
  return aliases;
}

}  // namespace boustro::plan::planner
