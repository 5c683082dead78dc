#include "transform/lower/naming.hpp"

#include <map>

#include "transform/ir/traversal.hpp"

namespace boustro::lower {

namespace {

template <typename Name>
void copy_name(std::unordered_map<ir::Name, Name>& names, const ir::Name& copy, const ir::Name& array) {
  const auto name = names.find(copy);
  if (name != names.end()) names.try_emplace(array, Name(name->second));
}

using Functions = std::map<ir::Name, const ir::Function*>;

/// What is only copied, or passed on, is called as the copy or the parameter is, where it has no name of its own.
void name_originals(Context& context, const Functions& functions, const ir::Body& body) {
  for (auto it = body.stms.rbegin(); it != body.stms.rend(); ++it) {  // copies of copies
    const ir::Stm& stm = *it;
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { name_originals(context, functions, inner); });
    if (const auto* copy = std::get_if<ir::Copy>(&stm.exp)) {
      copy_name(context.preferred, stm.pattern[0].name, copy->array);
      copy_name(context.roles, stm.pattern[0].name, copy->array);
    } else if (const auto* call = std::get_if<ir::Call>(&stm.exp)) {
      const std::vector<ir::Param>& params = functions.at(call->function)->params;
      for (std::size_t i = 0; i < params.size(); ++i)
        if (const ir::Name* arg = ir::name_in(call->args[i])) copy_name(context.roles, params[i].name, *arg);
    }
  }
}

}  // namespace

void use_source_names(Context& context) {
  Functions functions;
  for (const ir::Function& function : context.program.functions) {
    functions.emplace(function.name, &function);
    name_originals(context, functions, function.body);
  }
  const auto rename = [&](const ir::Name& name) { return ir::Name{context.called(name), name.tag}; };
  for (ir::Function& function : context.program.functions) ir::change_names(function, rename);
}

}  // namespace boustro::lower
