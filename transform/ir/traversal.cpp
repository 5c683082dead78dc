#include "transform/ir/traversal.hpp"

#include <algorithm>

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/parts.hpp"

namespace boustro::ir {
namespace {

using AtomVisit = std::function<void(const Atom&)>;
using AtomChange = std::function<Atom(const Atom&)>;

/// The atoms of one expression, without those that a loop binds itself.
struct AtomReader {
  const AtomVisit& visit;
  std::vector<Name> bound = {};

  void use(const Name& name) { use(Atom(name)); }
  void use(const Atom& atom) {
    const Name* name = name_in(atom);
    if (!name || std::find(bound.begin(), bound.end(), *name) == bound.end()) visit(atom);
  }
  void bind(const Name& name) { bound.push_back(name); }
  void lambda(const Lambda&) {}
  void body(const Body&) {}
};

/// Replaces an operand; arrays must stay names.
void change_name(Name& name, const Atom& changed) {
  const Name* other = name_in(changed);
  source::internal_check(other != nullptr, "traversal: an array operand is replaced by a literal");
  name = *other;
}

struct AtomWriter {
  const AtomChange& change;
  void use(Name& name) { change_name(name, change(name)); }
  void use(Atom& atom) { atom = change(atom); }
  void bind(const Name&) {}
  void lambda(const Lambda&) {}
  void body(const Body&) {}
};

template <typename LambdaVisit, typename BodyVisit>
struct ScopeVisitor {
  LambdaVisit on_lambda;
  BodyVisit on_body;
  void use(const Name&) {}
  void use(const Atom&) {}
  void bind(const Name&) {}
  void lambda(Lambda& lambda) { on_lambda(lambda); }
  void body(Body& body) { on_body(body); }
};
template <typename L, typename B>
ScopeVisitor(L, B) -> ScopeVisitor<L, B>;

/// Names are unique, so what is free is what is used and nowhere bound inside.
struct UseCollector : parts::Deep<UseCollector> {
  std::vector<Name> in_order;
  NameSet used, bound;

  void use(const Name& name) {
    if (used.insert(name).second) in_order.push_back(name);
  }
  void use(const Atom& atom) {
    if (const Name* name = name_in(atom)) use(*name);
  }
  void bind(const Name& name) { bound.insert(name); }
};

template <typename Node>
std::vector<Name> free_in_order(const Node& node) {
  UseCollector collector;
  parts::visit(node, collector);
  std::erase_if(collector.in_order, [&](const Name& name) { return collector.bound.contains(name); });
  return std::move(collector.in_order);
}

template <typename Node>
NameSet free_set(const Node& node) {
  const std::vector<Name> names = free_in_order(node);
  return {names.begin(), names.end()};
}

struct Substituter : parts::Deep<Substituter> {
  explicit Substituter(const Substitution& substitution) : substitution(substitution) {}
  const Substitution& substitution;

  void use(Name& name) { change_name(name, substitute(name, substitution)); }
  void use(Atom& atom) { atom = substitute(atom, substitution); }
  void bind(const Name&) {}
};

template <typename Node>
void substitute_in(Node& node, const Substitution& substitution) {
  if (substitution.empty()) return;
  Substituter substituter(substitution);
  parts::visit(node, substituter);
}

struct NameChanger : parts::Deep<NameChanger> {
  const std::function<Name(const Name&)>& change;

  void use(Name& name) { name = change(name); }
  void use(Atom& atom) {
    if (auto* name = std::get_if<Name>(&atom)) *name = change(*name);
  }
  void bind(Name& name) { name = change(name); }
};

}  // namespace

void for_each_atom(const Exp& exp, const AtomVisit& visit) {
  AtomReader reader{visit};
  parts::visit(exp, reader);
}

void map_atoms(Exp& exp, const AtomChange& change) {
  AtomWriter writer{change};
  parts::visit(exp, writer);
}

void for_each_body(const Exp& exp, const std::function<void(const Body&)>& visit) {
  ScopeVisitor visitor{[&](const Lambda& lambda) { visit(lambda.body); },
                       [&](const Body& body) { visit(body); }};
  parts::visit(exp, visitor);
}

void map_bodies(Exp& exp, const std::function<void(Body&)>& change) {
  ScopeVisitor visitor{[&](Lambda& lambda) { change(lambda.body); },
                       [&](Body& body) { change(body); }};
  parts::visit(exp, visitor);
}

void for_each_lambda(const Exp& exp, const std::function<void(const Lambda&)>& visit) {
  ScopeVisitor visitor{[&](const Lambda& lambda) { visit(lambda); }, [](const Body&) {}};
  parts::visit(exp, visitor);
}

void map_lambdas(Exp& exp, const std::function<void(Lambda&)>& change) {
  ScopeVisitor visitor{[&](Lambda& lambda) { change(lambda); }, [](const Body&) {}};
  parts::visit(exp, visitor);
}

NameSet free_names(const Exp& exp) { return free_set(exp); }
NameSet free_names(const Stm& stm) { return free_set(stm); }
NameSet free_names(const Body& body) { return free_set(body); }
NameSet free_names(const Lambda& lambda) { return free_set(lambda); }
std::vector<Name> free_names_in_order(const Lambda& lambda) { return free_in_order(lambda); }
std::vector<Name> free_names_in_order(const Body& body) { return free_in_order(body); }

NameSet bound_names(const std::vector<Stm>& stms) {
  NameSet names;
  for (const Stm& stm : stms) {
    for (const Param& param : stm.pattern) names.insert(param.name);
  }
  return names;
}

void substitute(Exp& exp, const Substitution& substitution) { substitute_in(exp, substitution); }
void substitute(Stm& stm, const Substitution& substitution) { substitute_in(stm, substitution); }
void substitute(Body& body, const Substitution& substitution) { substitute_in(body, substitution); }
void substitute(Lambda& lambda, const Substitution& substitution) {
  substitute_in(lambda, substitution);
}

Atom substitute(const Atom& atom, const Substitution& substitution) {
  const Name* name = name_in(atom);
  if (!name) return atom;
  const auto found = substitution.find(*name);
  return found == substitution.end() ? atom : found->second;
}

void substitute(Type& type, const Substitution& substitution) {
  for (Atom& size : type.shape) size = substitute(size, substitution);
}

void change_names(Function& function, const std::function<Name(const Name&)>& change) {
  NameChanger changer{{}, change};
  parts::visit(function, changer);
}

}  // namespace boustro::ir
