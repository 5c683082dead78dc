// Sizes that expressions spell. One that is computed from arrays, such as `ks[0]`, gets a name
// where it is used as a size, and the name a definition to compare it by: see Inference::define.
#include <algorithm>

#include "frontend/check/checker.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/sizes.hpp"
#include "frontend/check/traverse.hpp"

namespace boustro::check {

std::optional<Size> Checker::size_of(const Exp& exp) const {
  const auto size = any_size_of(exp);
  return size && !mentions_array(*size) ? size : std::nullopt;
}

std::optional<Size> Checker::any_size_of(const Exp& exp) const {
  const Exp known = settled(exp);
  if (!is_settled(known)) return std::nullopt;
  const auto size = size_of_expression(known);
  if (!size) return std::nullopt;
  return rewrite_names(*size, [&](const Name& name) -> std::optional<Size> {
    const auto found = size_definitions_.find(name.id);
    return found == size_definitions_.end() ? std::nullopt : std::optional(found->second);
  });
}

void Checker::define(const Name& name, const Exp& exp) {
  if (const auto size = any_size_of(exp); size && mentions_array(*size)) define(name, *size);
}
void Checker::define(const Name& name, const Size& size) {
  inference_.define(name, size, is_lasting(size));
}

// Does inference know which overload and which literal each part is?
bool Checker::is_settled(const Exp& exp) const {
  bool settled = true;
  const auto is_known = [&](const Name& name) {
    settled = settled && !inference_.is_variable(name);
  };
  if (std::holds_alternative<Literal>(exp.node)) for_each_variable(exp.type, is_known);
  const auto* var = std::get_if<Var>(&exp.node);
  if (var && is_intrinsic(var->name) && class_of(intrinsic_of(var->name)) != TypeClass::any)
    for (const Type& type : var->type_args) for_each_variable(type, is_known);
  for_each_child(exp, [&](const Exp& child) { settled = settled && is_settled(child); });
  return settled;
}

// Of whatever type a literal is, it means the same element.
Exp Checker::settled_index(const Exp& exp) const {
  const auto* literal = std::get_if<Literal>(&exp.node);
  if (!literal) return settled(exp);
  return {Literal{PrimValue::of_int(PrimType::i64, static_cast<std::int64_t>(literal->value.bits))},
          i64(), exp.at};
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
        return {Project{settled(*project.record), project.field}, inference_.resolve_all(exp.type),
                exp.at};
      },
      [&](const Apply& apply) -> Exp {
        return {Apply{settled(*apply.function), settled(*apply.argument), apply.existentials},
                inference_.resolve_all(exp.type), exp.at};
      },
      [&](const Index& index) -> Exp {
        std::vector<DimIndex> indices;
        for (const DimIndex& i : index.indices) {
          const auto* element = std::get_if<Box<Exp>>(&i);
          if (!element) return {Hole{}, exp.type, exp.at};
          indices.push_back(Box<Exp>(settled_index(**element)));
        }
        return {Index{settled(*index.array), std::move(indices), {}},
                inference_.resolve_all(exp.type), exp.at};
      },
      [&](Var var) -> Exp {
        for (Type& type : var.type_args) type = inference_.resolve_all(type);
        for (Size& size : var.size_args) size = inference_.resolve(size);
        return {std::move(var), inference_.resolve_all(exp.type), exp.at};
      },
      [&](const auto&) -> Exp { return {Hole{}, exp.type, exp.at}; });
}

// What parameters are not said to consume stays as long as they do.
void Checker::remember_lasting(const Pattern& param) {
  if (param.unique) return;
  for_each_binding(param, [&](const Name& name, const Pattern& binding) {
    if (!binding.unique) lasting_.insert(name.id);
  });
}
bool Checker::is_lasting(const Size& size) const {
  bool lasts = true;
  for_each_array(size, [&](const Name& name) { lasts = lasts && lasting_.count(name.id) > 0; });
  return lasts;
}

// The sizes in the type of a result that mention arrays. A value tells what they are; before a
// function is applied further they must be computed, which `lets` does if all that they depend on
// is known by then.
Type Checker::name_sizes(const Type& result, std::vector<Name>& existentials,
                         std::vector<std::pair<Name, Exp>>& lets) {
  const bool is_function = std::holds_alternative<FunctionType>(result.node);
  std::set<int> bound;
  for_each_function(result, [&](const FunctionType& function) {
    if (function.param) bound.insert(function.param->id);
    for (const Name& name : function.existentials) bound.insert(name.id);
  });
  return rewrite(result, {.size = [&](const Size& size) -> Size {
                            bool is_bound = false;
                            for_each_name(size, [&](const Name& name) {
                              is_bound = is_bound || bound.count(name.id) > 0 ||
                                         (is_function && inference_.is_variable(name));
                            });
                            if (!mentions_array(size) || is_bound) return size;
                            const Name name = inference_.fresh_name("k");
                            define(name, size);
                            if (is_function)
                              lets.emplace_back(name, expression_of_size(size));
                            else
                              existentials.push_back(name);
                            return name;
                          },
                          .variable = {}});
}

}  // namespace boustro::check
