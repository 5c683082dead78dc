// Forward mode: while loops that end at a fixed point.
//
// Rule      #[fixed_point] loop z = z0 while z changes do phi z x    gives    the same loop; then z_tan = 0, and
//             z_tan = dphi/dz z_tan + dphi/dx x_tan at the last z until z_tan changes no more by the loop's own measure, in units of x_tan
// Applies   as the rule of reverse mode, reverse/loop_fixed_point.cpp. What the loop starts from has no tangent: its end does not depend on it
// Cost      that of phi with tangents for each step of z_tan
// Source    [Hascoët], 4; Griewank and Walther, Evaluating Derivatives, 15
//
// Before:      def f (a: f64) (x: f64): f64 =
//                (#[fixed_point] loop (y, old) = (x, x + 1) while f64.abs (y - old) > 1e-12 do (a + 0.5 * f64.cos y, y)).0
// After jvp:   def f_jvp (a: f64) (x: f64) (a_tan: f64) (_: f64): f64 =
//                let (y, _) = loop (y, old) = (x, x + 1) while f64.abs (y - old) > 1e-12 do (a + 0.5 * f64.cos y, y)
//                in a_tan / (1 + 0.5 * f64.sin y)
#include "transform/ad/fixed_point.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// Tangents of what the step reads besides the state.
std::vector<Atom> tangents_of_parameters(const Forward& f, const Lambda& step) {
  std::vector<Atom> tangents;
  for (const Name& name : free_names_in_order(step.body))
    if (f.has_tangent(name)) tangents.push_back(f.tangents.at(name));
  return tangents;
}

/// dphi/dz z_tan + dphi/dx x_tan.
Body next_tangent(Forward& f, const Stm& stm, const FixedPoint& fixed_point, const Lambda& step, const std::vector<Name>& z_tan) {
  Builder b = f.builder(stm, "forward_loop_fixed_point");
  bind_converged(b, stm, step);
  f.activity.analyse(step.body.stms);
  for (std::size_t k = 0; k < z_tan.size(); ++k) {
    const Param& z = step.params[fixed_point.state[k]];
    f.activity.add_input(z.name);
    f.activity.add_result(step.body.result[k]);
    f.tangents.insert_or_assign(z.name, z.unique ? fresh_copy(b, z_tan[k].base, z_tan[k]) : Atom(z_tan[k]));
  }
  forward_stms(f, b, step.body.stms);
  Body body;
  for (const Atom& next : step.body.result) {
    const Atom tangent = f.tangent(b, next);
    body.result.push_back(fresh_copy(b, "tangent", tangent));
  }
  body.stms = std::move(b.stms);
  return body;
}

}  // namespace

void forward_fixed_point(Forward& f, Builder& builder, const Stm& stm) {
  const Loop& loop = std::get<Loop>(stm.exp);
  const FixedPoint fixed_point = fixed_point_of(f.derivation, stm, [&](const Name& name) { return f.activity.active(name); });
  builder.add(stm);
  Builder b = f.builder(stm, "forward_loop_fixed_point");
  const Lambda step = step_of(f.names, loop, fixed_point);
  LinearFixedPoint linear;
  for (const std::size_t i : fixed_point.state) {
    const Param& z = stm.pattern[i];
    linear.bases.push_back(tan_name(z.name));
    linear.start.push_back(zeros(b, tan_name(z.name), f.tangent_type(z.type)));
  }
  linear.scale = magnitude(b, stm.pattern[fixed_point.state[0]].type.elem, tangents_of_parameters(f, step));
  linear.next = [&](const std::vector<Name>& z_tan) { return next_tangent(f, stm, fixed_point, step, z_tan); };
  const std::vector<Name> solved = solve(b, stm, fixed_point, f.seed_shape, linear);
  for (std::size_t k = 0; k < solved.size(); ++k) f.tangents.insert_or_assign(stm.pattern[fixed_point.state[k]].name, Atom(solved[k]));
  builder.add(b.stms);
}

}  // namespace boustro::ad
