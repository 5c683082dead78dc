// The module `core`: nests. See transform/ir/core_module.hpp.
#include "transform/lower/intrinsics/outs.hpp"

namespace boustro::lower {
namespace {

using check::Intrinsic;

/// Whether a point yields as many indices and values as the outs take, and these make as many results.
bool nest_fits(const ir::Nest& nest, const Type& made) {
  std::size_t taken = nest.accumulators.size(), results = 0;
  for (const ir::Out& out : nest.outs) {
    taken += out.indices() + out.values();
    results += out.results();
  }
  return taken == nest.point.result_types.size() &&
         results == (is_unit(made) ? 0 : leaves_of(made).size());
}

}  // namespace

Value lower_nest(Context& context, const Use& use) {
  context.uses_nests = true;
  const bool carries = use.intrinsic == Intrinsic::nest_acc;
  const Type& space = use.type(0);
  const Type* accumulators = carries ? &use.type(1) : nullptr;
  const Type &values = use.type(carries ? 2 : 1), &made = use.type(carries ? 4 : 3);
  for (const Leaf& leaf : leaves_of(space)) {
    if (leaf.elem != PrimType::i64 || !leaf.shape.empty())
      refuse_core(context, "the space of a nest is not one or more numbers of type i64");
  }
  ir::Nest nest;
  nest.space = leaves_as(context, use.arg(0), space);
  if (carries) nest.accumulators = arrays_as(context, use.arg(2), *accumulators);
  nest.outs = outs_of(context, use.closure.args.back(), static_cast<int>(nest.space.size()));
  nest.point = lambda_of(context, use.arg(1), accumulators, space, values);
  if (!nest_fits(nest, made))
    refuse_core(context, "the values of a point, the outs and the results of a nest do not fit each other");
  const std::vector<ir::Name> operands = nest.accumulators;
  return emit_form(context, operands, accumulators, made, std::move(nest));
}

}  // namespace boustro::lower
