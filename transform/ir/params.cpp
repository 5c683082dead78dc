#include "transform/ir/params.hpp"

#include <algorithm>

namespace boustro::ir {

std::vector<Param> params_of(const Loop& loop) {
  std::vector<Param> params;
  for (const LoopParam& p : loop.params) params.push_back(p.param);
  return params;
}

bool binds(const std::vector<Param>& params, const Name& name) {
  return std::any_of(params.begin(), params.end(), [&](const Param& p) { return p.name == name; });
}

bool mentions_any(const Type& type, const NameSet& names) {
  return std::any_of(type.shape.begin(), type.shape.end(), [&](const Atom& size) {
    const Name* name = name_in(size);
    return name && names.contains(*name);
  });
}

NameSet mentioned_sizes(const std::vector<Param>& params) {
  NameSet sizes;
  for (const Param& param : params) {
    for (const Atom& size : param.type.shape) {
      const Name* name = name_in(size);
      if (name && binds(params, *name)) sizes.insert(*name);
    }
  }
  return sizes;
}

}  // namespace boustro::ir
