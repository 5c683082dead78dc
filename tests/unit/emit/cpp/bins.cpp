// sums[is[j]] += xs[j], greatest = max xs, for indices that are checked.
#include <cmath>

#include "../shorthand.hpp"
#include "exemplars.hpp"

namespace exemplars {
namespace {

const Expr n = var("n"), m = var("m"), i = var("i"), j = var("j");

Entry entry() {
  const Expr sums = var("sums", pointer_to(f32)), greatest = var("greatest", pointer_to(f32));
  const Expr is = var("is", const_pointer_to(i64)), xs = var("xs", const_pointer_to(f32));
  const Expr failure = var("failure", pointer_to(struct_type("Failure")));
  const Expr x = var("x", f32);
  For bins = count_up(
      "j", type(i64), n,
      {let("i", is[j]), If{!runtime::check_index(failure, 0, i, m), {Continue{}}}, let("x", xs[j]),
       Atomic{AtomicKind::add, sums[i], x}, Atomic{AtomicKind::max, greatest[lit(0)], x}});
  bins.parallel = true;
  return {
      .name = "bin_sums",
      .doc = {"The sum of the values of each bin, and the greatest value.",
              "Bins without values have sum 0."},
      .source = "bins.fut:3",
      .order_varies = true,
      .order_note =
          "The order of float additions, and so the last bits of the result, varies between runs.",
      .params = {array("sums", pointer_to(f32), {"m"}, Access::written),
                 array("greatest", pointer_to(f32), {}, Access::written),
                 array("is", const_pointer_to(i64), {"n"}),
                 array("xs", const_pointer_to(f32), {"n"}), size("n"), size("m")},
      .rejects = {{n < 0 || m < 0}},
      .body = {Fill{sums, m}, Assign{greatest[lit(0)], -lit_float(INFINITY, f32)},
               Stm(bins).after_gap()},
      .checks = {{"bins.fut:3", "index {} is out of bounds for an array of size {}"}}};
}

}  // namespace

Program bins() {
  return {.target = Target::cpu,
          .name = "bins",
          .name_space = "bins",
          .source = "bins.fut",
          .head = {"  bin_sums [n] [m] (is: [n]i64) (xs: [n]f32) : ([m]f32, f32)\tbins.fut:3"},
          .entries = {entry()}};
}

}  // namespace exemplars
