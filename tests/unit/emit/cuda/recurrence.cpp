// Prefix products and their adjoint.
#include "exemplars.hpp"
#include "../shorthand.hpp"

namespace exemplars {
namespace {

const Type linear = struct_type("Linear");
const Expr n = var("n"), i = var("i"), from_end = var("from_end");
const Expr xs = var("xs", const_pointer_to(f64)), ys_adj = var("ys_adj", const_pointer_to(f64));
const Expr ys = var("ys", const_pointer_to(f64)), ys_out = var("ys", pointer_to(f64));
const Expr xs_adj = var("xs_adj", pointer_to(f64));

Expr part(const char* of, const char* name) { return field(var(of, linear), name, type(f64)); }
Param in(std::string name) { return array(std::move(name), const_pointer_to(f64), {"n"}); }
Param out(std::string name) {
  return array(std::move(name), pointer_to(f64), {"n"}, Access::written);
}

std::vector<Definition> definitions() {
  const Functor multiply{.name = "Multiply",
                         .comment = {.formula = {"x * y"}},
                         .result = type(f64),
                         .params = {{"x", type(f64)}, {"y", type(f64)}},
                         .body = {Return{var("x", f64) * var("y", f64)}},
                         .associative = true};
  const Struct function{.name = "Linear",
                        .comment = {.formula = {"The function r -> d + c * r."}},
                        .fields = {{"d", type(f64)}, {"c", type(f64)}}};
  const Functor compose{
      .name = "Compose",
      .comment = {.formula = {"Apply `first`, then `second`."}},
      .result = linear,
      .params = {{"first", const_reference_to(linear)}, {"second", const_reference_to(linear)}},
      .body = {Return{
          construct("Linear", {part("second", "d") + part("second", "c") * part("first", "d"),
                               part("second", "c") * part("first", "c")})}},
      .associative = true};
  const Functor at{
      .name = "LinearAtFromEnd",
      .comment = {.formula = {"Input of the scan: how rs_adj[i] depends on rs_adj[i + 1], for i "
                              "counted from the end.",
                              "d = ys_adj[i], c = d(rs[i] * xs[i + 1]) / d(rs[i]) = xs[i + 1], and "
                              "0 for the last i."}},
      .fields = {in("ys_adj"), in("xs"), size("n")},
      .result = linear,
      .params = {size("from_end")},
      .body = {let("i", n - 1 - from_end),
               Return{construct("Linear", {ys_adj[i], select(equal(from_end, lit(0)),
                                                             lit_float(0, f64), xs[i + 1])})}}};
  const Functor store{
      .name = "StoreXsAdjFromEnd",
      .comment =
          {.formula = {"Output of the scan: takes rs_adj[i], which is `composed.d`, and stores",
                       "xs_adj[i] = rs_adj[i] * ys[i - 1]."}},
      .fields = {out("xs_adj"), in("ys"), size("n")},
      .params = {size("from_end"), {"composed", const_reference_to(linear)}},
      .body = {let("i", n - 1 - from_end),
               Assign{xs_adj[i], select(equal(i, lit(0)), part("composed", "d"),
                                        part("composed", "d") * ys[i - 1])}}};
  return {multiply, function, compose, at, store};
}

Library scan_ys() {
  return {.name = "scan_ys",
          .comment = {.formula = {"ys[i] = xs[0] * ... * xs[i]"},
                      .source = "recurrence.fut:3, forward sweep of `scan (*) 1 xs`",
                      .order = "associates freely; one pass over the data"},
          .params = {out("ys"), in("xs"), size("n")},
          .kind = LibraryKind::inclusive_scan,
          .input = {xs, {}, type(f64)},
          .output = {ys_out, {}, type(f64)},
          .functor = "Multiply",
          .count = n};
}

Library scan_xs_adj() {
  return {
      .name = "scan_xs_adj",
      .comment =
          {.formula =
               {"xs_adj[i] = rs_adj[i] * ys[i - 1], where rs_adj[i] = ys_adj[i] + xs[i + 1] * "
                "rs_adj[i + 1]"},
           .source = "recurrence.fut:3, return sweep of `scan (*) 1 xs`",
           .rules = {"reverse_scan, one scalar operator"},
           .order = "associates freely; one pass over the data, and rs_adj is never stored"},
      .params = {out("xs_adj"), in("xs"), in("ys"), in("ys_adj"), size("n")},
      .kind = LibraryKind::inclusive_scan,
      .input = {construct("LinearAtFromEnd", {ys_adj, xs, n}), {}, linear},
      .output = {construct("StoreXsAdjFromEnd", {xs_adj, ys, n}), "XsAdjFromEndIterator", linear},
      .functor = "Compose",
      .count = n};
}

Entry entry() {
  const Expr null_in = null_pointer(const_pointer_to(f64)),
             null_out = null_pointer(pointer_to(f64));
  return {
      .name = "products_vjp",
      .doc =
          {"All prefix products of xs, and the adjoint of xs for a given adjoint of the products."},
      .source = "recurrence.fut:6",
      .order_varies = true,
      .order_note =
          "CUB's scan associates differently from run to run, and so do the last bits of the "
          "results.",
      .params = {out("ys"), out("xs_adj"), in("xs"), in("ys_adj"), size("n")},
      .rejects = {{n < 0}},
      .scratch = {.name = "ProductsVjpScratch",
                  .params = {size("n")},
                  .library = {{"scan_ys", {null_out, null_in, n}},
                              {"scan_xs_adj", {null_out, null_in, null_in, null_in, n}}}},
      .body = {Stm(If{equal(n, lit(0)), {Return{}}}).with_beside("the results have no elements"),
               Stm(Run{"scan_ys", {ys_out, xs, n}}).with_above("Forward sweep.").after_gap(),
               Stm(Run{"scan_xs_adj", {xs_adj, xs, ys, ys_adj, n}})
                   .with_above("Return sweep.")
                   .after_gap()},
      .definitions = definitions(),
      .libraries = {scan_ys(), scan_xs_adj()}};
}

}  // namespace

Program recurrence() {
  return {
      .target = Target::gpu,
      .name = "recurrence",
      .name_space = "recurrence",
      .source = "recurrence.fut",
      .head =
          {"  products_vjp [n] (xs: [n]f64) (ys_adj: [n]f64) : ([n]f64, [n]f64)",
           "    = vjp2 products xs ys_adj\trecurrence.fut:7", "",
           "The derivative, rule by rule (`boustro derive recurrence.fut` prints it as a program):",
           "", "  forward  ys[i]     = xs[0] * ... * xs[i]",
           "  return   rs_adj[i] = ys_adj[i] + xs[i+1] * rs_adj[i+1], and ys_adj[n-1] for i = n - "
           "1",
           "           xs_adj[i] = rs_adj[i] * ys[i-1],               and rs_adj[0]   for i = 0",
           "\treverse_scan, one scalar operator", "",
           "The linear recurrence for rs_adj is a scan, from the last i to the first, of the "
           "functions "
           "r -> ys_adj[i] + xs[i+1] * r under composition."},
      .entries = {entry()}};
}

}  // namespace exemplars
