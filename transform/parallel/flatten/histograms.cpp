#include "transform/parallel/flatten/histograms.hpp"

#include <algorithm>

#include "transform/ir/needed.hpp"
#include "transform/parallel/flatten/scalars.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

/// The operator on component number `k` alone, if it does not depend on the others.
std::optional<Lambda> component(const Lambda& op, std::size_t k) {
  const std::size_t count = op.result_types.size();
  Lambda result;
  result.params = {op.params[k], op.params[count + k]};
  result.body.result = {op.body.result[k]};
  NameSet wanted = names_among(result.body.result);
  result.body.stms = statements_for(wanted, op.body.stms);
  result.result_types = {op.result_types[k]};
  const NameSet free = free_names(result);
  const bool alone = std::none_of(op.params.begin(), op.params.end(),
                                  [&](const Param& param) { return free.contains(param.name); });
  return alone ? std::optional(std::move(result)) : std::nullopt;
}

/// One histogram for each component; nothing if they depend on each other.
std::optional<std::vector<Histogram>> components(const Histogram& histogram) {
  std::vector<Histogram> result;
  NameSet bound;  // a statement that two components need would be there twice
  for (std::size_t k = 0; k < histogram.destinations.size(); ++k) {
    auto op = component(histogram.op, k);
    if (!op) return std::nullopt;
    for (const Name& name : bound_names(op->body.stms)) {
      if (!bound.insert(name).second) return std::nullopt;
    }
    result.push_back(
        {histogram.shape, {histogram.destinations[k]}, std::move(*op), {histogram.neutral[k]}});
  }
  return result;
}

}  // namespace

ReduceByIndex by_component(const ReduceByIndex& e) {
  ReduceByIndex result{e.width, {}, e.fn, e.arrays};
  result.fn.body.result.clear();
  result.fn.result_types.clear();
  const auto take = [&](std::size_t from) {
    result.fn.body.result.push_back(e.fn.body.result[from]);
    result.fn.result_types.push_back(e.fn.result_types[from]);
  };
  std::size_t next = 0;
  for (const Histogram& histogram : e.histograms) {
    const std::size_t rank = histogram.shape.size(), count = histogram.destinations.size();
    const auto parts = components(histogram);
    const std::vector<Histogram> split = count > 1 && parts ? *parts : std::vector{histogram};
    std::size_t value = next + rank;
    for (const Histogram& part : split) {
      for (std::size_t k = 0; k < rank; ++k) take(next + k);
      for (std::size_t k = 0; k < part.destinations.size(); ++k) take(value++);
      result.histograms.push_back(part);
    }
    next += rank + count;
  }
  return result;
}

std::vector<Stm> stored_first(const Stm& stm, const ReduceByIndex& e, Names& names) {
  Builder builder(names, stm.origin);
  // What stands in an array already is taken from there.
  const auto array_of = [&](const Atom& result) -> std::optional<Name> {
    for (std::size_t k = 0; k < e.arrays.size(); ++k)
      if (result == Atom(e.fn.params[k].name)) return e.arrays[k];
    return std::nullopt;
  };
  Lambda computed = e.fn;
  computed.body.result.clear();
  computed.result_types.clear();
  std::vector<std::string> bases;
  for (std::size_t k = 0; k < e.fn.body.result.size(); ++k) {
    const Atom& result = e.fn.body.result[k];
    if (array_of(result)) continue;
    const Name* name = name_in(result);
    bases.push_back((name ? name->base : "value") + "s");
    computed.body.result.push_back(result);
    computed.result_types.push_back(e.fn.result_types[k]);
  }
  std::vector<Name> stored;
  if (!bases.empty()) stored = builder.let_all(bases, Map{e.width, std::move(computed), e.arrays, {}});

  ReduceByIndex rest{e.width, e.histograms, {}, {}};
  auto next = stored.begin();
  for (std::size_t k = 0; k < e.fn.body.result.size(); ++k) {
    const auto array = array_of(e.fn.body.result[k]);
    rest.arrays.push_back(array ? *array : *next++);
    rest.fn.params.push_back(names.fresh_param(rest.arrays.back().base, e.fn.result_types[k]));
    rest.fn.body.result.push_back(rest.fn.params.back().name);
    rest.fn.result_types.push_back(e.fn.result_types[k]);
  }
  builder.let(stm.pattern, std::move(rest), stm.attributes);
  return std::move(builder.stms);
}

std::optional<Nest> histogram_of_rows(const Stm& stm, const ReduceByIndex& e, Names& names,
                                      const Definitions& definitions) {
  if (e.histograms.size() != 1 || e.histograms[0].destinations.size() != 1 || !is_identity(e.fn))
    return std::nullopt;
  const Histogram& histogram = e.histograms[0];
  const auto op = as_vectorised_binop(histogram.op);
  const auto neutral =
      op && op->depth > 0 ? scalar_of(histogram.neutral[0], definitions, names) : std::nullopt;
  if (!neutral) return std::nullopt;

  const Type row = histogram.op.result_types[0];
  Nest nest;
  nest.over = Level::grid;
  nest.space = {e.width};
  nest.space.insert(nest.space.end(), row.shape.begin(), row.shape.end());
  std::vector<Atom> at;
  for (std::size_t d = 0; d < nest.space.size(); ++d) {
    nest.point.params.push_back(names.fresh_param(d == 0 ? "i" : "j", scalar(PrimType::i64)));
    at.push_back(nest.point.params.back().name);
  }
  Builder point(names, stm.origin);
  for (std::size_t k = 0; k < histogram.shape.size(); ++k)
    nest.point.body.result.push_back(point.index("bin", e.arrays[k], {at[0]}));
  nest.point.body.result.insert(nest.point.body.result.end(), at.begin() + 1, at.end());
  nest.point.body.result.push_back(point.index(e.arrays.back().base, e.arrays.back(), at));
  nest.point.body.stms = std::move(point.stms);
  for (const Atom& result : nest.point.body.result)
    nest.point.result_types.push_back(names.type_of(result));

  Builder builder(names, stm.origin);
  Out out;
  out.kind = OutKind::histogram;
  out.rank = static_cast<int>(nest.space.size());
  out.op = Operator{scalar_operator(builder, op->kind, row.elem), {*neutral}};
  out.bins = histogram.shape;
  out.bins.insert(out.bins.end(), row.shape.begin(), row.shape.end());
  out.destinations = histogram.destinations;
  nest.outs = {std::move(out)};
  return nest;
}

}  // namespace boustro::parallel
