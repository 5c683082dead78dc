#include "transform/simplify/rule.hpp"

#include <algorithm>

#include "transform/ir/parts.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

bool has_bodies(const Exp& exp) {
  bool any = false;
  for_each_body(exp, [&](const Body&) { any = true; });
  return any;
}

/// Results that share memory with nothing.
bool is_fresh(const Exp& exp) {
  return !(std::holds_alternative<AtomExp>(exp) || std::holds_alternative<Index>(exp) ||
           std::holds_alternative<Rearrange>(exp) || std::holds_alternative<Reshape>(exp) ||
           std::holds_alternative<Coerce>(exp) || std::holds_alternative<If>(exp) ||
           std::holds_alternative<Loop>(exp) || std::holds_alternative<Call>(exp) ||
           std::holds_alternative<WithAcc>(exp) || std::holds_alternative<UpdateAcc>(exp) ||
           std::holds_alternative<Jvp>(exp) || std::holds_alternative<Vjp>(exp) ||
           std::holds_alternative<WithVjp>(exp));
}

/// The whole of a dimension, or between bounds that are numbers.
bool is_slice_in_bounds(const Slice& slice, const Atom& size) {
  if (is_whole(slice, size)) return true;
  const PrimValue *start = literal_in(slice.start), *count = literal_in(slice.count), *stride = literal_in(slice.stride),
                  *n = literal_in(size);
  return start && count && stride && n && slice_fits(start->as_int(), count->as_int(), stride->as_int(), n->as_int());
}

struct UseCounter : parts::Deep<UseCounter> {
  UseCounter(UseCounts& uses, int sign) : uses(uses), sign(sign) {}
  UseCounts& uses;
  int sign;
  void use(const Name& name) { uses[name] += sign; }
  void use(const Atom& atom) {
    if (const Name* name = name_in(atom)) use(*name);
  }
  void bind(const Name&) {}
};

}  // namespace

const Exp* Context::definition(const Atom& atom) const {
  const Name* name = name_in(atom);
  if (!name) return nullptr;
  const auto found = definitions_.find(*name);
  return found == definitions_.end() ? nullptr : &found->second;
}

bool Context::settled(const Atom& atom) const {
  const Name* name = name_in(atom);
  if (!name) return true;
  const Type& type = names.type_of(*name);
  if (type.is_scalar()) return true;
  return !type.accumulator && !given_away_.contains(*name) && aliases_.settled(*name);
}

bool Context::last_use_of_fresh(const Name& name) const {
  const auto found = fresh_.find(name);
  return found != fresh_.end() && found->second == body_ && uses(name) == 1;
}

bool Context::only_used_here(const Name& name) const {
  const auto found = scalars_.find(name);
  return found != scalars_.end() && found->second == body_ && uses(name) == 1;
}

int Context::uses(const Name& name) const {
  const auto found = uses_.find(name);
  return found == uses_.end() ? 0 : found->second;
}

bool Context::is_zero(const Atom& atom) const {
  if (const PrimValue* value = literal_in(atom)) return value->bits == 0;
  const auto* replicate = defined_as<Replicate>(atom);
  return replicate && is_zero(replicate->value);
}

bool Context::in_bounds(const Atom& index, const Atom& size) const {
  const PrimValue* i = literal_in(index);
  const PrimValue* n = literal_in(size);
  if (i && n) return i->as_int() >= 0 && i->as_int() < n->as_int();
  const Name* name = name_in(index);
  const auto range = name ? ranges_.find(*name) : ranges_.end();
  if (range == ranges_.end()) return false;
  if (range->second == size) return true;
  const PrimValue* bound = literal_in(range->second);
  return bound && n && bound->as_int() <= n->as_int();
}

bool Context::in_bounds(const std::vector<DimIndex>& indices, const Name& array) const {
  const Type& type = names.type_of(array);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Atom& size = type.shape[i];
    const Atom* at = std::get_if<Atom>(&indices[i]);
    if (at ? !in_bounds(*at, size) : !is_slice_in_bounds(std::get<Slice>(indices[i]), size)) return false;
  }
  return true;
}

