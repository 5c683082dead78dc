#include "frontend/check/inference.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/check/match.hpp"
#include "frontend/check/sizes.hpp"

namespace boustro::check {

PrimSet prims_of(TypeClass type_class) {
  constexpr PrimSet integers = 0xff,
                    floats = bit_of(PrimType::f16) | bit_of(PrimType::f32) | bit_of(PrimType::f64);
  switch (type_class) {
    case TypeClass::numeric:
      return integers | floats;
    case TypeClass::integral:
      return integers;
    case TypeClass::floating:
      return floats;
    case TypeClass::logical:
      return integers | bit_of(PrimType::boolean);
    case TypeClass::ordered:
      return integers | floats | bit_of(PrimType::boolean);
    default:
      return no_prims;
  }
}

// ---- Variables

Name Inference::fresh_name(std::string text) {
  levels_.push_back(level_);
  return {std::move(text), static_cast<int>(levels_.size()) - 1};
}
Name Inference::name_of_calls(const std::string& text) const {
  levels_.push_back(level_of_calls);
  return {text, static_cast<int>(levels_.size()) - 1};
}
bool Inference::is_size_of_calls(const Name& name) const {
  return !is_variable(name) && name.id >= 0 && levels_[std::size_t(name.id)] == level_of_calls;
}

Name Inference::new_variable(Variable variable) {
  variable.level = level_;
  variables_.push_back(std::move(variable));
  return {variables_.back().text, first_variable + static_cast<int>(variables_.size()) - 1};
}
Type Inference::fresh_type(SourceRange at, Constraint constraint) {
  return variable_type(new_variable(
      {.text = "t", .at = at, .type = {}, .size = {}, .constraint = std::move(constraint)}));
}
Size Inference::fresh_size(const std::string& text, SourceRange at) {
  return new_variable({.text = text, .at = at, .type = {}, .size = {}, .constraint = {}});
}
Size Inference::fresh_loop_size(const std::string& text, SourceRange at) {
  return new_variable(
      {.text = text, .at = at, .loop_size = true, .type = {}, .size = {}, .constraint = {}});
}
Size Inference::fresh_unneeded_size() {
  return new_variable(
      {.text = "d", .at = {}, .unneeded = true, .type = {}, .size = {}, .constraint = {}});
}

const Constraint& Inference::constraint_of(const Name& name) const {
  return variable(name).constraint;
}
void Inference::add_constrained(const Name& name, std::set<int>& ids) const {
  const Type type = resolve(variable_type(name));
  const auto* open = std::get_if<TypeVariable>(&type.node);
  if (!open || !is_variable(open->name)) return;
  const auto add = [&](const Type& part) {
    for_each_variable(resolve_all(part), [&](const Name& mentioned) {
      if (is_variable(mentioned) && ids.insert(mentioned.id).second)
        add_constrained(mentioned, ids);
    });
  };
  const Constraint& constraint = variable(open->name).constraint;
  for (const Field& field : constraint.fields) add(field.type);
  for (const Constructor& constructor : constraint.constructors)
    for (const Type& payload : constructor.payload) add(payload);
}
bool Inference::is_loop_size(const Name& name) const { return variable(name).loop_size; }
SourceRange Inference::origin_of(const Name& name) const { return variable(name).at; }
const std::string& Inference::text_of(const Name& name) const { return variable(name).text; }
void Inference::solve(const Name& name, Type type) { change(name).type = std::move(type); }
void Inference::solve(const Name& name, Size size) { change(name).size = std::move(size); }

Inference::Variable& Inference::change(const Name& name) {
  Variable& changed = variable(name);
  if (trail_) trail_->emplace_back(name.id, changed);
  return changed;
}

Type Inference::resolve(const Type& type) const {
  const Type* at = &type;
  while (const auto* name = std::get_if<TypeVariable>(&at->node)) {
    if (!is_variable(name->name) || !variable(name->name).type) break;
    at = &*variable(name->name).type;
  }
  return *at;
}
Type Inference::resolve_all(const Type& type) const {
  std::vector<Name> existentials;
  TypeRewriter rewriter{.size = [&](const Size& size) { return resolve(size); },
                        .variable = {},
                        .existentials = has_existential_solutions_ ? &existentials : nullptr};
  rewriter.variable = [&](const Name& name) {
    if (!is_variable(name) || !variable(name).type) return variable_type(name);
    // Where the variable occurs several times, each value has sizes of its own.
    Substitution again;
    for (const Name& size : variable(name).existentials) {
      const bool is_first =
          std::find(existentials.begin(), existentials.end(), size) == existentials.end();
      existentials.push_back(is_first ? size : name_of_calls(size.text));
      if (!is_first) again.sizes.emplace(size.id, existentials.back());
    }
    return substitute(rewrite(*variable(name).type, rewriter), again);
  };
  return rewrite(type, rewriter);
}
Size Inference::resolve(const Size& size) const {
  return rewrite_names(size, [&](const Name& name) -> std::optional<Size> {
    if (!is_variable(name) || !variable(name).size) return std::nullopt;
    return resolve(*variable(name).size);
  });
}

Size Inference::expanded(const Size& size) const {
  return rewrite_names(resolve(size), [&](const Name& name) -> std::optional<Size> {
    const auto found = definitions_.find(name.id);
    if (found == definitions_.end()) return std::nullopt;
    return expanded(found->second.size);
  });
}

// ---- Printing

// What is known of it, in a word.
std::string Inference::text_of_open(const Name& name) const {
  const PrimSet prims = variable(name).constraint.prims;
  if (prims == no_prims) return "_";
  if (!(prims & ~prims_of(TypeClass::floating))) return "float";
  return prims & prims_of(TypeClass::floating) ? "number" : "integer";
}

std::string Inference::print(const Type& type) const {
  const Type shown =
      rewrite(resolve_all(type), {.size = [&](const Size& size) -> Size {
                                    const auto* name = std::get_if<Name>(&size);
                                    return name && is_variable(*name) ? Size(AnySize{}) : size;
                                  },
                                  .variable = [&](const Name& name) -> Type {
                                    if (!is_variable(name)) return variable_type(name);
                                    return variable_type({text_of_open(name), -1});
                                  }});
  return to_string(shown);
}
std::string Inference::print(const Size& size) const { return to_string(resolve(size)); }

}  // namespace boustro::check
