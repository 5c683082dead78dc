#include "transform/lower/application.hpp"

#include <algorithm>

#include "frontend/source/messages.hpp"
#include "transform/lower/consumption.hpp"
#include "transform/lower/expression.hpp"
#include "transform/lower/functions.hpp"
#include "transform/lower/intrinsics/intrinsics.hpp"
#include "transform/lower/patterns.hpp"
#include "transform/lower/sizes.hpp"
#include "transform/lower/sums.hpp"

namespace boustro::lower {
namespace {

// Lambdas that are applied inside of each other are evaluated in place up to this depth, and become
// functions below it: a chain of lambdas that each call the one before twice would double the
// program with every level.
constexpr int inline_depth = 8;

std::size_t arity(const Closure& closure) {
  return ir::match(
      closure.code, [](const check::Lambda* lambda) { return lambda->params.size(); },
      [](const check::Definition* definition) {
        return std::max(definition->params.size(), std::size_t{1});
      },
      [](const check::Intrinsic& intrinsic) {
        return static_cast<std::size_t>(check::arity_of(intrinsic));
      });
}

Value run_lambda(Context& context, const Closure& closure) {
  // A printed program's stand where they were, however deep.
  if (context.function->inlined_lambdas >= inline_depth && !context.printed) return call_function(context, closure);
  const Setting depth(context.function->inlined_lambdas, context.function->inlined_lambdas + 1);
  const CallSite site(context);
  return evaluate_body(context, closure);
}

/// Evaluates to a function, which the argument is for.
Value run_point_free(Context& context, Closure closure) {
  const Value argument = closure.args.at(0);
  closure.args.clear();
  return apply(context, evaluate_body(context, evaluate_instance(context, closure)), argument);
}

/// What the prelude has two conversions for, by way of an unsigned type, is one.
void merge_conversions(std::vector<ir::Stm>& stms, std::size_t before) {
  if (stms.size() != before + 2) return;
  const auto* first = std::get_if<ir::Convert>(&stms[before].exp);
  auto* second = std::get_if<ir::Convert>(&stms[before + 1].exp);
  if (!first || !second || second->operand != Atom(stms[before].pattern[0].name)) return;
  second->from = first->from;
  second->operand = first->operand;
  stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(before));
}

/// A function of the prelude in a printed program: what it stands for is one expression.
Value run_in_place(Context& context, const Closure& closure) {
  std::vector<ir::Stm>& stms = context.block().builder.stms;
  const std::size_t before = stms.size();
  Value result = evaluate_body(context, evaluate_instance(context, closure));
  merge_conversions(stms, before);
  return result;
}

Value run(Context& context, const Closure& closure) {
  return ir::match(
      closure.code,  //
      [&](const check::Lambda*) { return run_lambda(context, closure); },
      [&](const check::Definition* definition) {
        if (definition->params.empty()) return run_point_free(context, closure);
        // A printed program has functions of its own only.
        if (context.printed && closure.use && closure.use->of_prelude)
          return run_in_place(context, closure);
        return call_function(context, closure);
      },
      [&](const check::Intrinsic& intrinsic) {
        const Setting unsafe(context.unsafe, context.unsafe || closure.unsafe);
        return lower_intrinsic(context, intrinsic, evaluate_instance(context, closure));
      });
}

/// The result, brought to the type that the code declares.
Value finish_body(Context& context, Scope& scope, const Value& result, const check::Type& type,
                  const std::vector<check::Name>& existentials) {
  bind_sizes(context, scope, existentials, type, result);
  return coerce(context, result, evaluate_type(context, scope, type));
}

}  // namespace

bool is_function(const check::Definition& definition) {
  const bool polymorphic_function =
      !definition.type_params.empty() &&
      std::holds_alternative<check::FunctionType>(definition.result.node);
  return !definition.params.empty() || polymorphic_function;
}

Value apply(Context& context, const Value& function, const Value& argument) {
  Closure closure = *closure_of(function);
  closure.args.push_back(argument);
  if (closure.args.size() == arity(closure)) return run(context, closure);
  return {std::make_shared<const Closure>(std::move(closure))};
}

Value apply(Context& context, const Value& function, const std::vector<Value>& arguments) {
  Value result = function;
  for (const Value& argument : arguments) result = apply(context, result, argument);
  return result;
}

Closure evaluate_instance(Context& context, const Closure& closure) {
  if (!closure.use) return closure;
  Closure instance = closure;
  for (const check::Type& type : closure.use->type_args) {
    instance.type_args.push_back(evaluate_type(context, *closure.use_scope, type));
  }
  for (const check::Size& size : closure.use->size_args) {
    instance.size_args.push_back(evaluate_size(context, *closure.use_scope, size));
  }
  instance.use = nullptr;
  instance.use_scope = nullptr;
  return instance;
}

