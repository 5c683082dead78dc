#include "emit/plan/planner/index_letters.hpp"

#include "emit/plan/build.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

void add(const ir::Atom& extent, const ir::Name& index, IndexLetters& letters) {
  if (index.base.size() != 1) return;
  const ir::Name* name = ir::name_in(extent);
  letters.emplace(name ? name->base : std::to_string(ir::literal_in(extent)->as_int()), index.base);
}

void add(const ir::Body& body, IndexLetters& letters) {
  for (const ir::Stm& stm : body.stms) {
    if (const auto* nest = std::get_if<ir::Nest>(&stm.exp))
      for (std::size_t d = 0; d < nest->space.size(); ++d) add(nest->space[d], nest->point.params[nest->accumulators.size() + d].name, letters);
    const auto* loop = std::get_if<ir::Loop>(&stm.exp);
    if (const auto* counted = loop ? std::get_if<ir::ForLoop>(&loop->form) : nullptr) add(counted->bound, counted->index, letters);
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { add(inner, letters); });
  }
}

std::string name_of(const Expr& extent) {
  if (const auto value = int_value(extent)) return std::to_string(*value);
  if (const auto* variable = std::get_if<Var>(&extent.head)) return variable->name;
  const auto* field = std::get_if<Field>(&extent.head);
  return field ? field->name : "";
}

}  // namespace

IndexLetters index_letters(const ir::Function& function) {
  IndexLetters letters;
  add(function.body, letters);
  return letters;
}

std::string letter_of(const IndexLetters& letters, const Expr& extent) {
  const auto found = letters.find(name_of(extent));
  return found == letters.end() ? "i" : found->second;
}

}  // namespace boustro::plan::planner
