// The gradient of many trajectories of logistic growth, their loop strip-mined.
#include "exemplars.hpp"
#include "../shorthand.hpp"

namespace exemplars {
namespace {

const Expr n = var("n"), i = var("i"), j = var("j"), steps = var("steps");
const Expr chunk = var("chunk"), chunks = var("chunks"), chunk_size = var("chunk_size"),
           length = var("length");
const Expr thread = var("thread"), threads = var("threads");
const Expr y = var("y", f64), r = var("r", f64), y_adj = var("y_adj", f64),
           r_adj = var("r_adj", f64);
const Expr chunk_starts = var("chunk_starts", pointer_to(f64)), ys = var("ys", pointer_to(f64));

Expr f(double value) { return lit_float(value, f64); }
Expr in(const char* name) { return var(name, const_pointer_to(f64)); }
Expr out(const char* name) { return var(name, pointer_to(f64)); }

Function grow_step() {
  return {.name = "grow_step",
          .comment = {.formula = {"One Euler step: the body of the loop in `grow`."},
                      .source = "ode.fut:4"},
          .result = type(f64),
          .params = {{"y", type(f64)}, {"r", type(f64)}},
          .body = {Return{y + f(0.01) * r * y * (f(1) - y)}}};
}

Assign step() { return Assign{y, call("grow_step", type(f64), {y, r})}; }

Let chunk_length() { return let("length", runtime::min(chunk_size, steps - chunk * chunk_size)); }

Stms forward_sweep() {
  return {Stm(variable("y", in("y0s")[i])).with_above("Forward sweep.").after_gap(),
          count_up("chunk", type(i64), chunks,
                   {Assign{chunk_starts[chunk * threads + thread], y}, chunk_length(),
                    count_up("j", type(i64), length, {step()})})};
}

Stms return_sweep() {
  For again = count_up("j", type(i64), length, {Assign{ys[j * threads + thread], y}, step()});
  For back{.name = "j",
           .type = type(i64),
           .from = length - 1,
           .to = lit(0),
           .down = true,
           .body = {Assign{y, ys[j * threads + thread]},
                    Assign{r_adj, f(0.01) * y * (f(1) - y) * y_adj, Op::add},
                    Assign{y_adj, f(0.01) * r * (f(1) - f(2) * y) * y_adj, Op::add}}};
  For over_chunks{
      .name = "chunk",
      .type = type(i64),
      .from = chunks - 1,
      .to = lit(0),
      .down = true,
      .body = {chunk_length(),
               Stm(Assign{y, chunk_starts[chunk * threads + thread]})
                   .with_above("Run the chunk again, keeping every y.")
                   .after_gap(),
               again,
               Stm(back).with_above("Return sweep of `y + 0.01 * r * y * (1 - y)`.").after_gap()}};
  return {Stm(variable("r_adj", f(0))).with_above("Return sweep.").after_gap(),
          variable("y_adj", f(1)), over_chunks, Stm(Assign{out("rs_adj")[i], r_adj}).after_gap(),
          Assign{out("y0s_adj")[i], y_adj}};
}

Kernel kernel() {
  Stms body{let("r", in("rs")[i])};
  for (const Stms& part : {forward_sweep(), return_sweep()})
    body.insert(body.end(), part.begin(), part.end());
  For over_trajectories{
      .name = "i", .type = type(i64), .from = thread, .to = n, .step = threads, .body = body};
  const Type output = restricted(pointer_to(f64)), input = restricted(const_pointer_to(f64));
  const Expr blocks = cast(i64, position(Position::grid_width_x)),
             block = cast(i64, position(Position::block_x));
  return {.name = "growth_gradient_kernel",
          .comment =
              {.formula =
                   {"(rs_adj[i], y0s_adj[i]) = adjoints of the rate and the start of trajectory i"},
               .source = "ode.fut:8, both sweeps of `map2 (grow steps) rs y0s`",
               .rules = {"reverse_map", "reverse_loop, strip-mined",
                         "the adjoint of `f64.sum` is 1 for every element"},
               .grid = "threads stride over i, since each needs scratch; [...][threads] keeps the "
                       "accesses of "
                       "neighbouring threads side by side"},
          .params = {array("rs_adj", output, {"n"}, Access::written),
                     array("y0s_adj", output, {"n"}, Access::written),
                     array("chunk_starts", output, {"chunks", "threads"}, Access::scratch),
                     array("ys", output, {"chunk_size", "threads"}, Access::scratch),
                     array("rs", input, {"n"}), array("y0s", input, {"n"}), size("steps"),
                     size("chunks"), size("chunk_size"), size("n")},
          .body = {let("threads", blocks * runtime::block_size()),
                   let("thread", block * runtime::block_size() + position(Position::thread_x)),
                   Stm(over_trajectories).after_gap()}};
}

/// ceil(sqrt(steps))
Expr root() {
  const Expr steps_f64 = intrinsic(boustro::ir::MathFn::sqrt, f64, type(f64), {cast(f64, steps)});
  return cast(i64, intrinsic(boustro::ir::MathFn::ceil, f64, type(f64), {steps_f64}));
}

Scratch scratch() {
  const Expr all_threads = cast(i64, var("grid_size", PrimType::u32)) * runtime::block_size();
  const Expr blocks = runtime::blocks_for(runtime::min(n, runtime::max_threads()),
                                          cast(i64, runtime::block_size()));
  const Expr chunk_count =
      select(equal(steps, lit(0)), lit(0), (steps + chunk_size - 1) / chunk_size);
  return {.name = "GrowthGradientScratch",
          .params = {size("steps"), size("n")},
          .sizes = {let("grid_size", blocks), let("chunk_size", root()), let("chunks", chunk_count),
                    let("threads", all_threads)},
          .pieces = {{"chunk_starts", type(f64), chunks * threads, {"chunks", "threads"}},
                     {"ys", type(f64), chunk_size * threads, {"chunk_size", "threads"}}}};
}

Entry entry() {
  const auto buffer = [](const char* name) { return scratch_field(name, pointer_to(f64)); };
  const Extents grid{scratch_field("grid_size", type(PrimType::u32))};
  const Launch launch{
      "growth_gradient_kernel",
      grid,
      {runtime::block_size()},
      {},
      {out("rs_adj"), out("y0s_adj"), buffer("chunk_starts"), buffer("ys"), in("rs"), in("y0s"),
       steps, scratch_field("chunks", type(i64)), scratch_field("chunk_size", type(i64)), n}};
  return {
      .name = "growth_gradient",
      .doc = {"How the sum of all final sizes depends on every rate and every start."},
      .source = "ode.fut:6",
      .order_note = "The result is the same, bit by bit, in every run on one device.",
      .params = {array("rs_adj", pointer_to(f64), {"n"}, Access::written),
                 array("y0s_adj", pointer_to(f64), {"n"}, Access::written),
                 {"steps", type(i64), {}, Access::value, "number of Euler steps; none if negative"},
                 array("rs", const_pointer_to(f64), {"n"}),
                 array("y0s", const_pointer_to(f64), {"n"}),
                 size("n")},
      .rejects = {{n < 0}},
      .prologue = {Stm(Assign{steps, runtime::max(steps, lit(0))})
                       .with_beside("a loop `for _i < steps` does not run for negative steps")},
      .scratch = scratch(),
      .body = {Stm(If{equal(n, lit(0)), {Return{}}})
                   .with_beside("the results have no elements; CUDA rejects an "
                                "empty grid"),
               Stm(launch).after_gap()},
      .definitions = {grow_step()},
      .kernels = {kernel()}};
}

}  // namespace

Program ode() {
  return {
      .target = Target::gpu,
      .name = "ode",
      .name_space = "ode",
      .source = "ode.fut",
      .head =
          {"  growth_gradient [n] (steps: i64) (rs: [n]f64) (y0s: [n]f64) : ([n]f64, [n]f64)",
           "    = vjp (\\(rs, y0s) -> f64.sum (map2 (grow steps) rs y0s)) (rs, y0s) 1\tode.fut:8",
           "",
           "The derivative, rule by rule (`boustro derive ode.fut` prints it as a program), for "
           "each i:",
           "",
           "  forward  y[0] = y0s[i];  y[s + 1] = y[s] + 0.01 * r * y[s] * (1 - y[s]),  where r = "
           "rs[i]",
           "  return   y_adj = 1, r_adj = 0\treverse_reduce_add",
           "           for s = steps - 1, ..., 0:\treverse_loop",
           "             r_adj += 0.01 * y[s] * (1 - y[s]) * y_adj\treverse_scalar, d/dr",
           "             y_adj += 0.01 * r * (1 - 2 * y[s]) * y_adj\treverse_scalar, d/dy",
           "           rs_adj[i] = r_adj, y0s_adj[i] = y_adj\treverse_map", "",
           "#[stripmine(2)]: `steps` is split into chunks of ceil(sqrt(steps)). A thread keeps y "
           "at the start "
           "of each chunk and every y of one chunk, 2 * sqrt(steps) values, and runs each step "
           "forwards "
           "twice."},
      .entries = {entry()}};
}

}  // namespace exemplars
