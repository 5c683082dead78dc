#include "transform/lower/constants.hpp"

#include <algorithm>

#include "transform/facts/work.hpp"
#include "transform/lower/abstraction.hpp"
#include "transform/lower/application.hpp"

namespace boustro::lower {
namespace {

/// Computed in every function that uses it.
bool is_cheap_scalar(const std::vector<ir::Stm>& stms) {
  const auto on_scalars = [](const ir::Stm& stm) { return ir::is_scalar_operation(stm.exp); };
  return std::all_of(stms.begin(), stms.end(), on_scalars) && facts::is_cheap(stms);
}

Closure instance_of(const check::Definition& definition, const std::vector<Type>& type_args,
                    const std::vector<Size>& size_args) {
  Closure instance;
  instance.code = &definition;
  instance.type_args = type_args;
  instance.size_args = size_args;
  return instance;
}

/// While it lives, only the function's prologue is open, with a block inside for the constant.
class InPrologue {
 public:
  explicit InPrologue(FunctionState& function) : function_(function) {
    blocks_.swap(function.blocks);
    sites_.swap(function.call_sites);
    function.blocks.push_back(std::move(blocks_.front()));
  }
  ~InPrologue() {
    blocks_.front() = std::move(function_.blocks.front());
    blocks_.swap(function_.blocks);
    sites_.swap(function_.call_sites);
  }
  InPrologue(const InPrologue&) = delete;
  InPrologue& operator=(const InPrologue&) = delete;

 private:
  FunctionState& function_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<SourceRange> sites_;
};

Value as_parameter(Context& context, const check::Definition& definition, const Value& value) {
  FunctionState& function = *context.function;
  AbstractResult abstract(context, {});
  const Value result = abstract.value(value);
  function.constant_params.push_back(&definition);
  const auto append = [](auto& to, const auto& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  append(function.constant_sizes, abstract.size_results);
  append(function.constant_values, abstract.results);
  return result;
}

Value evaluate_constant(Context& context, const check::Definition& definition) {
  const InPrologue prologue(*context.function);
  context.open_block();
  const Value value = evaluate_body(context, instance_of(definition, {}, {}));
  context.call(value, definition.name.text);
  const ir::Body body = context.close_block({});
  if (!context.function->is_entry && !is_cheap_scalar(body.stms))
    return as_parameter(context, definition, value);
  context.block().builder.add(body.stms);
  return value;
}

}  // namespace

Value constant_value(Context& context, const check::Definition& definition,
                     const std::vector<Type>& type_args, const std::vector<Size>& size_args) {
  if (!definition.type_params.empty()) {
    return evaluate_body(context, instance_of(definition, type_args, size_args));
  }
  auto& known = context.function->constants;
  if (const auto found = known.find(&definition); found != known.end()) return found->second;
  Value value = evaluate_constant(context, definition);
  known.emplace(&definition, value);
  return value;
}

ConstantAtoms constant_atoms(Context& context, const check::Definition& definition) {
  AbstractResult abstract(context, {});
  abstract.value(constant_value(context, definition));
  return {abstract.sizes, abstract.atoms};
}

}  // namespace boustro::lower
