#include "transform/raise/walk.hpp"

namespace boustro::raise {

bool calls_once(const ast::Apply& apply) {
  const auto* function = node_in<ast::Var>(*apply.function);
  return function && function->name.qualifiers == std::vector<std::string>{"core"} && function->name.name.starts_with("with_");
}

}  // namespace boustro::raise
