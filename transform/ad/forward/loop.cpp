// Forward mode: loops.
//
// Rule      y = loop x = x0 do e    gives    (y, y_tan) = loop (x, x_tan) = (x0, x0_tan) do (e, e_tan)
// Applies   every loop
// Cost      that of the loop
// Source    [AD], 3
//
// Before:      def f (n: i64) (x: f64): f64 = loop y = x for _i < n do y * y
// After jvp:   def f_jvp (n: i64) (x: f64) (x_tan: f64): f64 =
//                (loop (y, y_tan) = (x, x_tan) for _i < n do (y * y, y_tan * y + y * y_tan)).1
#include "transform/ad/forward/bundle.hpp"

namespace boustro::ad {

using namespace ir;

void forward_loop(Forward& f, Builder& b, const Stm& stm, const Loop& e) {
  std::vector<bool> active;
  for (const LoopParam& p : e.params) active.push_back(f.activity.active(p.param.name));
  Builder before = f.builder(stm, "forward_loop");
  Loop loop{e.params, e.form, {}};
  for (std::size_t i = 0; i < e.params.size(); ++i) {
    if (!active[i]) continue;
    const Atom init = f.tangent(before, e.params[i].init);
    const Param tangent = f.tangent_param(e.params[i].param);
    loop.params.push_back({tangent, init});
  }
  loop.body = forward_body(f, e.body, active);
  Stm result = stm;
  result.exp = std::move(loop);
  result.pattern = bundled_pattern(f, stm.pattern, active);
  result.origin = before.origin;
  b.add(before.stms);
  b.add(std::move(result));
}

}  // namespace boustro::ad
