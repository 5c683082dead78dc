// jvp, vjp and their relatives, over the leaves of arguments and results. Integers and bools are
// among them: a tangent or adjoint has the type of its value.
#include "transform/lower/application.hpp"
#include "transform/lower/intrinsics/intrinsics.hpp"

namespace boustro::lower {
namespace {

/// [k] for jmp2 and mjp2.
std::optional<Atom> seeds(const Use& use) {
  if (use.closure.size_args.empty()) return std::nullopt;
  return use.size(0);
}

Type seeded(const Use& use, const Type& type) {
  const auto k = seeds(use);
  return k ? array_of(*k, type) : type;
}

ir::Shape seed_shape(const Use& use) {
  const auto k = seeds(use);
  return k ? ir::Shape{*k} : ir::Shape{};
}

/// Primal results and derivatives, as a pair.
Value pair_of(const Type& first, const Type& second, const std::vector<ir::Name>& names) {
  const auto middle = names.begin() + static_cast<std::ptrdiff_t>(leaves_of(first).size());
  return tuple(
      {from_leaves(first, {names.begin(), middle}), from_leaves(second, {middle, names.end()})});
}

std::vector<std::string> bases(const ir::Lambda& fn, std::size_t derivatives,
                               const char* derivative) {
  std::vector<std::string> result(fn.result_types.size(), "y");
  result.insert(result.end(), derivatives, derivative);
  return result;
}

/// Values and derivatives of one shape have the same names for its sizes: a printed program may have several that it knows to be equal.
std::vector<Atom> of_one_shape(Context& context, const Value& value, const Type& type) {
  const Setting coerces(context.printed, false);
  return leaves_as(context, value, type);
}

}  // namespace

Value lower_jvp(Context& context, const Use& use) {
  const Type &a = use.type(0), &b = use.type(1);
  ir::Jvp jvp;
  jvp.args = of_one_shape(context, use.arg(1), a);
  jvp.tangents = of_one_shape(context, use.arg(2), seeded(use, a));
  jvp.fn = lower_to_lambda(context, use.arg(0), {a}, b);
  jvp.seed_shape = seed_shape(use);
  const auto all = bases(jvp.fn, jvp.fn.result_types.size(), "y_tan");
  return pair_of(b, b, context.emit_all(all, std::move(jvp)));
}

Value lower_vjp(Context& context, const Use& use) {
  const Type &a = use.type(0), &b = use.type(1);
  ir::Vjp vjp;
  vjp.args = of_one_shape(context, use.arg(1), a);
  vjp.adjoints = of_one_shape(context, use.arg(2), seeded(use, b));
  vjp.fn = lower_to_lambda(context, use.arg(0), {a}, b);
  vjp.seed_shape = seed_shape(use);
  auto all = bases(vjp.fn, 0, "");
  for (const ir::Param& param : vjp.fn.params) all.push_back(context.called(param.name) + "_adj");
  return pair_of(b, a, context.emit_all(all, std::move(vjp)));
}

Value lower_with_vjp(Context& context, const Use& use) {
  const Type &a = use.type(0), &b = use.type(1);
  ir::WithVjp with_vjp;
  with_vjp.args = of_one_shape(context, use.arg(2), a);
  with_vjp.fn = lower_to_lambda(context, use.arg(0), {a}, b);
  with_vjp.vjp = lower_to_lambda(context, use.arg(1), {b, b}, a);
  const auto result_bases = bases(with_vjp.fn, 0, "");  // before the function moves
  const auto names = context.emit_all(result_bases, std::move(with_vjp));
  return from_leaves(b, {names.begin(), names.end()});
}

}  // namespace boustro::lower
