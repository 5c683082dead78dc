// Attributes of expressions. #[unsafe] turns checks off inside, #[checkpoint] makes a function; the others belong to the statement
// that makes the expression's value.
#include <algorithm>
#include <charconv>
#include <tuple>

#include "frontend/source/messages.hpp"
#include "transform/ir/nest.hpp"
#include "transform/lower/expression.hpp"
#include "transform/lower/functions.hpp"
#include "transform/lower/reorder.hpp"

namespace boustro::lower {
namespace {

/// A literal, or the name of a scalar in scope; arguments that are neither are left out.
std::optional<Atom> argument(const Scope& scope, std::string text) {
  if (text.find_first_not_of("0123456789_") == text.npos) std::erase(text, '_');
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end != text.data()) return ir::int_atom(number);
  const Value* value = scope.find_text(text);
  if (!value || !std::holds_alternative<Atom>(value->node)) return std::nullopt;
  return std::get<Atom>(value->node);
}

/// #[reorder] is for maps, which may be in a function that is put here later; #[true_dep] belongs to parameters, only while loops have a bound or a fixed point, only loops keep checkpoints, and #[unsafe] is in the checks that are not there.
bool can_have(const ir::Stm& stm, const check::Attribute& attribute) {
  const auto* loop = std::get_if<ir::Loop>(&stm.exp);
  if (attribute.name == "bound" || attribute.name == "fixed_point") return loop && std::holds_alternative<ir::WhileLoop>(loop->form);
  if (attribute.name.starts_with("checkpoint")) return loop != nullptr;
  if (attribute.name == "reorder") return std::holds_alternative<ir::Map>(stm.exp) || std::holds_alternative<ir::Call>(stm.exp);
  return attribute.name != "true_dep" && attribute.name != "unsafe";
}

bool is_loop(const check::Exp& exp) {
  const auto* attributed = std::get_if<check::Attributed>(&exp.node);
  return attributed ? is_loop(*attributed->exp) : std::holds_alternative<check::Loop>(exp.node);
}

/// #[fixed_point(warm)], a word and not the name of a number; `warm` by itself in core programs.
bool is_warm(const check::Attribute& attribute) {
  return attribute.name == "fixed_point" && std::find(attribute.args.begin(), attribute.args.end(), "warm") != attribute.args.end();
}

ir::Attribute attribute(const Scope& scope, const check::Attribute& source) {
  ir::Attribute result{source.name, {}};
  for (const std::string& text : source.args) {
    if (source.name == "fixed_point" && text == "warm") continue;
    if (const auto atom = argument(scope, text)) result.args.push_back(*atom);
  }
  if (source.name == "bound" && result.args.empty()) source::refuse(source::Message::bound_argument, source.at);
  if (source.name == "checkpoint_bytes" && result.args.empty()) source::refuse(source::Message::checkpoint_argument, source.at);
  return result;
}

/// additions(copies), of a printed nest.
std::optional<ir::Method> additions_named(const check::Attribute& attribute) {
  if (attribute.name != "additions" || attribute.args.size() != 1) return std::nullopt;
  return ir::method_named(attribute.args[0]);
}

}  // namespace

Value lower_attributed(Context& context, Scope& scope, const check::Attributed& e) {
  const Setting unsafe(context.unsafe, context.unsafe || e.attribute.name == "unsafe");
  const std::size_t before = context.block().builder.stms.size();
  std::optional<KeyedMap> keyed = keyed_map(context, scope, e);
  const Setting of_keys(context.keyed_map, keyed ? &*keyed : context.keyed_map);
  if (e.attribute.name == "checkpoint" && !is_loop(*e.exp)) {
    context.open_block();  // nobody outside may use what it computes by the way
    const Value result = lower_exp(context, scope, *e.exp);
    outline(context, context.close_block({}).stms, result, e.attribute.name);
    return result;
  }
  Value result = lower_exp(context, scope, *e.exp);
  auto& stms = context.block().builder.stms;
  // The last statement may be a coercion of what the expression computed.
  std::size_t last = stms.size();
  while (last > before && std::holds_alternative<ir::Coerce>(stms[last - 1].exp)) --last;
  if (last == before) return result;
  auto* nest = std::get_if<ir::Nest>(&stms[last - 1].exp);
  if (const auto levels = ir::levels_named(e.attribute.name); nest && levels) {
    std::tie(nest->over, nest->each) = *levels;
    return result;
  }
  if (const auto method = additions_named(e.attribute); nest && method) {
    nest->additions = *method;
    return result;
  }
  if (!can_have(stms[last - 1], e.attribute)) return result;
  auto& attributes = stms[last - 1].attributes;
  if (e.attribute.name == "reorder" && !(keyed && keyed->keys)) return result;
  const ir::Attribute added = keyed ? ir::Attribute{"reorder", {*keyed->keys}} : attribute(scope, e.attribute);
  if (std::find(attributes.begin(), attributes.end(), added) == attributes.end())
    attributes.insert(attributes.begin(), added);
  if (is_warm(e.attribute)) attributes.push_back({"warm", {}});
  return result;
}

}  // namespace boustro::lower
