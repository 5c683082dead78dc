#include "frontend/check/reorder.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "frontend/check/checker.hpp"
#include "frontend/check/traverse.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {
namespace {

constexpr std::array<std::string_view, 4> maps_of_several{"map2", "map3", "map4", "map5"};

const Exp& without_attributes(const Exp& exp) {
  const auto* attributed = std::get_if<Attributed>(&exp.node);
  return attributed ? without_attributes(*attributed->exp) : exp;
}

/// What the expression yields: a definition in front of it may have been made up, to name an argument's size.
const Exp& value_of(const Exp& exp) {
  if (const auto* let = std::get_if<Let>(&exp.node)) return value_of(*let->body);
  if (const auto* attributed = std::get_if<Attributed>(&exp.node)) return value_of(*attributed->exp);
  return exp;
}

bool is_integer(const Type& type) {
  const auto* prim = std::get_if<PrimType>(&type.node);
  return prim && values::is_integer(*prim);
}

bool is_number(const std::string& text) { return !text.empty() && '0' <= text[0] && text[0] <= '9'; }

}  // namespace

std::optional<MapUse> map_of(const Exp& exp) {
  MapUse use{.application = &value_of(exp)};
  std::vector<const Exp*> arguments;
  const Exp* at = use.application;
  while (const auto* apply = std::get_if<Apply>(&at->node)) {
    arguments.insert(arguments.begin(), &*apply->argument);
    at = &*apply->function;
  }
  const auto* var = std::get_if<Var>(&at->node);
  if (!var || arguments.size() < 2) return std::nullopt;
  use.last = arguments.back();
  if (is_intrinsic(var->name)) {
    const Intrinsic intrinsic = intrinsic_of(var->name);
    const bool printed = intrinsic == Intrinsic::map_acc || intrinsic == Intrinsic::fused || intrinsic == Intrinsic::fused_acc;
    if (printed && static_cast<int>(arguments.size()) == arity_of(intrinsic)) return use;
    if (intrinsic != Intrinsic::map || arguments.size() != 2) return std::nullopt;
  } else {
    use.is_tabulate = var->name.text == "tabulate";
    const auto several = std::find(maps_of_several.begin(), maps_of_several.end(), var->name.text);
    if (!var->of_prelude || (!use.is_tabulate && several == maps_of_several.end())) return std::nullopt;
    const std::size_t wanted = use.is_tabulate ? 2 : 3 + static_cast<std::size_t>(several - maps_of_several.begin());
    if (arguments.size() != wanted) return std::nullopt;
  }
  use.function_argument = use.is_tabulate ? 1 : 0;
  use.function = std::get_if<Lambda>(&without_attributes(*arguments[use.function_argument]).node);
  return use;
}

std::optional<std::pair<Name, Type>> variable_of(const Lambda& function, const std::string& text) {
  std::optional<std::pair<Name, Type>> found;
  const auto look = [&](const Pattern& pattern) {
    for_each_binding(pattern, [&](const Name& name, const Pattern& leaf) {
      if (name.text == text) found = {name, leaf.type};
    });
  };
  for (const Pattern& param : function.params) look(param);
  const Exp* at = &*function.body;
  for (;;) {
    if (const auto* let = std::get_if<Let>(&at->node)) {
      look(let->pattern);
      at = &*let->body;
    } else if (const auto* local = std::get_if<LetFunction>(&at->node)) {
      at = &*local->body;
    } else if (const auto* attributed = std::get_if<Attributed>(&at->node)) {
      at = &*attributed->exp;
    } else {
      return found;
    }
  }
}

void Checker::check_reorder(const ast::Attribute& attribute, const Exp& exp) {
  const auto map = map_of(exp);
  if (!map) {
    report(Message::attribute_misplaced, attribute.at, attribute.name, "`map`, `map2`, .. and `tabulate`");
    return;
  }
  if (attribute.args.size() != 1 || !attribute.args[0].args.empty() || is_number(attribute.args[0].name)) {
    report(Message::reorder_argument, attribute.at);
    return;
  }
  const ast::Attribute& key = attribute.args[0];
  const bool is_local = std::any_of(scope_.begin(), scope_.end(), [&](const ScopeEntry& entry) {
    const auto* local = std::get_if<LocalValue>(&entry);
    return local && local->text == key.name;
  });
  const auto array = is_local ? find_value(key.name, key.at) : std::nullopt;
  const bool is_array = array && std::holds_alternative<ArrayType>(inference_.resolve_all(array->type).node);
  const auto variable = map->function ? variable_of(*map->function, key.name) : std::nullopt;
  if (variable && !(is_array && !is_integer(inference_.resolve_all(variable->second)))) {
    expect(fresh(key.at, TypeClass::integral), {Var{variable->first, {}, {}, false}, variable->second, key.at}, "`#[reorder]` sorts by integers");
  } else if (is_array) {
    const Type whole = inference_.resolve_all((map->is_tabulate ? *map->application : *map->last).type);
    const auto* points = std::get_if<ArrayType>(&whole.node);
    const Size size = points ? points->size : std::get<ArrayType>(inference_.resolve_all(array->type).node).size;
    expect({ArrayType{size, fresh(key.at, TypeClass::integral)}}, *array, "`#[reorder]` sorts by an integer for each point");
  } else {
    source::Diagnostic& diagnostic = report(Message::reorder_key, key.at, key.name);
    diagnostic.notes.push_back({map->application->at, map->function ? "its body must begin with `let " + key.name + " = ..`, an integer"
                                                                    : "write the map's function here, as `\\x -> let " + key.name + " = ..`, or name an array of keys"});
  }
}

}  // namespace boustro::check
