#include "transform/lower/functions.hpp"

#include "frontend/source/messages.hpp"
#include "transform/lower/abstraction.hpp"
#include "transform/lower/application.hpp"
#include "transform/lower/constants.hpp"
#include "transform/lower/consumption.hpp"
#include "transform/lower/patterns.hpp"
#include "transform/lower/sizes.hpp"

namespace boustro::lower {

using source::internal_check;
using source::Message;

namespace {

struct Header {
  std::string name;
  std::string doc;
  SourceRange at;
  std::vector<ir::Attribute> attributes;
};

Header header_of(const Closure& closure) {
  const auto* definition = std::get_if<const check::Definition*>(&closure.code);
  if (!definition) return {"lambda", "", {}, {}};
  Header header{(*definition)->name.text, (*definition)->doc, (*definition)->at, {}};
  for (const check::Attribute& attribute : (*definition)->attributes) {
    header.attributes.push_back({attribute.name, {}});
  }
  return header;
}

std::vector<ir::Param> joined(std::vector<ir::Param> first, const std::vector<ir::Param>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// Result types mention size results by the atoms that the body yields for them.
void set_results(Context& context, LoweredFunction& lowered, ir::Function& function) {
  std::set<Atom> params;
  for (const ir::Param& param : function.params) params.insert(param.name);
  AbstractResult abstract(context, params);
  lowered.result = abstract.value(lowered.result);
  lowered.size_results = abstract.size_results;
  lowered.value_results = abstract.results;
  function.size_results = static_cast<int>(abstract.sizes.size());
  function.body.result = abstract.sizes;
  for (const Atom& atom : abstract.atoms) function.body.result.push_back(atom);
  for (const Atom& atom : function.body.result)
    function.result_types.push_back(context.names.type_of(atom));
}

void lower_function(Context& context, LoweredFunction& lowered, const Closure& instance,
                    const AbstractArguments& abstract) {
  const Header header = header_of(instance);
  lowered.name = context.names.fresh(header.name);

  FunctionState state;
  if (!header.name.empty() && header.at.valid() && !context.of_prelude(header.at)) state.called = header.name;
  const Setting current(context.function, &state);
  const Setting name_values(context.keep_names, false);
  context.open_block();
  context.open_block();
  // Closures that come out must not refer to sizes that are only computed inside.
  lowered.result = Substitute(context, {}).value(evaluate_body(context, instance));
  ir::Body main = context.close_block({});
  ir::Body prologue = context.close_block({});

  ir::Function function;
  function.name = lowered.name;
  function.doc = header.doc;
  function.at = header.at;
  function.attributes = header.attributes;
  const std::vector<ir::Param> sizes = joined(abstract.size_params, state.constant_sizes);
  function.size_params = static_cast<int>(sizes.size());
  function.params = joined(joined(sizes, abstract.params), state.constant_values);
  function.body.stms = std::move(prologue.stms);
  for (ir::Stm& stm : main.stms) function.body.stms.push_back(std::move(stm));
  lowered.constants = state.constant_params;
  lowered.is_shuffle = function.body.stms.empty();
  lowered.params = function.params;
  if (!lowered.is_shuffle) {
    set_results(context, lowered, function);
    mark_unique(context, function);
    context.names.bind_function(function);
    context.program.functions.push_back(std::move(function));
  }
  lowered.finished = true;
}

/// Arguments in the order of the function's parameters.
std::vector<Atom> arguments(Context& context, const LoweredFunction& lowered,
                            const AbstractArguments& abstract) {
  std::vector<Atom> sizes = abstract.size_args;
  std::vector<Atom> rest = abstract.args;
  for (const check::Definition* constant : lowered.constants) {
    const ConstantAtoms atoms = constant_atoms(context, *constant);
    sizes.insert(sizes.end(), atoms.sizes.begin(), atoms.sizes.end());
    rest.insert(rest.end(), atoms.values.begin(), atoms.values.end());
  }
  sizes.insert(sizes.end(), rest.begin(), rest.end());
  internal_check(sizes.size() == lowered.params.size(),
                 "lower: a call has other arguments than its function");
  return sizes;
}

Value emit_call(Context& context, const LoweredFunction& lowered, const std::vector<Atom>& args) {
  ir::Substitution substitution;
  for (std::size_t i = 0; i < args.size(); ++i)
    substitution.emplace(lowered.params[i].name, args[i]);
  if (!lowered.is_shuffle) {
    std::vector<ir::Param> pattern;
    for (const ir::Param& result : joined(lowered.size_results, lowered.value_results)) {
      ir::Type type = result.type;
      for (Atom& size : type.shape) {
        const ir::Name* name = ir::name_in(size);
        const auto found = name ? substitution.find(*name) : substitution.end();
        if (found != substitution.end()) size = found->second;
      }
      pattern.push_back(context.names.fresh_param(result.name.base, type));
      substitution.emplace(result.name, pattern.back().name);
    }
    context.emit(std::move(pattern), ir::Call{lowered.name, args});
  }
  return Substitute(context, substitution).value(lowered.result);
}

/// Arguments are brought to the sizes of the parameters, so that equal sizes are the same atom.
Closure with_fitting_args(Context& context, const Closure& closure) {
  Closure instance = evaluate_instance(context, closure);
  const auto* definition = std::get_if<const check::Definition*>(&instance.code);
  if (!definition) return instance;
  const Setting only_sizes(context.keep_names, true);
  Scope* scope = instance_scope(context, instance);
  for (std::size_t i = 0; i < instance.args.size(); ++i) {
    const check::Pattern& param = (*definition)->params[i];
    instance.args[i] =
        coerce(context, instance.args[i], evaluate_type(context, *scope, param.type));
    bind_pattern(context, *scope, param, instance.args[i]);
  }
  return instance;
}

/// Arguments that have no name yet are called as a function of the user calls them.
void name_arguments(Context& context, const Closure& instance) {
  const auto* definition = std::get_if<const check::Definition*>(&instance.code);
  if (!definition) return;
  for (std::size_t i = 0; i < instance.args.size(); ++i) {
    const check::Pattern& param = (*definition)->params[i];
    const auto* name = std::get_if<check::NamePattern>(&param.node);
    if (name && !context.of_prelude(param.at)) context.call_argument(instance.args[i], name->name.text, param.at);
  }
}

/// What code that becomes a function is given: names outside, parameters inside. Sizes first.
struct Surroundings {
  std::vector<Atom> args;
  std::vector<ir::Param> params;
  int sizes = 0;
  ir::Substitution inside;
  bool has_accumulators = false;
};

Surroundings surroundings_of(Context& context, const std::vector<ir::Name>& free) {
  Surroundings result;
  const auto add = [&](const ir::Name& name) {
    if (result.inside.contains(name)) return;
    ir::Type type = context.names.type_of(name);
    result.has_accumulators = result.has_accumulators || type.accumulator;
    ir::substitute(type, result.inside);
    result.params.push_back(context.names.fresh_param(name.base, type));
    result.args.push_back(name);
    result.inside.emplace(name, result.params.back().name);
  };
  for (const ir::Name& name : free)
    for (const Atom& size : context.names.type_of(name).shape)
      if (const ir::Name* extent = ir::name_in(size)) add(*extent);
  result.sizes = static_cast<int>(result.params.size());
  for (const ir::Name& name : free) add(name);
  return result;
}

/// What the statements bind of a value: sizes first, which it may have without being it.
struct Bound {
  std::vector<ir::Param> results;
  int sizes = 0;
};

Bound bound_in(Context& context, const std::vector<ir::Stm>& stms, const Value& value) {
  std::set<Atom> here;
  for (const ir::Stm& stm : stms)
    for (const ir::Param& param : stm.pattern) here.insert(param.name);
  AbstractResult abstract(context, {});
  abstract.value(value);
  Bound bound;
  const auto add = [&](const std::vector<Atom>& atoms) {
    for (const Atom& atom : atoms) {
      if (!here.erase(atom)) continue;
      const ir::Name& name = *ir::name_in(atom);
      bound.results.push_back({name, context.names.type_of(name), false});
    }
  };
  add(abstract.sizes);
  bound.sizes = static_cast<int>(bound.results.size());
  add(abstract.atoms);
  return bound;
}

}  // namespace

void outline(Context& context, const std::vector<ir::Stm>& stms, const Value& value, const std::string& attribute) {
  Surroundings around = surroundings_of(context, ir::free_names_in_order({stms, {}}));
  if (stms.empty() || around.has_accumulators) return context.block().builder.add(stms);

  const Bound bound = bound_in(context, stms, value);
  ir::Function function;
  const bool is_named = context.function && !context.function->called.empty();
  function.name = context.names.fresh(is_named ? context.function->called + "_part" : "part");
  function.at = stms[0].origin.at.empty() ? SourceRange{} : stms[0].origin.at[0];
  function.attributes = {{attribute, {}}};
  function.size_params = around.sizes;
  function.params = around.params;
  function.size_results = bound.sizes;
  function.body.stms = ir::rename(stms, context.names, around.inside);
  for (const ir::Param& result : bound.results) {
    function.body.result.push_back(around.inside.at(result.name));
    function.result_types.push_back(result.type);
    ir::substitute(function.result_types.back(), around.inside);
  }
  mark_unique(context, function);
  context.names.bind_function(function);
  context.emit(bound.results, ir::Call{function.name, around.args});
  context.program.functions.push_back(std::move(function));
}

Value call_function(Context& context, const Closure& closure) {
  const Closure instance = with_fitting_args(context, closure);
  name_arguments(context, instance);
  CollectSizes collect(context);
  collect.closure(instance);
  AbstractArguments abstract(context, collect.sizes);
  const Closure inside = abstract.closure(instance);
  const auto [entry, is_new] = context.functions.try_emplace(abstract.key);
  LoweredFunction& lowered = entry->second;
  if (is_new) {
    lower_function(context, lowered, inside, abstract);
  } else if (!lowered.finished) {
    source::refuse(Message::lower_recursion, context.at(), header_of(instance).name);
  }
  return emit_call(context, lowered, arguments(context, lowered, abstract));
}

}  // namespace boustro::lower