bool Context::is_index(const Atom& atom) const {
  const Name* name = name_in(atom);
  return name && ranges_.contains(*name);
}

bool Context::not_negative(const Atom& number) const {
  facts::Sizes known;
  NameSet described;
  describe(number, known, described);
  return known.not_negative(known.value(number));
}

/// Adds what is known of a number, after what it is computed from. A size of an array counts as that alone.
void Context::describe(const Atom& number, facts::Sizes& known, NameSet& described) const {
  const Name* name = name_in(number);
  if (!name || !described.insert(*name).second) return;
  if (const auto range = ranges_.find(*name); range != ranges_.end()) {
    describe(range->second, known, described);
    known.declare_index(*name, range->second);
  }
  if (const auto least = sizes.least(*name)) return known.declare_size(*name, *least);
  const Exp* exp = definition(*name);
  if (!exp || !is_scalar_operation(*exp) || names.type_of(*name) != scalar(PrimType::i64)) return;
  for_each_atom(*exp, [&](const Atom& operand) { describe(operand, known, described); });
  known.define({{{*name, names.type_of(*name)}}, *exp, {}, {}});
  const auto* op = std::get_if<BinOp>(exp);
  if (!op || op->kind != BinOpKind::max) return;
  const auto is_positive = [&](const Atom& x) { return known.not_negative(known.value(x)); };
  if (is_positive(op->lhs) || is_positive(op->rhs)) known.declare_size(*name);
}

std::optional<AccumulatorMode> Context::mode_of(const Name& accumulator) const {
  const auto found = modes_.find(accumulator);
  if (found == modes_.end()) return std::nullopt;
  return found->second;
}

bool Context::maps_reshaped(const Exp& exp) const {
  const auto* map = std::get_if<Map>(&exp);
  return map && map->accumulators.empty() && !map->arrays.empty() &&
         std::all_of(map->arrays.begin(), map->arrays.end(), [&](const Name& array) { return defined_as<Reshape>(array) != nullptr; });
}

void Context::define(const Stm& stm) {
  sizes.define(stm);
  if (stm.pattern.size() == 1 && (!has_bodies(stm.exp) || maps_reshaped(stm.exp))) {
    definitions_.insert_or_assign(stm.pattern[0].name, stm.exp);
  }
  for (const Param& param : stm.pattern)
    if (param.type.is_scalar()) scalars_[param.name] = body_;
  if (!is_fresh(stm.exp)) return;
  for (const Param& param : stm.pattern) {
    if (!param.type.is_scalar() && !param.type.accumulator) fresh_[param.name] = body_;
  }
}

void Context::count(const Stm& stm, int sign) {
  UseCounter counter(uses_, sign);
  parts::visit(stm, counter);
}

Rewrite replaced(Stm& stm, Exp exp) {
  stm.exp = std::move(exp);
  Rewrite result;
  result.push_back(std::move(stm));
  return result;
}

Rewrite replaced(Stm& stm, Exp exp, Builder& before) {
  stm.exp = std::move(exp);
  before.stms.push_back(std::move(stm));
  return std::move(before.stms);
}

Stm let(const Param& param, Exp exp, const Stm& like) {
  return {{param}, std::move(exp), like.origin, {}};
}

bool is_literal(const Atom& atom, std::int64_t value) {
  const PrimValue* literal = literal_in(atom);
  return literal && *literal == PrimValue::of_int(literal->type, value);
}

Slice whole(const Atom& size) { return {int_atom(0), size, int_atom(1)}; }

bool is_whole(const DimIndex& index, const Atom& size) {
  const auto* slice = std::get_if<Slice>(&index);
  return slice && is_literal(slice->start, 0) && slice->count == size &&
         is_literal(slice->stride, 1);
}

}  // namespace boustro::simplify
