// Forward mode: scatter.
//
// Rule      ys = scatter xs is vs    gives    ys_tan = scatter xs_tan is vs_tan
// Applies   every scatter
// Cost      that of the scatter
// Source    [AD], 3
//
// Before:      def f [n] [m] (xs: *[m]f64) (is: [n]i64) (vs: [n]f64): *[m]f64 = scatter xs is vs
// After jvp:   def f_jvp [n] [m] (_: [m]f64) (is: [n]i64) (_: [n]f64) (xs_tan: *[m]f64) (vs_tan: [n]f64): [m]f64 =
//                scatter xs_tan is vs_tan
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

void forward_scatter(Forward& f, Builder& builder, const Stm& stm, const Scatter& e) {
  builder.add(stm);
  Builder b = f.builder(stm, "forward_scatter");
  for (std::size_t i = 0; i < e.destinations.size(); ++i) {
    const Name& y = stm.pattern[i].name;
    if (!f.activity.active(y)) continue;
    const Name destination = std::get<Name>(f.tangent(b, e.destinations[i]));
    const Name values = std::get<Name>(f.tangent(b, e.values[i]));
    f.set(y, b.let(tan_name(y), Scatter{e.width, e.indices, {destination}, {values}}));
  }
  builder.add(b.stms);
}

}  // namespace boustro::ad
