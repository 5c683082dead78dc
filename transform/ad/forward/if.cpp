// Forward mode: branches.
//
// Rule      y = if c then e1 else e2    gives    (y, y_tan) = if c then (e1, e1_tan) else (e2, e2_tan)
// Applies   every `if`
// Cost      that of the branches
// Source    [AD], 3
//
// Before:      def f (c: bool) (x: f64): f64 = if c then x * x else x
// After jvp:   def f_jvp (c: bool) (x: f64) (x_tan: f64): f64 = if c then x_tan * x + x * x_tan else x_tan
#include "transform/ad/forward/bundle.hpp"

namespace boustro::ad {

using namespace ir;

void forward_if(Forward& f, Builder& b, const Stm& stm, const If& e) {
  const std::vector<bool> active = active_results(f, stm.pattern);
  Stm result = stm;
  Body then_body = forward_body(f, e.then_body, active);
  Body else_body = forward_body(f, e.else_body, active);
  result.exp = If{e.condition, std::move(then_body), std::move(else_body)};
  result.pattern = bundled_pattern(f, stm.pattern, active);
  result.origin = f.builder(stm, "forward_if").origin;
  b.add(std::move(result));
}

}  // namespace boustro::ad
