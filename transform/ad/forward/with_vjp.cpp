// Forward mode: a function with a reverse-mode derivative of its own.
//
// Rule      ys = with_vjp f f' xs    gives    ys = f xs, differentiated as any other statements
// Applies   every with_vjp: f' says nothing about forward mode
// Cost      that of f
// Source    Futhark's prelude, `with_vjp`
//
// Before:      def f (x: f64): f64 = with_vjp f64.sin (\_ y_adj -> y_adj) x
// After jvp:   def f_jvp (x: f64) (x_tan: f64): f64 = x_tan * f64.cos x
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

void forward_with_vjp(Forward& f, Builder& builder, const Stm& stm, const WithVjp& e) {
  Builder inlined = f.builder(stm, "forward_with_vjp");
  const std::vector<Atom> results = inline_lambda(inlined, e.fn, e.args);
  for (std::size_t i = 0; i < results.size(); ++i) bind_as(inlined, stm.pattern[i], results[i]);
  f.activity.analyse(inlined.stms);
  forward_stms(f, builder, inlined.stms);
}

}  // namespace boustro::ad
