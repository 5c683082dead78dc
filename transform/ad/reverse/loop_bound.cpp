// Reverse mode: while loops that take a known number of iterations at most.
//
// Rule      #[bound(n)] loop x = x0 while c do e    gives    forward: the same loop, for n iterations at most, which counts
//             them and stores in n places what loop.cpp stores; an error if it would then go on; return: as many iterations
// Applies   while loops with the attribute whose parameters keep their sizes. Others: loop_while.cpp
// Cost      as loop.cpp, with room for n states. The loop does not run another time to be counted, so nothing is copied
// Source    [AD], 6.2; there the loop becomes one of n iterations, which do nothing once it has ended
//
// Before:      def f (x: f64): f64 = #[bound(9)] loop y = x while y < 9 do y * y + 1
// After vjp:   def f_vjp (x: f64) (y_adj: f64): f64 =
//                let (_, ys, n) = loop (y, ys, i) = (x, replicate 9 0, 0) while y < 9 && i < 9 do (y * y + 1, ys with [i] = y, i + 1)
//                in loop y_adj for j < n do let y = ys[n - 1 - j] in y_adj * y + y_adj * y
#include "transform/ad/reverse/loop_bound.hpp"

#include <algorithm>

#include "transform/ad/iteration_log.hpp"

namespace boustro::ad {

using namespace ir;

const Atom* bound_of(const Stm& stm) {
  if (!std::holds_alternative<Loop>(stm.exp)) return nullptr;
  for (const Attribute& attribute : stm.attributes)
    if (attribute.name == "bound" && !attribute.args.empty()) return &attribute.args[0];
  return nullptr;
}

Stm as_for_loop(Builder& before, const Stm& bounded) {
  Stm stm = bounded;
  const Name index = before.names.bind_fresh("i", scalar(PrimType::i64));
  std::get<Loop>(stm.exp).form = ForLoop{index, PrimType::i64, as_i64(before, *bound_of(bounded))};
  return stm;
}

Counted as_counting_loop(Builder& before, Stm& stm, const Name& condition) {
  Loop& loop = std::get<Loop>(stm.exp);
  const ForLoop form = std::get<ForLoop>(loop.form);
  const auto place = static_cast<std::size_t>(
      std::find_if(loop.params.begin(), loop.params.end(), [&](const LoopParam& p) { return p.param.name == condition; }) -
      loop.params.begin());
  Builder step(before.names, before.origin);
  const Atom next = step.binop("iteration", BinOpKind::add, form.index, int_atom(1));
  const Progress first = progress(before, loop.params.at(place).init, int_atom(0), form.bound);
  const Progress later = progress(step, loop.body.result.at(place), next, form.bound);
  loop.body.stms.insert(loop.body.stms.end(), step.stms.begin(), step.stms.end());
  const Name iterations = add_param(before.names, stm, {form.index, scalar(form.type), false}, int_atom(0), next);
  const Param goes_on = before.names.fresh_param("goes_on", scalar(PrimType::boolean));
  add_param(before.names, stm, goes_on, first.goes_on, later.goes_on);
  loop.form = WhileLoop{goes_on.name};
  const Param is_bounded = before.names.fresh_param("is_bounded", goes_on.type);
  return {iterations, add_param(before.names, stm, is_bounded, first.is_bounded, later.is_bounded)};
}

Progress progress(Builder& b, const Atom& wanted, const Atom& iteration, const Atom& bound) {
  const Atom has_room = b.cmp("has_room", CmpOpKind::lt, iteration, bound);
  const Name ends = b.let("ends", UnOp{UnOpKind::complement, PrimType::boolean, wanted});
  return {b.binop("goes_on", BinOpKind::bit_and, wanted, has_room), b.binop("is_bounded", BinOpKind::bit_or, ends, has_room)};
}

Name add_param(Names& names, Stm& loop, const Param& param, const Atom& init, const Atom& next) {
  Loop& e = std::get<Loop>(loop.exp);
  e.params.push_back({param, init});
  e.body.result.push_back(next);
  loop.pattern.push_back(names.fresh_param(param.name.base, param.type));
  return loop.pattern.back().name;
}

void assert_bound(Builder& after, const Name& is_bounded, const Atom& bound) {
  after.assert_that(is_bounded, "this loop takes more iterations than its `#[bound({})]` says", {bound});
}

}  // namespace boustro::ad
