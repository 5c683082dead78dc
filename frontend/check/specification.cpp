// Values of modules as module types specify them.
#include <algorithm>

#include "frontend/check/checker.hpp"
#include "frontend/check/sizes.hpp"

namespace boustro::check {
namespace {

bool may_share(const Type& type) {
  bool found = false;
  for_each_size(type, [&](const Size&) { found = true; });
  for_each_variable(type, [&](const Name&) { found = true; });
  return found;
}

/// Does each call yield at least what is said to be unique?
bool is_as_unique(const Type& actual, const Type& specified) {
  const auto* from = std::get_if<FunctionType>(&actual.node);
  const auto* to = std::get_if<FunctionType>(&specified.node);
  if (!from || !to) return true;
  if (may_share(*from->to) && !from->unique_result) {
    if (to->unique_result) return false;
    for (const std::string& field : to->unique_fields)
      if (std::find(from->unique_fields.begin(), from->unique_fields.end(), field) == from->unique_fields.end())
        return false;
  }
  return is_as_unique(*from->to, *to->to);
}

}  // namespace

std::optional<Var> Checker::as_specified(const GlobalValue& value, Scheme& specified, SourceRange at,
                                         std::string& reason) {
  Substitution open;  // a constant has the sizes that it has
  for (const Name& name : specified.anonymous) open.sizes.emplace(name.id, inference_.fresh_size(name.text, at));
  specified.type = substitute(specified.type, open);
  Exp use = instantiate(value.name, value.scheme, at, true);
  if (const auto failure = inference_.unify(specified.type, use.type)) {
    reason = *failure;
    return std::nullopt;
  }
  specified.type = inference_.resolve_all(specified.type);
  specified.anonymous.clear();
  if (!is_as_unique(inference_.resolve_all(use.type), specified.type)) {
    reason = "its result is not unique";
    return std::nullopt;
  }
  std::size_t next = 0;
  for (const TypeParam& param : value.scheme.params) {
    if (param.kind == TypeParam::Kind::size) continue;
    const Type arg = inference_.resolve_all(std::get<Var>(use.node).type_args.at(next++));
    if (param.kind != TypeParam::Kind::type || globals_.liftednesses.of(arg) == Liftedness::plain) continue;
    reason = "its type parameter `'" + param.name.text + "` is not lifted";
    return std::nullopt;
  }
  // What the specified type does not decide makes no difference.
  Var var = std::get<Var>(look_through(value, std::move(use)).node);
  for (Type& type : var.type_args)
    type = rewrite(inference_.resolve_all(type),
                   {.size = {}, .variable = [&](const Name& name) {
                      return inference_.is_variable(name) ? unit_type() : variable_type(name);
                    }});
  for (Size& size : var.size_args)
    size = rewrite_names(inference_.resolve(size), [&](const Name& name) -> std::optional<Size> {
      return inference_.is_variable(name) ? std::optional<Size>(SizeConstant(0)) : std::nullopt;
    });
  return var;
}

}  // namespace boustro::check
