// Making sizes equal: by binding variables, by the laws of arithmetic, or by what names stand for.
#include <algorithm>

#include <fmt/format.h>

#include "frontend/check/inference.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/polynomial.hpp"
#include "frontend/check/sizes.hpp"

namespace boustro::check {

bool Inference::unify_sizes(const Size& left, const Size& right) {
  const Size a = resolve(left), b = resolve(right);
  if (std::holds_alternative<AnySize>(a) || std::holds_alternative<AnySize>(b)) return true;
  const auto* a_name = std::get_if<Name>(&a);
  const auto* b_name = std::get_if<Name>(&b);
  if (equal_sizes(a, b)) return true;
  const bool a_open = a_name && is_variable(*a_name), b_open = b_name && is_variable(*b_name);
  if (a_open && !(b_open && b_name->id > a_name->id)) return bind(*a_name, b);
  if (b_open) return bind(*b_name, a);
  if (!definitions_.empty() && equal_sizes(expanded(a), expanded(b))) return true;
  if (unify_computed_sizes(taken_apart(a), taken_apart(b))) return true;
  return fail(fmt::format("sizes `{}` and `{}` are not known to be equal", print(a), print(b)));
}

Size Inference::taken_apart(const Size& size) const {
  const auto* name = std::get_if<Name>(&size);
  const auto found = name ? definitions_.find(name->id) : definitions_.end();
  return found != definitions_.end() && found->second.lasts ? found->second.size : size;
}

bool Inference::unify_computed_sizes(const Size& a, const Size& b) {
  const auto* x = std::get_if<SizeExp>(&a);
  const auto* y = std::get_if<SizeExp>(&b);
  if (!x || !y) return false;
  const auto is_open = [&](const Name& name) { return is_variable(name); };
  if (const auto solution = Polynomial::solve(Polynomial(a), Polynomial(b), is_open))
    return bind(solution->first, solution->second);
  return unify_size_expressions(*x->exp, *y->exp);
}

bool Inference::unify_size_expressions(const Exp& a, const Exp& b) {
  const auto size_a = size_of_expression(a), size_b = size_of_expression(b);
  for (const auto* size : {&size_a, &size_b}) {
    if (!*size) continue;
    const auto* name = std::get_if<Name>(&**size);
    if (name && is_variable(*name) && size_a && size_b) return unify_sizes(*size_a, *size_b);
  }
  const auto* x = std::get_if<Apply>(&a.node);
  const auto* y = std::get_if<Apply>(&b.node);
  if (!x || !y) return equal_size_expressions(a, b);
  return unify_size_expressions(*x->function, *y->function) &&
         unify_size_expressions(*x->argument, *y->argument);
}

bool Inference::bind(const Name& name, const Size& size) {
  bool occurs = false, leaves = false;
  for_each_name(size, [&](const Name& other) { occurs = occurs || other == name; });
  if (occurs) return fail(fmt::format("the size `{}` would contain itself", print(size)));
  for_each_name(size, [&](const Name& other) { leaves = leaves_scope(name, other) || leaves; });
  if (leaves) return false;
  const Variable before = variable(name);
  change(name).size = size;
  const auto* other = std::get_if<Name>(&size);
  if (!other || !is_variable(*other)) return true;
  Variable& target = change(*other);
  target.loop_size = target.loop_size || before.loop_size;
  target.unneeded = target.unneeded && before.unneeded;
  return true;
}

}  // namespace boustro::check
