#include "transform/parallel/functor.hpp"

#include "transform/ir/closed.hpp"

namespace boustro::parallel {

bool is_functor(const ir::Lambda& op, const facts::Callees& callees) {
  const auto function = [&](const ir::Name& name) -> const ir::Function& { return callees.function(name); };
  return ir::all_scalar(op.result_types) && ir::is_closed(op, function);
}

}  // namespace boustro::parallel