Scope* instance_scope(Context& context, const Closure& instance) {
  Scope* scope = context.new_scope(instance.scope);
  const auto* definition = std::get_if<const check::Definition*>(&instance.code);
  if (!definition) return scope;
  auto type = instance.type_args.begin();
  auto size = instance.size_args.begin();
  for (const check::TypeParam& param : (*definition)->type_params) {
    if (param.kind != check::TypeParam::Kind::size) {
      scope->types.insert_or_assign(param.name.id, *type++);
    } else if (const Size& known = *size++) {
      scope->bind(param.name, {*known});
      context.call({*known}, param.name.text);
    }
  }
  return scope;
}

Value evaluate_body(Context& context, const Closure& instance) {
  const Setting unsafe(context.unsafe, instance.unsafe);
  Scope& scope = *instance_scope(context, instance);
  const auto evaluate = [&](const std::vector<check::Pattern>& params, const check::Exp& body,
                            const check::Type& type, const std::vector<check::Name>& existentials) {
    for (std::size_t i = 0; i < params.size(); ++i) {
      bind_pattern(context, scope, params[i], instance.args.at(i));
    }
    const Value result = lower_exp(context, scope, body);
    return finish_body(context, scope, result, type, existentials);
  };
  if (const auto* lambda = std::get_if<const check::Lambda*>(&instance.code)) {
    return evaluate((*lambda)->params, *(*lambda)->body, (*lambda)->result,
                    (*lambda)->existentials);
  }
  const check::Definition& definition = *std::get<const check::Definition*>(instance.code);
  return evaluate(definition.params, definition.body, definition.result, definition.existentials);
}

/// Results of unknown size must have one that is known outside, or the array would be irregular.
std::vector<ir::Type> result_types(Context& context, const std::vector<Atom>& results,
                                   const Type& type) {
  std::vector<ir::Type> types;
  const std::vector<Leaf> wanted = leaves_of(type);
  for (std::size_t i = 0; i < results.size(); ++i) {
    types.push_back(context.names.type_of(results[i]));
    for (std::size_t d = 0; d < types.back().shape.size(); ++d) {
      Atom& size = types.back().shape[d];
      const bool stays = context.printed && !context.is_local(size);
      if (wanted.at(i).shape.at(d) && !stays) size = *wanted[i].shape[d];
      if (context.is_local(size)) source::refuse(source::Message::lower_irregular, context.at());
    }
  }
  return types;
}

namespace {

/// The code's parameter number `i` that is still missing; null if it gives it no name.
const check::Pattern* named_parameter(const Closure& closure, std::size_t i) {
  const std::vector<check::Pattern>* params = nullptr;
  if (const auto* lambda = std::get_if<const check::Lambda*>(&closure.code))
    params = &(*lambda)->params;
  if (const auto* definition = std::get_if<const check::Definition*>(&closure.code))
    params = &(*definition)->params;
  i += closure.args.size();
  if (!params || i >= params->size()) return nullptr;
  const check::Pattern& param = (*params)[i];
  return std::holds_alternative<check::NamePattern>(param.node) ? &param : nullptr;
}

}  // namespace

ir::Lambda lower_to_lambda(Context& context, const Value& function, const std::vector<Type>& params,
                           const Type& result) {
  ir::Lambda lambda;
  context.open_block();
  std::vector<Value> arguments;
  for (const Type& type : params) {
    const check::Pattern* param = named_parameter(*closure_of(function), arguments.size());
    std::vector<Atom> atoms;
    for (const ir::Type& leaf : core_types(type)) {
      lambda.params.push_back(context.names.fresh_param(leaf.shape.empty() ? "x" : "xs", leaf));
      atoms.push_back(lambda.params.back().name);
    }
    arguments.push_back(from_leaves(type, atoms));
    if (param) context.call(arguments.back(), std::get<check::NamePattern>(param->node).name.text, param->at);
  }
  const Value value = make_dynamic(context, apply(context, function, arguments));
  const std::vector<Atom> results = leaves(coerce(context, value, result));
  lambda.result_types = result_types(context, results, result);
  lambda.body = context.close_block(results);
  mark_unique(context, lambda);
  return lambda;
}

const Mentions& mentions_in(Context& context, const Closure& closure) {
  const void* code = ir::match(
      closure.code, [](const check::Intrinsic&) -> const void* { return nullptr; },
      [](const auto* pointer) -> const void* { return pointer; });
  const auto found = context.mentions.find(code);
  if (found != context.mentions.end()) return found->second;
  Mentions mentions = ir::match(
      closure.code, [](const check::Lambda* lambda) { return mentions_of(*lambda); },
      [](const check::Definition* definition) { return mentions_of(*definition); },
      [](const check::Intrinsic&) { return Mentions{}; });
  return context.mentions.emplace(code, std::move(mentions)).first->second;
}

}  // namespace boustro::lower
