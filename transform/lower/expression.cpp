#include "transform/lower/expression.hpp"

#include "transform/lower/application.hpp"
#include "transform/lower/constants.hpp"
#include "transform/lower/patterns.hpp"
#include "transform/lower/reorder.hpp"
#include "transform/lower/sizes.hpp"
#include "transform/lower/sums.hpp"

namespace boustro::lower {
namespace {

Value lower_var(Context& context, Scope& scope, const check::Var& e) {
  if (const Value* value = scope.find_value(e.name.id)) {
    const auto* closure = std::get_if<ClosureRef>(&value->node);
    // A local function that is not instantiated yet: this use says with which types and sizes.
    if (!closure || (e.type_args.empty() && e.size_args.empty())) return *value;
    auto used = std::make_shared<Closure>(**closure);
    used->use = &e;
    used->use_scope = &scope;
    used->unsafe = context.unsafe;
    return {ClosureRef(std::move(used))};
  }
  auto closure = std::make_shared<Closure>();
  closure->use = &e;
  closure->use_scope = &scope;
  closure->unsafe = context.unsafe;
  if (check::is_intrinsic(e.name)) {
    closure->code = check::intrinsic_of(e.name);
    return {ClosureRef(std::move(closure))};
  }
  const check::Definition* definition = context.definition(e.name);
  source::internal_check(definition != nullptr, "lower: name `" + e.name.text + "` is not bound");
  closure->code = definition;
  // A function without parameters, such as `def sum [n] : [n]f64 -> f64 = reduce (+) 0`, waits for
  // an argument too: the sizes that it is used at may be those of the argument.
  if (is_function(*definition)) return {ClosureRef(std::move(closure))};
  const Closure instance = evaluate_instance(context, *closure);
  return constant_value(context, *definition, instance.type_args, instance.size_args);
}

Value lower_record(Context& context, Scope& scope, const check::Exp& exp, const check::Record& e) {
  RecordValue evaluated;
  for (const check::RecordField& f : e.fields) {
    evaluated.fields.push_back({f.name, lower_exp(context, scope, f.value)});
    context.call_field(evaluated.fields.back().value, f.name);
  }
  RecordValue result;
  for (const check::Field& f : std::get<check::RecordType>(exp.type.node).fields) {
    result.fields.push_back({f.name, field(Value{evaluated}, f.name)});
  }
  return {std::move(result)};
}

Value with_field(const Value& record, const std::vector<std::string>& path, std::size_t depth,
                 const Value& value) {
  if (depth == path.size()) return value;
  RecordValue result = std::get<RecordValue>(record.node);
  for (FieldValue& f : result.fields) {
    if (f.name == path[depth]) f.value = with_field(f.value, path, depth + 1, value);
  }
  return {std::move(result)};
}

Value lower_record_update(Context& context, Scope& scope, const check::RecordUpdate& e) {
  const Value record = lower_exp(context, scope, *e.record);
  const Value value = lower_exp(context, scope, *e.value);
  return with_field(record, e.path, 0, value);
}

Value lower_construct(Context& context, Scope& scope, const check::Exp& exp,
                      const check::Construct& e) {
  std::vector<Value> payload;
  for (const check::Exp& part : e.payload) payload.push_back(lower_exp(context, scope, part));
  Type type = evaluate_type(context, scope, exp.type);
  SumType sum = std::get<SumType>(std::move(type.node));
  const int constructor = constructor_index(sum, e.constructor);
  return coerce(context, {KnownSum{sum, constructor, std::move(payload)}}, {sum});
}

Value lower_lambda(Context& context, Scope& scope, const check::Lambda& e) {
  auto closure = std::make_shared<Closure>();
  closure->code = &e;
  closure->scope = &scope;
  closure->unsafe = context.unsafe;
  return {ClosureRef(std::move(closure))};
}

/// The applications f x, f x y, ... that an application consists of, and f.
std::vector<const check::Exp*> applications(const check::Exp& exp) {
  std::vector<const check::Exp*> result;
  const check::Exp* next = &exp;
  while (const auto* apply = std::get_if<check::Apply>(&next->node)) {
    result.insert(result.begin(), next);
    next = &*apply->function;
  }
  result.insert(result.begin(), next);
  return result;
}

/// Binds the sizes of what an application yields. If that is a function, those of its result are
/// bound when it is applied in turn, in the same block.
void bind_result_sizes(Context& context, Scope& scope, const check::Apply& e,
                       const check::Type& type, const Value& result) {
  const std::size_t depth = context.function->blocks.size();
  std::vector<check::Name> wanted = e.existentials;
  for (const auto& [size, of_depth] : scope.open_sizes) {
    if (of_depth == depth && !scope.values.contains(size.id)) wanted.push_back(size);
  }
  if (std::holds_alternative<ClosureRef>(result.node)) {
    for (const check::Name& size : e.existentials) scope.open_sizes.emplace_back(size, depth);
  } else {
    bind_sizes(context, scope, wanted, type, result);
  }
}

/// Arguments are evaluated before any is applied, since the sizes that the function is used at may
/// be those of a later argument; but not before an application whose result has sizes of its own.
Value lower_apply(Context& context, Scope& scope, const check::Exp& exp) {
  const auto chain = applications(exp);
  Value result = lower_exp(context, scope, *chain.front());
  std::vector<Value> arguments;
  for (std::size_t i = 1; i < chain.size(); ++i) {
    const auto& e = std::get<check::Apply>(chain[i]->node);
    arguments.push_back(lower_exp(context, scope, *e.argument));
    if (i + 1 < chain.size() && e.existentials.empty()) continue;
    if (context.keyed_map && context.keyed_map->map.application == &exp) lower_keys(context, scope, chain, arguments);
    result = apply(context, result, arguments);
    bind_result_sizes(context, scope, e, chain[i]->type, result);
    arguments.clear();
  }
  return result;
}

Value lower_bound(Context& context, Scope& scope, const check::Let& e) {
  const InLet here(context, e.pattern);
  return lower_exp(context, scope, *e.bound);
}

void bind_let(Context& context, Scope& scope, const check::Let& e) {
  const Value bound = lower_bound(context, scope, e);
  bind_sizes(context, scope, e.sizes, e.pattern.type, bound);
  bind_pattern(context, scope, e.pattern, bound);
}

void bind_function(Context& context, Scope& scope, const check::LetFunction& e) {
  auto closure = std::make_shared<Closure>();
  closure->code = &*e.definition;
  closure->scope = &scope;
  closure->unsafe = context.unsafe;
  if (e.definition->params.empty()) {
    // A local polymorphic constant; sizes and types are those of its scope.
    scope.bind(e.definition->name, lower_exp(context, scope, e.definition->body));
  } else {
    scope.bind(e.definition->name, {ClosureRef(std::move(closure))});
  }
}

Value lower_coerce(Context& context, Scope& scope, const check::Coerce& e) {
  const Value value = lower_exp(context, scope, *e.exp);
  bind_sizes(context, scope, e.existentials, e.type, value);
  const Type type = evaluate_type(context, scope, e.type);
  const Setting says_it(context.printed, false);
  return coerce(context, value, type);
}

Value lower_assert(Context& context, Scope& scope, const check::Assert& e) {
  const Atom condition = atom_of(lower_exp(context, scope, *e.condition));
  if (!context.unsafe) context.check(condition, "assertion `" + e.text + "` failed");
  return lower_exp(context, scope, *e.exp);
}

/// A function whose body is a hole.
Value function_with_hole(Context& context, Scope& scope, const check::FunctionType& type,
                         SourceRange at) {
  check::Pattern param{check::WildcardPattern{}, *type.from, type.consumes, at};
  if (type.param) param.node = check::NamePattern{*type.param};
  const check::Exp body{check::Hole{}, *type.to, at};
  context.made_lambdas.push_back({{param}, body, *type.to, type.existentials});
  return lower_lambda(context, scope, context.made_lambdas.back());
}

/// Something of that type for the code behind a hole, which is not reached.
Value beyond_hole(Context& context, Scope& scope, const check::Type& type) {
  if (const auto* function = std::get_if<check::FunctionType>(&type.node))
    return function_with_hole(context, scope, *function, context.at());
  if (const auto* record = std::get_if<check::RecordType>(&type.node)) {
    RecordValue result;
    for (const check::Field& f : record->fields)
      result.fields.push_back({f.name, beyond_hole(context, scope, f.type)});
    return {std::move(result)};
  }
  return blank_value(context, evaluate_type(context, scope, type));
}

Value lower_hole(Context& context, Scope& scope, const check::Exp& exp) {
  context.check(PrimValue::of_bool(false), "reached a hole");
  return beyond_hole(context, scope, exp.type);
}

Value dispatch(Context& context, Scope& scope, const check::Exp& exp) {
  return ir::match(
      exp.node,  //
      [&](const check::Literal& e) { return Value{Atom(e.value)}; },
      [&](const check::StringLiteral& e) { return lower_string(context, e); },
      [&](const check::Var& e) { return lower_var(context, scope, e); },
      [&](const check::Record& e) { return lower_record(context, scope, exp, e); },
      [&](const check::ArrayLiteral& e) { return lower_array_literal(context, scope, exp, e); },
      [&](const check::Project& e) { return field(lower_exp(context, scope, *e.record), e.field); },
      [&](const check::RecordUpdate& e) { return lower_record_update(context, scope, e); },
      [&](const check::Construct& e) { return lower_construct(context, scope, exp, e); },
      [&](const check::Lambda& e) { return lower_lambda(context, scope, e); },
      [&](const check::Apply&) { return lower_apply(context, scope, exp); },
      [](const check::Let&) -> Value { source::internal_error("lower: Let is handled in a loop"); },
      [](const check::LetFunction&) -> Value {
        source::internal_error("lower: LetFunction is handled in a loop");
      },
      [&](const check::If& e) { return lower_if(context, scope, exp, e); },
      [&](const check::Match& e) { return lower_match(context, scope, exp, e); },
      [&](const check::Loop& e) { return lower_loop(context, scope, exp, e); },
      [&](const check::Index& e) { return lower_index(context, scope, exp, e); },
      [&](const check::Update& e) { return lower_update(context, scope, e); },
      [&](const check::Range& e) { return lower_range(context, scope, exp, e); },
      [&](const check::Coerce& e) { return lower_coerce(context, scope, e); },
      [&](const check::Assert& e) { return lower_assert(context, scope, e); },
      [&](const check::Attributed& e) { return lower_attributed(context, scope, e); },
      [&](const check::Hole&) { return lower_hole(context, scope, exp); });
}

}  // namespace

Value lower_exp(Context& context, Scope& scope, const check::Exp& first) {
  // Chains of bindings are followed in a loop, so that their length does not matter.
  const check::Exp* exp = &first;
  while (true) {
    const At here(context, exp->at);
    if (const auto* let = std::get_if<check::Let>(&exp->node)) {
      bind_let(context, scope, *let);
      exp = &*let->body;
    } else if (const auto* function = std::get_if<check::LetFunction>(&exp->node)) {
      bind_function(context, scope, *function);
      exp = &*function->body;
    } else {
      return dispatch(context, scope, *exp);
    }
  }
}

}  // namespace boustro::lower
