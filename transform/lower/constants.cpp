#include "transform/lower/constants.hpp"

#include <algorithm>

#include "transform/facts/work.hpp"
#include "transform/lower/abstraction.hpp"
#include "transform/lower/application.hpp"
#include "transform/lower/known_numbers.hpp"

namespace boustro::lower {
namespace {

/// Computed in every function that uses it.
bool is_cheap_scalar(const std::vector<ir::Stm>& stms) {
  const auto on_scalars = [](const ir::Stm& stm) { return ir::is_scalar_operation(stm.exp); };
  return std::all_of(stms.begin(), stms.end(), on_scalars) && facts::is_cheap(stms);
}

/// Puts in what a program computes from nothing for a constant, and yields it.
ir::Substitution put_in_numbers(const Context& context, std::vector<ir::Stm>& stms) {
  ir::Substitution known;
  for (ir::Stm& stm : stms) {
    ir::substitute(stm, known);
    if (ir::is_scalar_operation(stm.exp)) continue;
    std::vector<Atom> bound;
    for (const ir::Param& param : stm.pattern) bound.push_back(param.name);
    if (auto numbers = known_numbers(stms, bound, context.program.functions, false)) known.merge(*numbers);
  }
  const auto is_known = [&](const ir::Param& param) { return known.contains(param.name); };
  std::erase_if(stms, [&](const ir::Stm& stm) {
    return !stm.pattern.empty() && std::all_of(stm.pattern.begin(), stm.pattern.end(), is_known);
  });
  return known;
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
  Value value = evaluate_body(context, instance_of(definition, {}, {}));
  context.call(value, definition.name.text);
  std::vector<ir::Stm> stms = context.close_block({}).stms;
  const bool fails = context.constants.fails(definition);  // and would take as long again
  if (!fails && !is_cheap_scalar(stms)) value = Substitute(context, put_in_numbers(context, stms)).value(value);
  if (!context.function->is_entry && !is_cheap_scalar(stms)) return as_parameter(context, definition, value);
  context.block().builder.add(stms);
  return value;
}

Value constant_in_function(Context& context, const check::Definition& definition) {
  auto& known = context.function->constants;
  if (const auto found = known.find(&definition); found != known.end()) return found->second;
  Value value = evaluate_constant(context, definition);
  known.emplace(&definition, value);
  return value;
}

}  // namespace

bool KnownConstants::fails(const check::Definition& definition) const {
  const auto found = known_.find(&definition);
  return found != known_.end() && found->second.fails;
}

KnownConstants::Known KnownConstants::find_out(Context& context, const check::Definition& definition) {
  const Setting current(context.function, &function_);
  const Setting found_out(one_fails_, false);
  if (function_.blocks.empty()) context.open_block();
  const Value value = constant_in_function(context, definition);
  AbstractResult abstract(context, {});
  abstract.value(value);
  std::vector<Atom> atoms = abstract.sizes;
  atoms.insert(atoms.end(), abstract.atoms.begin(), abstract.atoms.end());
  const auto known = known_numbers(function_.blocks.front()->builder.stms, atoms, context.program.functions, true);
  if (!known || one_fails_) return {std::nullopt, true};
  const auto is_known = [&](const Atom& atom) { return !ir::name_in(atom) || known->contains(*ir::name_in(atom)); };
  if (atoms.empty() || !std::all_of(atoms.begin(), atoms.end(), is_known)) return {};
  return {Substitute(context, *known).value(value), false};
}

std::optional<Value> KnownConstants::literal(Context& context, const check::Definition& definition) {
  auto found = known_.find(&definition);
  if (found == known_.end()) {
    const std::size_t before = function_.blocks.empty() ? 0 : function_.blocks.front()->builder.stms.size();
    const Known known = find_out(context, definition);
    if (known.fails) function_.blocks.front()->builder.stms.resize(before);
    found = known_.emplace(&definition, known).first;
  }
  one_fails_ = one_fails_ || found->second.fails;
  return found->second.literal;
}

Value constant_value(Context& context, const check::Definition& definition,
                     const std::vector<Type>& type_args, const std::vector<Size>& size_args) {
  if (!definition.type_params.empty()) {
    return evaluate_body(context, instance_of(definition, type_args, size_args));
  }
  if (const auto literal = context.constants.literal(context, definition)) return *literal;
  return constant_in_function(context, definition);
}

ConstantAtoms constant_atoms(Context& context, const check::Definition& definition) {
  AbstractResult abstract(context, {});
  abstract.value(constant_value(context, definition));
  return {abstract.sizes, abstract.atoms};
}

}  // namespace boustro::lower
