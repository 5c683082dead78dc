// The gradient of the k-means cost.
#include <cmath>

#include "exemplars.hpp"
#include "../shorthand.hpp"

namespace exemplars {

using namespace boustro::plan;

namespace {

constexpr PrimType u32 = PrimType::u32;

// ---- Parameters

Param nearest_out() {
  return array("nearest", restricted(pointer_to(i32)), {"n"}, Access::written);
}
Param nearest_in() { return array("nearest", restricted(const_pointer_to(i32)), {"n"}); }
Param centres_adj() {
  return array("centres_adj", restricted(pointer_to(f32)), {"k", "d"}, Access::added_to);
}
Param points() { return array("points", restricted(const_pointer_to(f32)), {"n", "d"}); }
Param centres() { return array("centres", restricted(const_pointer_to(f32)), {"k", "d"}); }

// ---- Variables

const Expr n = var("n"), i = var("i"), k = var("k", i32), d = var("d", i32), j = var("j", i32),
           t = var("t", i32);
const Expr points_in = var("points", const_pointer_to(f32)),
           centres_in = var("centres", const_pointer_to(f32));
const Expr nearest = var("nearest", const_pointer_to(i32));
const Expr thread = var("thread", i32), cell = var("cell", i32),
           block_adj = var("block_adj", pointer_to(f32));

// ---- Kernels

Kernel nearest_kernel() {
  const Expr difference = var("difference", f32), dist = var("dist", f32),
             min_dist = var("min_dist", f32);
  const Expr point = var("point", const_pointer_to(f32)), argmin = var("argmin", i32);
  const For add_squares = count_up("t", type(i32), d,
                                   {let("difference", point[t] - centres_in[j * d + t]),
                                    Assign{dist, difference * difference, Op::add}});
  const If keep{dist < min_dist, {Assign{min_dist, dist}, Assign{argmin, j}}};
  const Let first_point{"point", const_pointer_to(f32), points_in + i * d};
  return {
      .name = "nearest_kernel",
      .comment =
          {.formula = {"nearest[i] = argmin_j sum_t (points[i, t] - centres[j, t])^2"},
           .source = "kmeans.fut:9, forward sweep of `map (\\p -> f32.minimum ...) points`",
           .rules =
               {"reverse_reduce_min: only the first minimum receives an adjoint. -1 stands for the "
                "neutral element: no centre, or no distance below infinity"},
           .grid = "one thread per point i"},
      .params = {nearest_out(), points(), centres(), size("n"), size("k", i32), size("d", i32)},
      .body = {
          let("i", cast(i64, position(Position::block_x)) * runtime::block_size() +
                       position(Position::thread_x)),
          If{i >= n, {Return{}}}, Stm(first_point).after_gap(),
          variable("min_dist", lit_float(INFINITY, f32)), variable("argmin", lit(-1, i32)),
          count_up("j", type(i32), k, {variable("dist", lit_float(0, f32)), add_squares, keep}),
          Assign{var("nearest", pointer_to(i32))[i], argmin}}};
}

Function add_centres_adj() {
  const Expr adj = var("adj", pointer_to(f32)), first_i = var("first_i"),
             stride_i = var("stride_i");
  const Expr first_t = var("first_t", i32), stride_t = var("stride_t", i32);
  const auto wide = [](Position which) { return cast(i64, position(which)); };
  const Expr term = lit_float(-2, f32) * (points_in[i * d + t] - centres_in[j * d + t]);
  For along_row{.name = "t",
                .type = type(i32),
                .from = first_t,
                .to = d,
                .step = stride_t,
                .body = {Atomic{AtomicKind::add, adj[j * d + t], term}}};
  For along_points{.name = "i",
                   .type = type(i64),
                   .from = first_i,
                   .to = n,
                   .step = stride_i,
                   .body = {let("j", nearest[i]), If{j < 0, {Continue{}}}, along_row}};
  return {
      .name = "add_centres_adj",
      .comment =
          {.formula =
               {"adj[nearest[i], t] += -2 * (points[i, t] - centres[nearest[i], t]), the pairs (i, "
                "t) "
                "being shared out over the grid: i to blockIdx.x and threadIdx.y, t to blockIdx.y "
                "and threadIdx.x."}},
      .params = {array("adj", pointer_to(f32), {"k", "d"}, Access::added_to),
                 array("points", const_pointer_to(f32), {"n", "d"}),
                 array("centres", const_pointer_to(f32), {"k", "d"}),
                 array("nearest", const_pointer_to(i32), {"n"}), size("n"), size("d", i32)},
      .body = {
          let("first_i", wide(Position::block_x) * position(Position::block_width_y) +
                             position(Position::thread_y)),
          let("stride_i", wide(Position::grid_width_x) * position(Position::block_width_y)),
          let("first_t", cast(i32, position(Position::block_y) * position(Position::block_width_x) +
                                       position(Position::thread_x))),
          let("stride_t",
              cast(i32, position(Position::grid_width_y) * position(Position::block_width_x))),
          Stm(along_points).after_gap()}};
}

Do add_to(Expr adj) {
  return Do{
      call("add_centres_adj", Type{}, {std::move(adj), points_in, centres_in, nearest, n, d})};
}

/// for (int cell = thread; cell < k * d; cell += block_size) body
For for_cells(Stm body) {
  return For{.name = "cell",
             .type = type(i32),
             .from = thread,
             .to = k * d,
             .step = runtime::block_size(),
             .body = {std::move(body)}};
}

Kernel shared_kernel() {
  const Expr centres_adj_out = var("centres_adj", pointer_to(f32));
  return {.name = "centres_adj_shared_kernel",
          .comment =
              {.formula =
                   {"centres_adj[nearest[i], t] += -2 * (points[i, t] - centres[nearest[i], t])"},
               .source = "kmeans.fut:9, return sweep of `map (\\p -> f32.minimum ...) points`",
               .rules = {"reverse_map: the adjoint of the free array `centres` is an accumulator"},
               .grid = "blocks stride over i, a block takes whole rows; see add_centres_adj",
               .notes = {"Every block adds into a copy in shared memory first, then once to "
                         "`centres_adj`: n * d "
                         "additions would otherwise contend for k * d cells. The order of "
                         "additions varies."}},
          .params = {centres_adj(), points(), centres(), nearest_in(), size("n"), size("k", i32),
                     size("d", i32)},
          .body = {Stm(SharedArray{"block_adj", type(f32)}).with_beside("[k][d]"),
                   let("thread",
                       cast(i32, position(Position::thread_y) * position(Position::block_width_x) +
                                     position(Position::thread_x))),
                   Stm(for_cells(Assign{block_adj[cell], lit_float(0, f32)})).after_gap(),
                   Barrier{"block_adj is zero"}, Stm(add_to(block_adj)).after_gap(),
                   Barrier{"block_adj is complete"},
                   Stm(for_cells(Atomic{AtomicKind::add, centres_adj_out[cell], block_adj[cell]}))
                       .after_gap()}};
}

Kernel global_kernel() {
  return {
      .name = "centres_adj_global_kernel",
      .comment =
          {.formula =
               {"The same, straight to global memory, for when k * d cells do not fit in shared "
                "memory."},
           .grid = "one thread per pair (i, t); see add_centres_adj"},
      .params = {centres_adj(), points(), centres(), nearest_in(), size("n"), size("d", i32)},
      .body = {add_to(var("centres_adj", pointer_to(f32)))}};
}

// ---- The entry

Stms body() {
  const Expr k64 = var("k"), d64 = var("d"), buffer = scratch_field("nearest", pointer_to(i32));
  const Expr centres_bytes = var("centres_bytes", size_type()), grid_size = var("grid_size", u32);
  const Expr row_threads = var("row_threads", u32), column_threads = var("column_threads", u32);
  const Expr adj = var("centres_adj", pointer_to(f32)), narrow_k = cast(i32, k64),
             narrow_d = cast(i32, d64);
  const auto blocks = [&](Expr grid) { return Extents{std::move(grid)}; };

  const Launch forward{"nearest_kernel",
                       blocks(grid_size),
                       {runtime::block_size()},
                       {},
                       {buffer, points_in, centres_in, n, narrow_k, narrow_d}};
  const Launch shared{"centres_adj_shared_kernel",
                      blocks(grid_size),
                      {row_threads, column_threads},
                      centres_bytes,
                      {adj, points_in, centres_in, buffer, n, narrow_k, narrow_d}};
  const Expr grid_width = runtime::blocks_for(n, cast(i64, column_threads));
  const Expr grid_height =
      runtime::min(runtime::blocks_for(d64, cast(i64, row_threads)), runtime::max_grid_height());
  const Launch global{"centres_adj_global_kernel",
                      {grid_width, grid_height},
                      {row_threads, column_threads},
                      {},
                      {adj, points_in, centres_in, buffer, n, narrow_d}};
  const Stms in_shared{Stm(let("points_per_block", runtime::max(lit(16) * k64, lit(256))))
                           .with_above("A copy per block pays off if the block adds to each cell "
                                       "often: here 16 times on average."),
                       let("grid_size", runtime::blocks_for(n, var("points_per_block"))), shared};

  return {Stm(If{equal(k64, lit(0)) || equal(d64, lit(0)), {Return{}}})
              .with_beside("the result has no elements"),
          Stm(Fill{adj, k64 * d64}).after_gap(),
          Stm(If{equal(n, lit(0)), {Return{}}})
              .with_beside("nothing to add, and CUDA rejects an empty grid"),
          Stm(Block{{let("grid_size", runtime::blocks_for(n, cast(i64, runtime::block_size()))),
                     forward}})
              .with_above("Forward sweep.")
              .after_gap(),
          Stm(let("row_threads", runtime::row_threads_for(d64)))
              .with_above(
                  "Return sweep. threadIdx.x runs along a row, so d decides the shape of a block.")
              .after_gap(),
          let("column_threads", cast(u32, runtime::block_size()) / row_threads),
          let("centres_bytes", cast(size_type(), k64 * d64) * size_of(type(f32))),
          If{centres_bytes <= runtime::max_shared_bytes(), in_shared, {global}}};
}

Entry cost_gradient() {
  const Expr k64 = var("k"), d64 = var("d");
  const Expr limit = runtime::max_int_size();
  return {
      .name = "cost_gradient",
      .doc = {"Gradient of the k-means cost with respect to the centres."},
      .source = "kmeans.fut:11",
      .order_varies = true,
      .order_note =
          "The order of float additions, and so the last bits of the result, varies between runs.",
      .params =
          {{"centres_adj", pointer_to(f32), {"k", "d"}, Access::written},
           array("points", const_pointer_to(f32), {"n", "d"}),
           {"centres", const_pointer_to(f32), {"k", "d"}, Access::read, "at most 2^30 elements"},
           size("n"),
           size("k"),
           size("d")},
      .rejects = {{n < 0 || k64 < 0 || d64 < 0}, {k64 > limit || d64 > limit || k64 * d64 > limit}},
      .scratch = {.name = "CostGradientScratch",
                  .params = {size("n")},
                  .pieces = {{"nearest", type(i32), n, {"n"}}}},
      .body = body(),
      .definitions = {add_centres_adj()},
      .kernels = {nearest_kernel(), shared_kernel(), global_kernel()}};
}

}  // namespace

Program kmeans() {
  return {
      .target = Target::gpu,
      .name = "kmeans",
      .name_space = "kmeans",
      .source = "kmeans.fut",
      .head =
          {"  cost_gradient [n][k][d] (points: [n][d]f32) (centres: [k][d]f32) : [k][d]f32",
           "    = vjp (cost points) centres 1\tkmeans.fut:12", "",
           "The derivative, rule by rule (`boustro derive kmeans.fut` prints it as a program):", "",
           "  forward  dists[i, j] = sum_t (points[i, t] - centres[j, t])^2",
           "           nearest[i]  = first j with the least dists[i, j]; -1 if none is below "
           "infinity",
           "  return   cost_adj        = 1\tthe seed",
           "           minimum_adj[i]  = cost_adj\treverse_reduce_add",
           "           dists_adj[i, j] = minimum_adj[i] if j == nearest[i], else "
           "0\treverse_reduce_min",
           "           centres_adj[j, t] += -2 * (points[i, t] - centres[j, t]) * dists_adj[i, j]"
           "\treverse_map, free array `centres`"},
      .entries = {cost_gradient()}};
}

}  // namespace exemplars
