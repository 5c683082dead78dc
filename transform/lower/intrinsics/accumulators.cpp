// The module `core`: accumulators and arrays without elements yet. See
// transform/ir/core_module.hpp.
#include <algorithm>

#include "frontend/source/messages.hpp"
#include "transform/facts/history.hpp"
#include "transform/lower/application.hpp"
#include "transform/lower/expression.hpp"
#include "transform/lower/intrinsics/intrinsics.hpp"
#include "transform/lower/patterns.hpp"
#include "transform/lower/sizes.hpp"
#include "transform/lower/sums.hpp"

namespace boustro::lower {
namespace {

using check::Intrinsic;

[[noreturn]] void refuse(const Context& context, const char* what) {
  source::refuse(source::Message::lower_accumulator, context.at(), what);
}

Type accumulator_of(const Type& array) { return {AccumulatorType{array}}; }

// ---- core.with_add and its like

const Value& destination_of(const Use& use) {
  return use.closure.args.at(use.closure.args.size() - 2);
}
const Value& function_of(const Use& use) { return use.closure.args.back(); }

ir::AccumulatorKind kind_of(Context& context, const Use& use, const ir::Type& leaf) {
  if (use.intrinsic == Intrinsic::with_overwrite) return ir::Overwrite{};
  if (use.intrinsic == Intrinsic::with_add) {
    if (leaf.elem == PrimType::boolean) refuse(context, "truth values cannot be added");
    return ir::AddUp{};
  }
  const Type& element = use.type(1);
  const std::vector<Atom> neutral = leaves_as(context, use.arg(1), element);
  if (neutral.size() != 1 || leaves_of(use.type(0)).size() != 1 ||
      leaves_of(element)[0].elem != leaf.elem)
    refuse(context, "the operator of an accumulator is not on single elements of its array");
  return ir::Combine{lower_to_lambda(context, use.arg(0), {element, element}, element), neutral[0]};
}

/// Adds the destination of a use, and a parameter for its accumulator, which is returned.
Value add_input(Context& context, const Use& use, ir::WithAcc& with) {
  std::vector<Atom> accumulators;
  for (const Atom& leaf : leaves_as(context, destination_of(use), use.type(0))) {
    ir::Type type = context.names.type_of(leaf);
    if (type.shape.empty() || type.accumulator)
      refuse(context, "what an accumulator starts from is not an array");
    const ir::Name destination = std::get<ir::Name>(leaf);
    with.inputs.push_back({destination, kind_of(context, use, type)});
    type.accumulator = true;
    with.fn.params.push_back(context.names.fresh_param(context.called(destination), type));
    with.fn.result_types.push_back(type);
    accumulators.push_back(with.fn.params.back().name);
  }
  return from_leaves(accumulator_of(use.type(0)), accumulators);
}

/// What the body of a lambda is, if it is a complete application of core.with_add or its like.
struct NestedWith {
  const check::Var* head = nullptr;
  std::vector<const check::Exp*> args;
};
std::optional<NestedWith> nested_with(const Closure& function) {
  const auto* lambda = std::get_if<const check::Lambda*>(&function.code);
  if (!lambda || (*lambda)->params.size() != 1) return std::nullopt;
  NestedWith nested;
  const check::Exp* at = &*(*lambda)->body;
  while (const auto* apply = std::get_if<check::Apply>(&at->node)) {
    nested.args.insert(nested.args.begin(), &*apply->argument);
    at = &*apply->function;
  }
  nested.head = std::get_if<check::Var>(&at->node);
  if (!nested.head || !check::is_intrinsic(nested.head->name)) return std::nullopt;
  const Intrinsic intrinsic = check::intrinsic_of(nested.head->name);
  const auto arity = static_cast<std::size_t>(check::arity_of(intrinsic));
  if (!check::opens_accumulator(intrinsic) || nested.args.size() != arity) return std::nullopt;
  return nested;
}

/// The application inside of a function that is applied to `accumulator`, its arguments evaluated.
Closure enter(Context& context, const Closure& function, const NestedWith& nested,
              const Value& accumulator) {
  Scope* scope = instance_scope(context, function);
  bind_pattern(context, *scope, std::get<const check::Lambda*>(function.code)->params[0],
               accumulator);
  Closure inner;
  inner.code = check::intrinsic_of(nested.head->name);
  inner.use = nested.head;
  inner.use_scope = scope;
  for (const check::Exp* arg : nested.args) inner.args.push_back(lower_exp(context, *scope, *arg));
  return evaluate_instance(context, inner);
}

/// In place, however deep, since the accumulators that it finishes are ours.
Value run_once(Context& context, Closure function, const Value& accumulator) {
  if (!std::holds_alternative<const check::Lambda*>(function.code) || !function.args.empty())
    return apply(context, {std::make_shared<const Closure>(std::move(function))}, accumulator);
  function.args.push_back(accumulator);
  const CallSite site(context);
  return evaluate_body(context, function);
}

/// Makes the accumulators that are finished in `result` the function's first results, and all else
/// the others. For each leaf its place among the results.
std::vector<std::size_t> set_results(Context& context, ir::WithAcc& with,
                                     const std::vector<Atom>& results, const Type& type) {
  const std::vector<Leaf> wanted = leaves_of(type);
  const std::vector<ir::Type> types = result_types(context, results, type);
  const auto& params = with.fn.params;
  std::vector<std::optional<Atom>> finished(params.size());
  std::vector<Atom> others;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!types[i].accumulator || wanted.at(i).accumulator) {
      places.push_back(params.size() + others.size());
      others.push_back(results[i]);
      with.fn.result_types.push_back(types[i]);
      continue;
    }
    const auto origin = facts::History(facts::accumulator_before, &context.callees)
                            .origin(context.block().builder.stms, results[i]);
    const auto param = std::find_if(params.begin(), params.end(),
                                    [&](const ir::Param& p) { return p.name == origin; });
    const auto place = static_cast<std::size_t>(param - params.begin());
    if (param == params.end() || finished[place])
      refuse(context,
             "it is not plain that each accumulator is finished once, in the result of the "
             "innermost function");
    finished[place] = results[i];
    places.push_back(place);
  }
  for (const auto& accumulator : finished) {
    if (!accumulator)
      refuse(context, "an accumulator is not finished in the result of the innermost function");
    with.fn.body.result.push_back(*accumulator);
  }
  with.fn.body.result.insert(with.fn.body.result.end(), others.begin(), others.end());
  return places;
}

}  // namespace

