// Programs that have every function of every type, and every statement that only CUDA has: atomics on every type, shared
// memory, checks, library calls of every kind, fills, copies and reads. Their text must compile without a warning.
#include <cmath>

#include "../scalars.hpp"
#include "../written.hpp"
#include "emit/cuda/write.hpp"

namespace exemplars::everything_tests {
namespace {

const Expr n = var("n");
const Type failure_pointer = pointer_to(struct_type("Failure"));

std::string functor_name(PrimType prim) { return "Max_" + std::string(boustro::values::name_of(prim)); }

Functor maximum(PrimType prim) {
  const Expr x = var("x", prim), y = var("y", prim);
  return {.name = functor_name(prim),
          .comment = {.formula = {"the larger one of x and y"}},
          .result = type(prim),
          .params = {{"x", type(prim)}, {"y", type(prim)}},
          .body = {Return{select(x < y, y, x)}},
          .associative = true,
          .commutative = true};
}

std::vector<PrimType> numbers() {
  using enum PrimType;
  return {i8, i16, i32, i64, u8, u16, u32, u64, f32, f64};
}

Stms kernel_body() {
  const Expr index = cast(i64, position(Position::thread_x));
  const Expr failure = var("failure", failure_pointer);
  Stms stms{If{!runtime::check_index(failure, 0, index, n), {Fail{failure, 1, {n}}}}};
  for (const PrimType prim : numbers()) {
    for (const AtomicKind kind :
         {AtomicKind::add, AtomicKind::min, AtomicKind::max, AtomicKind::combine}) {
      const bool extremum = kind == AtomicKind::min || kind == AtomicKind::max;
      if (extremum && (!boustro::values::is_integer(prim) || boustro::values::byte_size(prim) < 4)) continue;
      const std::string functor = kind == AtomicKind::combine ? functor_name(prim) : "";
      stms.push_back(Atomic{kind, arg(prim, 0), lit(1, prim), functor});
    }
  }
  stms.push_back(SharedArray{"row", type(f32), runtime::block_size()});
  stms.push_back(Assign{var("row", pointer_to(f32))[position(Position::thread_x)], lit_float(0, f32)});
  stms.push_back(Barrier{"row is zero"});
  stms.push_back(Assign{arg(f32, 3), var("row", pointer_to(f32))[lit(0)]});
  stms.push_back(Assign{arg(f32, 3), var("weights", const_pointer_to(f32))[lit(1)]});
  return stms;
}

std::vector<Param> params(bool in_kernel) {
  std::vector<Param> result;
  for (const PrimType prim : numbers()) {
    const Type pointer = pointer_to(prim);
    result.push_back({array_name(prim), in_kernel ? restricted(pointer) : pointer, {"4"}, Access::updated});
  }
  return result;
}

Library library(const std::string& name, LibraryKind kind) {
  const Expr out = var("out", pointer_to(f32)), in = var("in", const_pointer_to(f32));
  return {.name = name,
          .comment = {.formula = {"out = the maximum of in"}, .order = "associates freely"},
          .params = {array("out", pointer_to(f32), {"n"}, Access::written),
                     array("in", const_pointer_to(f32), {"n"}), size("n")},
          .kind = kind,
          .input = {in, type(f32)},
          .output = {out, type(f32)},
          .functor = functor_name(f32),
          .init = lit_float(-INFINITY, f32),
          .count = n};
}

Entry entry() {
  Entry result{.name = "parallel", .waits = true, .params = params(false), .body = {}};
  result.params.push_back(size("n"));
  std::vector<Expr> args;
  for (const Param& param : params(false)) args.push_back(var(param));
  args.push_back(var("failure", failure_pointer));
  args.push_back(n);
  std::vector<Param> kernel_params = params(true);
  kernel_params.push_back({"failure", failure_pointer, {}, Access::updated});
  kernel_params.push_back(size("n"));

  const Expr xs = var(array_name(f32), pointer_to(f32)), ys = var(array_name(f64), pointer_to(f64));
  const Expr null_out = null_pointer(pointer_to(f32)), null_in = null_pointer(const_pointer_to(f32));
  const Expr maxima = scratch_field("maxima", pointer_to(f32));
  result.rejects = {{n < 0}};
  result.scratch = {.name = "ParallelScratch",
                    .params = {size("n")},
                    .pieces = {{"maxima", type(f32), n, {"n"}}},
                    .library = {{"reduce_xs", {null_out, null_in, n}}, {"scan_xs", {null_out, null_in, n}}, {"fold_xs", {null_out, null_in, n}}}};
  result.body = {Launch{"parallel_kernel", {lit(1, i32)}, {runtime::block_size()}, {}, args},
                 Run{"reduce_xs", {maxima, xs, n}},
                 Run{"scan_xs", {maxima, xs, n}},
                 Run{"fold_xs", {maxima, xs, n}},
                 Let{"half", type(i64), call("half_of", type(i64), {n})},
                 Copy{xs, maxima, n},
                 Fill{ys, var("half")},
                 Read{"first", type(f64), ys},
                 If{var("first", f64) < lit_float(0, f64), {Fill{xs, n}}}};
  for (const PrimType prim : numbers()) result.definitions.push_back(maximum(prim));
  result.definitions.push_back(Table{"weights", f32, {PrimValue::of_float(f32, 0.5), PrimValue::of_float(f32, 1e-6)}, {"2"}, "parallel.fut:3"});
  result.definitions.push_back(Function{.name = "half_of", .result = type(i64), .params = {size("m")}, .body = {Return{var("m") / lit(2)}}, .host = true});
  result.kernels = {{.name = "parallel_kernel", .params = kernel_params, .body = kernel_body()}};
  result.libraries = {library("reduce_xs", LibraryKind::reduce), library("scan_xs", LibraryKind::inclusive_scan),
                      library("fold_xs", LibraryKind::reduce_in_order)};
  result.can_fail = true;
  return result;
}

Program parallel() {
  return {.target = Target::gpu,
          .name = "parallel",
          .name_space = "parallel",
          .source = "parallel.fut",
          .entries = {entry()},
          .checks = {{"parallel.fut:1", "index {} is out of bounds for an array of size {}"}, {"parallel.fut:2", "too few: {}"}}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(prints_every_function_of_every_type) {
  const Program program = scalars(Target::gpu);
  write(program, boustro::cuda::write_cuda(program), ".cu");
}

BOOST_AUTO_TEST_CASE(prints_every_statement_of_the_device) {
  const Program program = parallel();
  write(program, boustro::cuda::write_cuda(program), ".cu");
}

}  // namespace exemplars::everything_tests
