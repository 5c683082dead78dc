#include "transform/simplify/common.hpp"

#include <algorithm>

#include "transform/facts/access.hpp"
#include "transform/ir/parts.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

/// Names bound inside become -1, -2, ... in order, so that expressions that differ in them alone
/// are equal.
struct Canonical : parts::Deep<Canonical> {
  Substitution substitution;
  void use(Name& name) { name = std::get<Name>(substitute(name, substitution)); }
  void use(Atom& atom) { atom = substitute(atom, substitution); }
  void bind(Name& name) {
    const Name canonical{"", -1 - static_cast<int>(substitution.size())};
    substitution.emplace(name, canonical);
    name = canonical;
  }
};

void drop_provenance(Exp& exp) {
  map_bodies(exp, [](Body& body) {
    for (Stm& stm : body.stms) {
      stm.origin = {};
      drop_provenance(stm.exp);
    }
  });
}

void order_operands(Atom& lhs, Atom& rhs) {
  if (rhs < lhs) std::swap(lhs, rhs);
}

struct Hasher : parts::Deep<Hasher> {
  std::size_t hash = 0;
  void mix(std::size_t value) { hash = hash * 0x9e3779b97f4a7c15u + value + (hash >> 29); }
  void use(const Name& name) { mix(std::hash<Name>{}(name)); }
  void use(const Atom& atom) {
    match(
        atom, [&](const Name& name) { use(name); },
        [&](const PrimValue& value) { mix(value.bits); });
  }
  void bind(const Name&) {}
};

}  // namespace

Exp canonical(const Exp& exp) {
  Exp copy = exp;
  if (auto* binop = std::get_if<BinOp>(&copy); binop && commutes(binop->kind)) {
    order_operands(binop->lhs, binop->rhs);
  }
  Canonical visitor;
  parts::visit(copy, visitor);
  drop_provenance(copy);
  return copy;
}

std::size_t hash_of(const Exp& exp) {
  Hasher hasher;
  hasher.mix(exp.index());
  parts::visit(exp, hasher);
  return hasher.hash;
}

bool equal_up_to_names(const Body& a, const Body& b) {
  const auto canonical_body = [](const Body& body) {
    return canonical(If{PrimValue::of_bool(true), body, {}});
  };
  return canonical_body(a) == canonical_body(b);
}

namespace {

/// A number that is read of an array, as it was read before updates of other places.
Exp read_before_updates(Exp exp, const Context& context) {
  auto* read = std::get_if<Index>(&exp);
  while (read) {
    const auto* update = context.defined_as<Update>(read->array);
    if (!update || !facts::are_disjoint(read->indices, update->indices)) break;
    read->array = update->array;
  }
  return exp;
}

}  // namespace

const std::vector<Param>* CommonExpressions::find_or_add(const Stm& stm, const Context& context) {
  if (!stm.attributes.empty() || std::holds_alternative<UpdateAcc>(stm.exp)) return nullptr;
  for (const Param& param : stm.pattern) {
    if (!context.settled(param.name)) return nullptr;
  }
  Exp exp = canonical(all_scalar(stm.pattern) ? read_before_updates(stm.exp, context) : stm.exp);
  const std::size_t hash = hash_of(exp);
  const auto [begin, end] = table_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    // Since it was remembered, a rule may have given its array away.
    const auto& pattern = it->second.pattern;
    const bool still_settled = std::all_of(pattern.begin(), pattern.end(), [&](const Param& param) {
      return context.settled(param.name);
    });
    if (still_settled && it->second.exp == exp) return &pattern;
  }
  log_.push_back(table_.emplace(hash, Entry{std::move(exp), stm.pattern}));
  return nullptr;
}

void CommonExpressions::leave_scope(std::size_t mark) {
  for (; log_.size() > mark; log_.pop_back()) table_.erase(log_.back());
}

}  // namespace boustro::simplify
