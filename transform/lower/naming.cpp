#include "transform/lower/naming.hpp"

#include "transform/ir/traversal.hpp"

namespace boustro::lower {

namespace {

/// What is only copied is called as the copy is, where it has no name of its own.
void name_copied(Context& context, const ir::Body& body) {
  for (const ir::Stm& stm : body.stms) {
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { name_copied(context, inner); });
    const auto* copy = std::get_if<ir::Copy>(&stm.exp);
    const auto name = copy ? context.preferred.find(stm.pattern[0].name) : context.preferred.end();
    if (name != context.preferred.end()) context.preferred.try_emplace(copy->array, Context::SourceName(name->second));
  }
}

}  // namespace

void use_source_names(Context& context) {
  for (const ir::Function& function : context.program.functions) name_copied(context, function.body);
  const auto rename = [&](const ir::Name& name) {
    const auto found = context.preferred.find(name);
    return found == context.preferred.end() ? name : ir::Name{found->second.text, name.tag};
  };
  for (ir::Function& function : context.program.functions) ir::change_names(function, rename);
}

}  // namespace boustro::lower
