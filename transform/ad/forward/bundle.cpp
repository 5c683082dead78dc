#include "transform/ad/forward/bundle.hpp"

namespace boustro::ad {

using namespace ir;

Body forward_body(Forward& f, const Body& body, const std::vector<bool>& with_tangent) {
  Builder inner(f.names);
  forward_stms(f, inner, body.stms);
  std::vector<Atom> results = body.result;
  for (std::size_t i = 0; i < body.result.size(); ++i)
    if (with_tangent[i]) results.push_back(f.tangent(inner, body.result[i]));
  return {std::move(inner.stms), std::move(results)};
}

std::vector<bool> active_results(const Forward& f, const std::vector<Param>& pattern) {
  std::vector<bool> active;
  for (const Param& p : pattern) active.push_back(f.activity.active(p.name));
  return active;
}

std::vector<bool> active_components(const Forward& f, const Lambda& op,
                                    const std::vector<Param>& pattern) {
  std::vector<bool> active = active_results(f, pattern);
  for (std::size_t i = 0; i < op.params.size(); ++i)
    if (f.activity.active(op.params[i].name)) active[i % active.size()] = true;
  return active;
}

std::vector<Type> bundled_types(const Forward& f, const std::vector<Type>& types,
                                const std::vector<bool>& with_tangent) {
  std::vector<Type> result = types;
  for (std::size_t i = 0; i < types.size(); ++i)
    if (with_tangent[i]) result.push_back(f.tangent_type(types[i]));
  return result;
}

std::vector<Param> bundled_pattern(Forward& f, const std::vector<Param>& pattern,
                                   const std::vector<bool>& with_tangent) {
  std::vector<Param> result = pattern;
  for (std::size_t i = 0; i < pattern.size(); ++i)
    if (with_tangent[i]) result.push_back(f.tangent_param(pattern[i]));
  return result;
}

Lambda bundled_operator(Forward& f, const Lambda& op, const std::vector<bool>& with_tangent) {
  const std::size_t width = with_tangent.size();
  Lambda result;
  for (std::size_t side = 0; side < 2; ++side) {
    const auto begin = op.params.begin() + static_cast<std::ptrdiff_t>(side * width);
    const std::vector<Param> params(begin, begin + static_cast<std::ptrdiff_t>(width));
    const auto bundled = bundled_pattern(f, params, with_tangent);
    result.params.insert(result.params.end(), bundled.begin(), bundled.end());
  }
  result.body = forward_body(f, op.body, with_tangent);
  result.result_types = bundled_types(f, op.result_types, with_tangent);
  return result;
}

}  // namespace boustro::ad
