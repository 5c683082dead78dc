#include "transform/parallel/sizes/binding.hpp"

#include <algorithm>

namespace boustro::parallel {

using namespace ir;

bool binds(const std::vector<Param>& params, const Name& name) {
  return std::any_of(params.begin(), params.end(), [&](const Param& p) { return p.name == name; });
}

bool is_mentioned(const std::vector<Param>& params, const Name& name) {
  return std::any_of(params.begin(), params.end(), [&](const Param& p) {
    return std::find(p.type.shape.begin(), p.type.shape.end(), Atom(name)) != p.type.shape.end();
  });
}

std::vector<Param> params_of(const Loop& loop) {
  std::vector<Param> params;
  for (const LoopParam& p : loop.params) params.push_back(p.param);
  return params;
}

}  // namespace boustro::parallel
