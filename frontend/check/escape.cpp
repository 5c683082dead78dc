// Sizes that leave the scope of the names that they mention: out of functions, branches and loops.
#include <algorithm>

#include "frontend/check/checker.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/sizes.hpp"

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
// it: ([k]t, [n - k]t). An expression that mentions others becomes one as a whole.
Type Checker::without_inner_sizes(const Type& type, int mark, const std::vector<Name>& allowed,
                                  std::vector<Name>& existentials) {
  const Type resolved = inference_.resolve_all(type);
  if (std::holds_alternative<FunctionType>(resolved.node)) return resolved;
  std::vector<Name> outer = allowed;
  add_bound_names(resolved, outer);
  const auto is_inner = [&](const Name& name) {
    return !inference_.is_variable(name) && name.id >= mark && !contains(outer, name) &&
           !contains(existentials, name);
  };

  const auto new_existential = [&](const std::string& text) -> Size {
    existentials.push_back(inference_.fresh_name(text));
    return existentials.back();
  };
  Substitution bare;
  for_each_witness(resolved, [&](const Size& size) {
    const auto* name = std::get_if<Name>(&size);
    if (name && is_inner(*name) && !bare.sizes.count(name->id))
      bare.sizes.emplace(name->id, new_existential(name->text));
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
    replaced.emplace_back(size, new_existential(*inner));
    return replaced.back().second;
  };
  return rewrite(resolved, {.size = outer_size, .variable = {}});
}

std::optional<std::string> Checker::unify_up_to_sizes(const Type& a, const Type& b) {
  const Type x = inference_.resolve_all(a), y = inference_.resolve_all(b);
  if (std::holds_alternative<FunctionType>(x.node) || std::holds_alternative<FunctionType>(y.node))
    return inference_.unify(x, y);
  const TypeRewriter forget_sizes{
      .size = [&](const Size&) { return inference_.fresh_size("d", {}); }, .variable = {}};
  return inference_.unify(rewrite(x, forget_sizes), rewrite(y, forget_sizes));
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
                              for (const Difference& known : differences)
                                if (equal_sizes(known.a, size) && equal_sizes(known.b, other))
                                  return known.name;
                              existentials.push_back(inference_.fresh_name("d"));
                              differences.push_back({size, other, existentials.back()});
                              return existentials.back();
                            },
                            .variable = {}});
}

std::optional<Size> Checker::size_of(const Exp& exp) const {
  const auto size = size_of_expression(settled(exp));
  if (!size) return std::nullopt;
  return rewrite_names(*size, [&](const Name& name) -> std::optional<Size> {
    const auto found = size_definitions_.find(name.id);
    return found == size_definitions_.end() ? std::nullopt : std::optional(found->second);
  });
}

// Literals get their type, so that they can be told from others.
Exp Checker::settled(const Exp& exp) const {
  return match(
      exp.node,
      [&](const Literal& literal) -> Exp {
        const Type type = inference_.resolve(exp.type);
        const auto* prim = std::get_if<PrimType>(&type.node);
        if (!prim || !values::is_integer(*prim)) return exp;
        return {Literal{PrimValue::of_int(*prim, static_cast<std::int64_t>(literal.value.bits))},
                type, exp.at};
      },
      [&](const Attributed& attributed) { return settled(*attributed.exp); },
      [&](const Assert& assertion) { return settled(*assertion.exp); },
      [&](const Project& project) -> Exp {
        return {Project{settled(*project.record), project.field}, inference_.resolve(exp.type),
                exp.at};
      },
      [&](const Apply& apply) -> Exp {
        return {Apply{settled(*apply.function), settled(*apply.argument), apply.existentials},
                inference_.resolve(exp.type), exp.at};
      },
      [&](Var var) -> Exp {
        for (Type& type : var.type_args) type = inference_.resolve_all(type);
        for (Size& size : var.size_args) size = inference_.resolve(size);
        return {std::move(var), inference_.resolve(exp.type), exp.at};
      },
      [&](const auto&) -> Exp { return {Hole{}, exp.type, exp.at}; });
}

}  // namespace boustro::check
