#include "transform/parallel/flatten/products_apart.hpp"

#include <algorithm>

#include "transform/facts/tiles.hpp"
#include "transform/ir/needed.hpp"
#include "transform/ir/nest.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

/// A sum of fewer is as quickly added up by the thread that needs it.
constexpr std::int64_t few_summands = 16;

bool has_few_summands(const Nest& sum) {
  const PrimValue* count = sum.space.size() == 1 ? literal_in(sum.space[0]) : nullptr;
  return count && count->as_int() < few_summands;
}

bool stores_scalars(const Nest& nest) {
  return nest.over == Level::grid && nest.accumulators.empty() && nest.space.size() >= 2 && stores_new_arrays(nest) && all_scalar(nest.point.result_types);
}

}  // namespace

std::optional<Stm> product_alone(const Stm& stm, std::size_t at, Names& names) {
  Stm alone{{}, stm.exp, stm.origin, stm.attributes};
  auto& nest = std::get<Nest>(alone.exp);
  const std::vector<Stm>& stms = std::get<Nest>(stm.exp).point.body.stms;
  if (!all_scalar(stms[at].pattern)) return std::nullopt;
  nest.point.body.result.clear(), nest.point.result_types.clear();
  for (const Param& param : stms[at].pattern) {
    nest.point.body.result.emplace_back(param.name);
    nest.point.result_types.push_back(param.type);
    alone.pattern.push_back(names.fresh_param(param.name.base, array(param.type.elem, nest.space)));
  }
  Out out;
  out.rank = static_cast<int>(nest.space.size());
  nest.outs.assign(stms[at].pattern.size(), out);
  NameSet wanted = names_among(nest.point.body.result);
  nest.point.body.stms = statements_for(wanted, {stms.begin(), stms.begin() + static_cast<std::ptrdiff_t>(at) + 1});
  nest.point = rename(nest.point, names);
  const auto tiling = facts::tiling_of(nest);
  return tiling && !facts::fold_of(nest, *tiling) ? std::optional(std::move(alone)) : std::nullopt;
}

Stm with_product(const Stm& stm, std::size_t at, const std::vector<Param>& products, Names& names) {
  Stm result = stm;
  Lambda& point = std::get<Nest>(result.exp).point;
  std::vector<DimIndex> own;
  for (const Param& param : point.params) own.emplace_back(Atom(param.name));
  Builder body(names, stm.origin);
  for (std::size_t k = 0; k < point.body.stms.size(); ++k) {
    if (k != at) {
      body.add(point.body.stms[k]);
      continue;
    }
    for (std::size_t i = 0; i < products.size(); ++i) body.let({point.body.stms[k].pattern[i]}, Index{products[i].name, own, false});
  }
  NameSet wanted = names_among(point.body.result);
  point.body.stms = statements_for(wanted, body.stms, true);
  return result;
}

std::optional<std::vector<Stm>> products_apart(const Stm& stm, Names& names) {
  const auto& nest = std::get<Nest>(stm.exp);
  if (!stores_scalars(nest)) return std::nullopt;
  std::vector<Stm> parts;
  std::vector<Name> sums;  // what they are known by in the point
  for (std::size_t k = 0; k < nest.point.body.stms.size(); ++k) {
    const auto* sum = std::get_if<Nest>(&nest.point.body.stms[k].exp);
    if (!sum) continue;
    auto product = has_few_summands(*sum) ? std::nullopt : product_alone(stm, k, names);
    if (!product) return std::nullopt;
    parts.push_back(std::move(*product));
    sums.push_back(nest.point.body.stms[k].pattern[0].name);
  }
  if (parts.size() < 2) return std::nullopt;
  Stm rest = stm;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const auto& stms = std::get<Nest>(rest.exp).point.body.stms;
    const auto at = std::find_if(stms.begin(), stms.end(), [&](const Stm& one) { return !one.pattern.empty() && one.pattern[0].name == sums[i]; });
    rest = with_product(rest, static_cast<std::size_t>(at - stms.begin()), parts[i].pattern, names);
  }
  parts.back() = std::move(rest);
  return parts;
}

}  // namespace boustro::parallel
