#include "transform/lower/consumption.hpp"

#include <algorithm>

namespace boustro::lower {
namespace {

template <typename Params>
void mark_consumed(Params& params, const facts::Aliases& aliases) {
  for (ir::Param& param : params)
    if (aliases.is_consumed(param.name)) param.unique = true;
}

/// Whether the value may be the array.
bool may_be(const facts::Aliases& aliases, const Atom& value, const ir::Name& array) {
  const ir::Name* name = ir::name_in(value);
  return name && aliases.roots(*name).contains(array);
}

}  // namespace

void mark_unique(Context& context, ir::Function& function) {
  mark_consumed(function.params, facts::Aliases(function.body.stms, context.callees));
}

void mark_unique(Context& context, ir::Lambda& lambda) {
  mark_consumed(lambda.params, facts::Aliases(lambda.body.stms, context.callees));
}

void mark_unique(Context& context, ir::Loop& loop, const std::unordered_set<ir::Name>& said_unique) {
  const facts::Aliases aliases(loop.body.stms, context.callees);
  const std::vector<Atom>& next = loop.body.result;
  for (ir::LoopParam& p : loop.params)
    p.param.unique = !p.param.type.is_scalar() && said_unique.contains(p.param.name) &&
                     (context.printed || std::any_of(next.begin(), next.end(), [&](const Atom& value) {
                        return may_be(aliases, value, p.param.name);
                      }));
  for (bool changed = true; changed;) {
    changed = false;
    for (ir::LoopParam& p : loop.params) {
      ir::Param& param = p.param;
      if (param.type.is_scalar() || param.unique) continue;
      param.unique = aliases.is_consumed(param.name);
      for (std::size_t j = 0; j < loop.params.size(); ++j)
        if (loop.params[j].param.unique && may_be(aliases, next.at(j), param.name))
          param.unique = true;
      changed = changed || param.unique;
    }
  }
}

}  // namespace boustro::lower