Value lower_with_accumulator(Context& context, const Use& use) {
  context.uses_accumulators = true;
  const Type& type = use.closure.type_args.back();
  ir::WithAcc with;
  Closure application = use.closure;
  Closure function = *closure_of(function_of(use));
  Value accumulator = add_input(context, use, with);
  while (const auto nested = nested_with(function)) {
    application = enter(context, function, *nested, accumulator);
    const Use inner{std::get<Intrinsic>(application.code), application};
    accumulator = add_input(context, inner, with);
    function = Closure(*closure_of(function_of(inner)));
  }

  context.open_block();
  const Value value =
      coerce(context, make_dynamic(context, run_once(context, function, accumulator)), type);
  const std::vector<std::size_t> places = set_results(context, with, leaves(value), type);
  ir::Body body = context.close_block(std::move(with.fn.body.result));
  with.fn.body = std::move(body);

  std::vector<std::string> bases(with.fn.result_types.size(), "x");
  for (std::size_t i = 0; i < with.inputs.size(); ++i)
    bases[i] = context.called(with.inputs[i].destination);
  const std::vector<ir::Name> names = context.emit_all(bases, std::move(with));
  std::vector<Atom> atoms;
  for (const std::size_t place : places) atoms.push_back(names.at(place));
  return from_leaves(type, atoms);
}

// ---- The rest

Value lower_update_accumulator(Context& context, const Use& use) {
  const auto& args = use.closure.args;
  std::vector<Atom> indices;
  for (std::size_t i = 1; i + 1 < args.size(); ++i) indices.push_back(atom_of(args[i]));
  std::vector<Atom> accumulators = leaves(use.arg(0));
  const std::vector<Atom> values = leaves_as(context, args.back(), use.type(0));
  for (std::size_t i = 0; i < accumulators.size(); ++i) {
    const ir::Name name = std::get<ir::Name>(accumulators[i]);
    accumulators[i] =
        context.emit(context.called(name), ir::UpdateAcc{name, indices, values.at(i), context.unsafe});
  }
  Type array = use.type(0);
  for (std::size_t d = use.closure.size_args.size(); d-- > 0;)
    array = array_of(use.closure.size_args[d], array);
  return from_leaves(accumulator_of(array), accumulators);
}

Value lower_map_with_accumulators(Context& context, const Use& use) {
  const Type &accumulators = use.type(0), &element = use.type(1), &result = use.type(2);
  for (const Leaf& leaf : leaves_of(accumulators)) {
    if (!leaf.accumulator) refuse(context, "core.map carries what is not an accumulator");
  }
  ir::Map map;
  map.width = use.size(0);
  map.accumulators = arrays_as(context, use.arg(1), accumulators);
  map.arrays = arrays_as(context, use.arg(2), array_of(map.width, element));
  const Type results{RecordType{{{"0", accumulators}, {"1", result}}}};
  map.fn = lower_to_lambda(context, use.arg(0), {accumulators, element}, results);
  std::vector<std::string> bases;
  for (const ir::Name& name : map.accumulators) bases.push_back(context.called(name));
  const auto carried = static_cast<std::ptrdiff_t>(bases.size());
  bases.resize(map.fn.result_types.size(), "xs");
  const std::vector<ir::Name> names = context.emit_all(bases, std::move(map));
  return tuple({from_leaves(accumulators, {names.begin(), names.begin() + carried}),
                from_leaves(result, {names.begin() + carried, names.end()})});
}

Value lower_scratch(Context& context, const Use& use) {
  const Type array = array_of(atom_of(use.arg(0)), use.type(0));
  std::vector<Atom> atoms;
  for (const ir::Type& leaf : core_types(array))
    atoms.push_back(context.emit("xs", ir::Scratch{leaf.elem, leaf.shape}));
  return from_leaves(array, atoms);
}

}  // namespace boustro::lower
