// Scatter and reduce_by_index, with one, two or three indices a value. The size arguments are those
// of the destination, then the number of values.
#include "transform/lower/application.hpp"
#include "transform/lower/arrays.hpp"
#include "transform/lower/intrinsics/intrinsics.hpp"

namespace boustro::lower {
namespace {

std::size_t dimensions(const Use& use) { return use.closure.size_args.size() - 1; }

Type destination_type(const Use& use) {
  Type type = use.type(0);
  for (std::size_t d = dimensions(use); d-- > 0;) type = array_of(use.size(d), type);
  return type;
}

Type index_type(const Use& use) {
  if (dimensions(use) == 1) return {PrimType::i64};
  RecordType tuple;
  for (std::size_t d = 0; d < dimensions(use); ++d)
    tuple.fields.push_back({std::to_string(d), {PrimType::i64}});
  return {std::move(tuple)};
}

/// A result is called like its destination, if that has a name, until the program gives it one of its own.
Value named_like(Context& context, const Type& type, const std::vector<ir::Name>& destinations,
                 const std::vector<ir::Name>& results) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    const bool named = context.preferred.contains(destinations[i]) || context.roles.contains(destinations[i]);
    if (named && !context.keep_names) context.preferred.try_emplace(results[i], Context::SourceName{context.called(destinations[i]), Context::SourceName::Tells::nothing});
  }
  return from_leaves(type, {results.begin(), results.end()});
}

std::vector<std::string> bases_of(const std::vector<ir::Name>& names) {
  std::vector<std::string> bases;
  for (const ir::Name& name : names) bases.push_back(name.base);
  return bases;
}

/// \is vs -> (is, vs)
ir::Lambda identity(Context& context, const std::vector<ir::Name>& arrays) {
  ir::Lambda fn;
  for (const ir::Name& array : arrays) {
    const ir::Type row = ir::row_type(context.names.type_of(array));
    fn.params.push_back(context.names.fresh_param(row.shape.empty() ? "x" : "xs", row));
    fn.body.result.push_back(fn.params.back().name);
    fn.result_types.push_back(row);
  }
  return fn;
}

}  // namespace

Value lower_scatter(Context& context, const Use& use) {
  const Atom width = use.width(context, dimensions(use), use.arg(2));
  ir::Scatter scatter;
  scatter.width = width;
  scatter.destinations = arrays_as(context, use.arg(0), destination_type(use));
  scatter.indices = arrays_as(context, use.arg(1), array_of(width, index_type(use)));
  scatter.values = arrays_as(context, use.arg(2), array_of(width, use.type(0)));
  const auto destinations = scatter.destinations;
  const auto results = context.emit_all(bases_of(destinations), std::move(scatter));
  return named_like(context, use.type(0), destinations, results);
}

Value lower_reduce_by_index(Context& context, const Use& use) {
  const Atom width = use.size(dimensions(use));
  ir::Histogram histogram;
  for (std::size_t d = 0; d < dimensions(use); ++d) histogram.shape.push_back(use.size(d));
  histogram.destinations = arrays_as(context, use.arg(0), destination_type(use));
  histogram.op = lower_to_lambda(context, use.arg(1), {use.type(0), use.type(0)}, use.type(0));
  histogram.neutral = leaves_as(context, use.arg(2), use.type(0));
  ir::ReduceByIndex reduce;
  reduce.width = width;
  reduce.arrays = arrays_as(context, use.arg(3), array_of(width, index_type(use)));
  for (const ir::Name& values : arrays_as(context, use.arg(4), array_of(width, use.type(0)))) {
    reduce.arrays.push_back(values);
  }
  reduce.fn = identity(context, reduce.arrays);
  const auto destinations = histogram.destinations;
  reduce.histograms.push_back(std::move(histogram));
  const auto results = context.emit_all(bases_of(destinations), std::move(reduce));
  return named_like(context, use.type(0), destinations, results);
}

}  // namespace boustro::lower
