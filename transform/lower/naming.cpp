#include "transform/lower/naming.hpp"

#include "transform/ir/traversal.hpp"

namespace boustro::lower {

void use_source_names(Context& context) {
  const auto rename = [&](const ir::Name& name) {
    const auto found = context.preferred.find(name);
    return found == context.preferred.end() ? name : ir::Name{found->second, name.tag};
  };
  for (ir::Function& function : context.program.functions) ir::change_names(function, rename);
}

}  // namespace boustro::lower
