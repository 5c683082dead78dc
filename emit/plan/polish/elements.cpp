#include "emit/plan/polish/elements.hpp"

#include <string_view>

#include "transform/ir/words.hpp"

namespace boustro::plan {

bool is_row(const Let& let) { return let.type.pointer && let.value && let.value->head == Head(Op::add); }

bool is_element(const Let& let) { return let.value && std::holds_alternative<Element>(let.value->head); }

std::string name_of_array(const Expr& array) {
  if (const auto* variable = std::get_if<Var>(&array.head)) return variable->name;
  const auto* piece = std::get_if<Field>(&array.head);
  return piece ? piece->name : "";
}

std::string element_name(std::string array) {
  constexpr std::string_view row = "_row";
  if (array.ends_with(row)) array.resize(array.size() - row.size());
  return ir::element_of(array);
}

}  // namespace boustro::plan
