// Sizes that leave the scope of the names that they mention: out of functions, branches and loops.
#include <algorithm>

#include "frontend/check/checker.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/sizes.hpp"
#include "frontend/check/traverse.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {
namespace {

bool contains(const std::vector<Name>& names, const Name& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The names that function types inside the type bind.
void add_bound_names(const Type& type, std::vector<Name>& names) {
  for_each_function(type, [&](const FunctionType& function) {
    if (function.param) names.push_back(*function.param);
    names.insert(names.end(), function.existentials.begin(), function.existentials.end());
  });
}

}  // namespace

// An inner name that is a size by itself becomes an existential one, also where other sizes mention
// it: ([k]t, [n - k]t). An expression that mentions others becomes one as a whole. If outer names
// define it, a function's type says so, and what else has the new name remembers it.
Type Checker::without_inner_sizes(const Type& type, int mark, const std::vector<Name>& allowed,
                                  std::vector<Name>& existentials, bool of_function) {
  const Type resolved = inference_.resolve_all(type);
  if (std::holds_alternative<FunctionType>(resolved.node)) return resolved;
  std::vector<Name> outer = allowed;
  add_bound_names(resolved, outer);
  const auto is_inner = [&](const Name& name) {
    return !inference_.is_variable(name) && name.id >= mark && !contains(outer, name) &&
           !contains(existentials, name);
  };

  const auto outer_definition = [&](const Size& size) -> std::optional<Size> {
    const Size defined = inference_.expanded(size);
    bool is_outer = mentions_array(defined);
    for_each_name(defined, [&](const Name& name) { is_outer = is_outer && !is_inner(name); });
    return is_outer ? std::optional(defined) : std::nullopt;
  };
  const auto new_size = [&](const std::string& text, const Size& inner) -> Size {
    const auto defined = outer_definition(inner);
    if (defined && of_function && is_lasting(*defined)) return *defined;
    existentials.push_back(inference_.fresh_name(text));
    if (defined) define(existentials.back(), *defined);
    return existentials.back();
  };
  Substitution bare;
  for_each_witness(resolved, [&](const Size& size) {
    const auto* name = std::get_if<Name>(&size);
    if (name && is_inner(*name) && !bare.sizes.count(name->id))
      bare.sizes.emplace(name->id, new_size(name->text, *name));
  });
  std::vector<std::pair<Size, Size>> replaced;
  const auto outer_size = [&](const Size& inner_size) -> Size {
    const Size size = substitute(inner_size, bare);
    std::optional<std::string> inner;
    for_each_name(size, [&](const Name& name) {
      if (is_inner(name)) inner = name.text;
    });
    if (!inner) return size;
    for (const auto& [old, known] : replaced)
      if (equal_sizes(old, size)) return known;
    replaced.emplace_back(size, new_size(*inner, size));
    return replaced.back().second;
  };
  return rewrite(resolved, {.size = outer_size, .variable = {}});
}

// A function tells no sizes before it is called, so its type may not need any that are made inside.
void Checker::check_told(const Type& result, const std::vector<Name>& existentials, int mark,
                         const std::vector<Name>& allowed, SourceRange at) {
  const Type type = inference_.resolve_all(result);
  std::vector<Name> outer = allowed, made = existentials;
  add_bound_names(type, outer);
  if (std::holds_alternative<FunctionType>(type.node))
    for_each_size(type, [&](const Size& size) {
      for_each_name(size, [&](const Name& name) {
        if (!inference_.is_variable(name) && name.id >= mark && !contains(outer, name))
          made.push_back(name);
      });
    });
  for (const Name& name : made) {
    if (tells_size(type, name)) continue;
    report(Message::hidden_size_of_function, at, name.text);
    return;
  }
}

std::optional<std::string> Checker::unify_up_to_sizes(const Type& a, const Type& b) {
  const Type x = inference_.resolve_all(a), y = inference_.resolve_all(b);
  if (std::holds_alternative<FunctionType>(x.node) || std::holds_alternative<FunctionType>(y.node))
    return inference_.unify(x, y);
  return inference_.unify(without_sizes(x), without_sizes(y));
}

Type Checker::without_sizes(const Type& type) {
  return rewrite(
      inference_.resolve_all(type),
      {.size = [&](const Size&) { return inference_.fresh_unneeded_size(); }, .variable = {}});
}

// `if c then filter p xs else ???`: what could the hole's size be?
bool Checker::is_undecided(const Size& size, const Size& other) const {
  const auto open = [&](const Size& part) -> const Name* {
    const auto* name = std::get_if<Name>(&part);
    return name && inference_.is_variable(*name) ? name : nullptr;
  };
  const Size own = inference_.resolve(size), known = inference_.resolve(other);
  return open(own) && inference_.is_unneeded(*open(own)) && !open(known);
}

Type Checker::merge(const Type& a, const Type& b, std::vector<Name>& existentials, SourceRange a_at,
                    SourceRange b_at) {
  if (const auto failure = unify_up_to_sizes(a, b)) {
    mismatch(b_at, a, b, *failure, "the other branch yields a `" + inference_.print(a) + "`", a_at);
    return a;
  }
  std::vector<Size> others;
  for_each_size(inference_.resolve_all(b), [&](const Size& size) { others.push_back(size); });
  std::size_t next = 0;
  struct Difference {
    Size a, b;
    Name name;
  };
  std::vector<Difference> differences;
  const Type resolved = inference_.resolve_all(a);
  if (std::holds_alternative<FunctionType>(resolved.node)) return resolved;
  return rewrite(resolved, {.size = [&](const Size& size) -> Size {
                              const Size& other = others.at(next++);
                              if (inference_.try_unify_branch_sizes(size, other))
                                return inference_.resolve(size);
                              if (is_undecided(size, other))
                                report(Message::ambiguous_size, a_at, inference_.print(other));
                              if (is_undecided(other, size))
                                report(Message::ambiguous_size, b_at, inference_.print(size));
                              for (const Difference& known : differences)
                                if (equal_sizes(known.a, size) && equal_sizes(known.b, other))
                                  return known.name;
                              existentials.push_back(inference_.fresh_name("d"));
                              differences.push_back({size, other, existentials.back()});
                              return existentials.back();
                            },
                            .variable = {}});
}

}  // namespace boustro::check
