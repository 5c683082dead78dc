#include "transform/lower/patterns.hpp"

#include "transform/lower/sizes.hpp"
#include "transform/lower/sums.hpp"

namespace boustro::lower {
namespace {

/// The payload of a value that has this constructor.
std::vector<Value> payload_as(const Value& value, const std::string& constructor) {
  if (const auto* known = std::get_if<KnownSum>(&value.node)) return known->payload;
  const auto& sum = std::get<DynamicSum>(value.node);
  return payload_of(sum, constructor_index(sum.type, constructor));
}

void bind_parts(Context& context, Scope& scope, const check::Pattern& pattern, const Value& value) {
  ir::match(
      pattern.node,  //
      [&](const check::NamePattern& p) {
        scope.bind(p.name, value);
        context.call(value, p.name.text);
      },
      [&](const check::RecordPattern& p) {
        for (const check::PatternField& f : p.fields) {
          bind_parts(context, scope, f.pattern, field(value, f.name));
        }
      },
      [&](const check::ConstructorPattern& p) {
        const std::vector<Value> payload = payload_as(value, p.constructor);
        for (std::size_t i = 0; i < p.payload.size(); ++i) {
          bind_parts(context, scope, p.payload[i], payload.at(i));
        }
      },
      [](const check::WildcardPattern&) {}, [](const check::LiteralPattern&) {});
}

const Atom always = PrimValue::of_bool(true);
const Atom never = PrimValue::of_bool(false);

Atom both(Context& context, const Atom& x, const Atom& y) {
  if (x == always || y == never) return y;
  if (y == always || x == never) return x;
  return context.emit("matches", ir::BinOp{ir::BinOpKind::bit_and, PrimType::boolean, x, y});
}

Atom equals(Context& context, const Atom& x, const PrimValue& literal) {
  const Atom y = literal;
  if (ir::literal_in(x) && !values::is_float(literal.type)) return x == y ? always : never;
  return context.emit("matches", ir::CmpOp{ir::CmpOpKind::eq, literal.type, x, y});
}

Atom match_payload(Context& context, const check::ConstructorPattern& pattern,
                   const std::vector<Value>& payload, Atom matches) {
  for (std::size_t i = 0; i < pattern.payload.size(); ++i) {
    matches = both(context, matches, match_pattern(context, pattern.payload[i], payload.at(i)));
  }
  return matches;
}

Atom match_constructor(Context& context, const check::ConstructorPattern& pattern,
                       const Value& value) {
  if (const auto* known = std::get_if<KnownSum>(&value.node)) {
    if (constructor_index(known->type, pattern.constructor) != known->constructor) return never;
    return match_payload(context, pattern, known->payload, always);
  }
  const auto& sum = std::get<DynamicSum>(value.node);
  const int constructor = constructor_index(sum.type, pattern.constructor);
  const PrimValue tag = PrimValue::of_int(tag_type, constructor);
  const Atom matches = sum.type.constructors.size() == 1 ? always : equals(context, sum.tag, tag);
  return match_payload(context, pattern, payload_of(sum, constructor), matches);
}

}  // namespace

void bind_pattern(Context& context, Scope& scope, const check::Pattern& pattern,
                  const Value& value) {
  const At here(context, pattern.at);
  bind_parts(context, scope, pattern,
             coerce(context, value, evaluate_type(context, scope, pattern.type)));
}

Atom match_pattern(Context& context, const check::Pattern& pattern, const Value& value) {
  return ir::match(
      pattern.node,  //
      [](const check::NamePattern&) { return always; },
      [](const check::WildcardPattern&) { return always; },
      [&](const check::LiteralPattern& p) { return equals(context, atom_of(value), p.value); },
      [&](const check::RecordPattern& p) {
        Atom matches = always;
        for (const check::PatternField& f : p.fields) {
          matches = both(context, matches, match_pattern(context, f.pattern, field(value, f.name)));
        }
        return matches;
      },
      [&](const check::ConstructorPattern& p) { return match_constructor(context, p, value); });
}

}  // namespace boustro::lower
