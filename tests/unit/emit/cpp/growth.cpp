// How the sum of all final sizes of logistic growth depends on every rate; all states of a
// trajectory are kept.
#include "../shorthand.hpp"
#include "exemplars.hpp"

namespace exemplars {
namespace {

const Expr n = var("n"), steps = var("steps"), i = var("i"), s = var("s");
const Expr y = var("y", f64), r = var("r", f64), y_adj = var("y_adj", f64),
           r_adj = var("r_adj", f64);
const Expr ys = var("ys", pointer_to(f64));

Expr f(double value) { return lit_float(value, f64); }

Function step() {
  return {.name = "grow_step",
          .comment = {.formula = {"One Euler step: the body of the loop in `grow`."},
                      .source = "growth.fut:4"},
          .result = type(f64),
          .params = {{"y", type(f64)}, {"r", type(f64)}},
          .body = {Return{y + f(0.01) * r * y * (f(1) - y)}}};
}

Entry entry() {
  For forward = count_up("s", type(i64), steps,
                         {Assign{ys[s], y}, Assign{y, call("grow_step", type(f64), {y, r})}});
  For back{.name = "s",
           .type = type(i64),
           .from = steps - 1,
           .to = lit(0),
           .down = true,
           .body = {Assign{y, ys[s]}, Assign{r_adj, f(0.01) * y * (f(1) - y) * y_adj, Op::add},
                    Assign{y_adj, f(0.01) * r * (f(1) - f(2) * y) * y_adj, Op::add}}};
  For trajectories =
      count_up("i", type(i64), n,
               {let("r", var("rs", const_pointer_to(f64))[i]),
                Stm(variable("y", var("y0s", const_pointer_to(f64))[i]))
                    .with_above("Forward sweep.")
                    .after_gap(),
                forward, Stm(variable("r_adj", f(0))).with_above("Return sweep.").after_gap(),
                variable("y_adj", f(1)), back, Assign{var("rs_adj", pointer_to(f64))[i], r_adj}});
  return {
      .name = "growth_gradient",
      .doc = {"How the sum of all final sizes depends on every rate."},
      .source = "growth.fut:6",
      .order_note = "The result is the same, bit by bit, in every run.",
      .params = {array("rs_adj", pointer_to(f64), {"n"}, Access::written),
                 {"steps", type(i64), {}, Access::value, "number of Euler steps; none if negative"},
                 array("rs", const_pointer_to(f64), {"n"}),
                 array("y0s", const_pointer_to(f64), {"n"}),
                 size("n")},
      .rejects = {{n < 0}},
      .prologue = {Assign{steps, runtime::max(steps, lit(0))}},
      .scratch = {.name = "GrowthGradientScratch",
                  .params = {size("steps")},
                  .pieces = {{"ys", type(f64), steps, {"steps"}}}},
      .body = {let("ys", scratch_field("ys", pointer_to(f64))), trajectories},
      .definitions = {step()}};
}

}  // namespace

Program growth() {
  return {
      .target = Target::cpu,
      .name = "growth",
      .name_space = "growth",
      .source = "growth.fut",
      .head =
          {"  growth_gradient [n] (steps: i64) (rs: [n]f64) (y0s: [n]f64) : [n]f64\tgrowth.fut:6"},
      .entries = {entry()}};
}

}  // namespace exemplars
