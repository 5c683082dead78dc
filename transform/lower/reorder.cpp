#include "transform/lower/reorder.hpp"

#include <algorithm>
#include <tuple>

#include "frontend/check/traverse.hpp"
#include "frontend/source/messages.hpp"
#include "transform/lower/application.hpp"
#include "transform/lower/expression.hpp"
#include "transform/lower/mentions.hpp"
#include "transform/lower/sizes.hpp"

namespace boustro::lower {
namespace {

using Wanted = std::vector<check::Name>;

bool is_wanted(const Wanted& wanted, const check::Name& name) { return std::find(wanted.begin(), wanted.end(), name) != wanted.end(); }

bool binds_wanted(const check::Let& let, const Wanted& wanted) {
  bool found = std::any_of(let.sizes.begin(), let.sizes.end(), [&](const check::Name& name) { return is_wanted(wanted, name); });
  check::for_each_binding(let.pattern, [&](const check::Name& name, const check::Pattern&) { found = found || is_wanted(wanted, name); });
  return found;
}

void want(Wanted& wanted, const std::vector<check::Name>& more) { wanted.insert(wanted.end(), more.begin(), more.end()); }

/// Of the definitions that the body begins with those that `result`, or others that are taken, need, and behind them the result.
check::Exp slice(const check::Exp& body, const check::Exp& result, Wanted& wanted) {
  if (const auto* let = std::get_if<check::Let>(&body.node)) {
    check::Exp rest = slice(*let->body, result, wanted);
    if (!binds_wanted(*let, wanted)) return rest;
    want(wanted, mentioned_values(*let->bound));
    const check::Type type = rest.type;
    return {check::Let{let->sizes, let->pattern, let->bound, std::move(rest)}, type, body.at};
  }
  if (const auto* local = std::get_if<check::LetFunction>(&body.node)) {
    check::Exp rest = slice(*local->body, result, wanted);
    if (!is_wanted(wanted, local->definition->name)) return rest;
    want(wanted, mentions_of(*local->definition).values);
    const check::Type type = rest.type;
    return {check::LetFunction{local->definition, std::move(rest)}, type, body.at};
  }
  if (const auto* attributed = std::get_if<check::Attributed>(&body.node)) {
    check::Exp rest = slice(*attributed->exp, result, wanted);
    const check::Type type = rest.type;
    return {check::Attributed{attributed->attribute, std::move(rest)}, type, body.at};
  }
  return result;
}

/// The function that yields the key instead of what the map's function does.
check::Lambda key_function(const check::Lambda& function, const check::Name& key, const check::Type& type) {
  Wanted wanted{key};
  const check::Exp result{check::Var{key, {}, {}, false, false}, type, function.body->at};
  return {function.params, slice(*function.body, result, wanted), type, {}};
}

}  // namespace

void lower_keys(Context& context, Scope& scope, const std::vector<const check::Exp*>& applications, const std::vector<Value>& arguments) {
  KeyedMap& keyed = *context.keyed_map;
  const check::MapUse& map = keyed.map;
  if (keyed.keys || arguments.size() + 1 != applications.size()) return;
  context.made_lambdas.push_back(key_function(*map.function, keyed.key, keyed.type));
  std::vector<Value> own = arguments;
  Closure function = *closure_of(arguments.at(map.function_argument));
  function.code = &context.made_lambdas.back();
  own[map.function_argument] = {std::make_shared<const Closure>(std::move(function))};

  check::Exp of_keys = *applications.front();  // the map, as one that yields keys
  std::get<check::Var>(of_keys.node).type_args.back() = keyed.type;
  const Value keys = apply(context, lower_exp(context, scope, of_keys), own);
  context.call(keys, keyed.key.text + "s");
  keyed.keys = atom_of(keys);
}

std::optional<KeyedMap> keyed_map(Context& context, const Scope& scope, const check::Attributed& e) {
  const auto map = check::map_of(*e.exp);
  if (!map || e.attribute.name != "reorder" || e.attribute.args.size() != 1) return std::nullopt;
  const std::string& text = e.attribute.args[0];
  KeyedMap keyed{*map, {}, {}, {}};
  if (const Value* array = scope.find_text(text); array && std::holds_alternative<Atom>(array->node)) {
    const ir::Name* name = ir::name_in(std::get<Atom>(array->node));
    if (name && context.names.type_of(*name).rank() == 1) keyed.keys = *name;
  }
  const auto variable = map->function ? check::variable_of(*map->function, text) : std::nullopt;
  if (variable && std::holds_alternative<PrimType>(variable->second.node) && !(context.printed && keyed.keys)) {
    keyed.keys.reset();
    std::tie(keyed.key, keyed.type) = *variable;
  } else if (!keyed.keys) {
    source::refuse(source::Message::reorder_key, e.attribute.at, text);
  } else if (!context.printed) {
    keyed.keys = context.emit(text, ir::Copy{std::get<ir::Name>(*keyed.keys)});  // as they are now: a derivative needs them later
  }
  return keyed;
}

}  // namespace boustro::lower
