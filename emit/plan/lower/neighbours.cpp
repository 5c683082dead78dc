#include "emit/plan/lower/neighbours.hpp"

#include "transform/facts/neighbours.hpp"

namespace boustro::plan::planner {
namespace {

std::optional<std::vector<facts::Stride>> layout_of(const ir::Name& name, Code& code) {
  if (!code.knows(name)) return std::nullopt;
  const Value& value = code.value_of(name);
  const auto* accumulator = std::get_if<Accumulator>(&value);
  const View* view = accumulator ? &accumulator->destination : std::get_if<View>(&value);
  if (!view || !view->memory()) return std::nullopt;
  std::vector<facts::Stride> strides;
  for (const Expr& stride : view->memory()->strides) strides.push_back(int_value(stride));
  return strides;
}

}  // namespace

Neighbours neighbours_of(const ir::Stm& stm, const ir::Nest& nest, Code& code) {
  const std::size_t last = facts::kept_dimensions(nest) - 1;
  if (last == 0) return {};
  const std::vector<facts::Sectors> along =
      facts::sectors_along(stm, nest, [&](const ir::Name& name) { return layout_of(name, code); });
  std::size_t best = last, second = last - 1;
  for (std::size_t d = last; d-- > 0;) {
    if (facts::is_less(along[d], along[best])) second = best, best = d;
    else if (facts::is_less(along[d], along[second])) second = d;
  }
  return {best, facts::difference(along[best], along[second])};
}

bool are_summands_closer(const ir::Stm& stm, const ir::Nest& nest, const facts::JointSums& sums, std::size_t dimension, Code& code) {
  return facts::are_summands_closer(stm, nest, sums, dimension, [&](const ir::Name& name) { return layout_of(name, code); });
}

}  // namespace boustro::plan::planner
