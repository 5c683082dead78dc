#include "transform/raise/unused.hpp"

#include <algorithm>

#include "transform/raise/uses.hpp"

namespace boustro::raise {
namespace {

class Remover {
 public:
  explicit Remover(Uses& uses) : uses_(uses) {}
  bool removed = false;

  void visit(ast::Exp& exp) {
    if (auto* let = node_in<ast::Let>(exp)) {
      removed |= std::erase_if(let->bindings, [&](const ast::LetBinding& binding) { return is_dead(binding); }) > 0;
      if (let->bindings.empty()) {
        ast::Exp body = std::move(*let->body);
        exp = std::move(body);
        return visit(exp);
      }
    }
    for_each_child(exp, [&](ast::Exp& child) { visit(child); });
  }

 private:
  /// An assertion binds nothing, and stays.
  bool is_dead(const ast::LetBinding& binding) {
    const auto& let = std::get<ast::LetPattern>(binding.node);
    const std::vector<std::string> names = bound_names(let.pattern);
    const auto is_unused = [&](const std::string& name) { return uses_.of(name).uses == 0; };
    const bool any_size = std::any_of(let.sizes.begin(), let.sizes.end(), [&](const auto& size) { return !is_unused(size.text); });
    return !names.empty() && !any_size && std::all_of(names.begin(), names.end(), is_unused);
  }

  Uses& uses_;
};

/// (x, y) of which nobody uses x becomes (_, y), and types of what is bound stand with its name.
class Patterns {
 public:
  explicit Patterns(Uses& uses) : uses_(uses) {}

  void visit(ast::Exp& exp) {
    if (auto* let = node_in<ast::Let>(exp)) {
      for (ast::LetBinding& binding : let->bindings) {
        auto& bound = std::get<ast::LetPattern>(binding.node);
        write(bound.pattern, true);
        type_on_left(bound);
      }
    }
    if (auto* lambda = node_in<ast::Lambda>(exp))
      for (ast::Pattern& param : lambda->params) write(param, false);
    for_each_child(exp, [&](ast::Exp& child) { visit(child); });
  }

 private:
  /// let x = e : t is let x: t = e
  static void type_on_left(ast::LetPattern& let) {
    auto* ascription = node_in<ast::Ascribe>(*let.bound);
    if (!ascription || !std::holds_alternative<ast::NamePattern>(let.pattern.node)) return;
    let.pattern = ascribed(std::move(let.pattern), std::move(ascription->type));
    ast::Exp bound = std::move(*ascription->exp);
    let.bound = std::move(bound);
  }

  void write(ast::Pattern& pattern, bool whole) {
    if (auto* tuple = std::get_if<ast::TuplePattern>(&pattern.node)) {
      for (ast::Pattern& element : tuple->elements) write(element, false);
    } else if (const std::string* name = single_name(pattern); name && !whole && is_tagged(*name) && uses_.of(*name).uses == 0) {
      if (std::holds_alternative<ast::NamePattern>(pattern.node)) pattern = wildcard();
    }
  }

  Uses& uses_;
};

}  // namespace

void remove_unused(ast::ValueDefinition& definition) {
  for (bool again = true; again;) {
    Uses uses;
    walk(definition, uses);
    Remover remover(uses);
    remover.visit(definition.body);
    again = remover.removed;
  }
}

void write_patterns(ast::ValueDefinition& definition) {
  Uses uses;
  walk(definition, uses);
  Patterns(uses).visit(definition.body);
}

}  // namespace boustro::raise
