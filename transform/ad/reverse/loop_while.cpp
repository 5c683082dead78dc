// Reverse mode: while loops.
//
// Rule      loop x = x0 while c do e    gives    n = the number of its iterations, found by running it;
//                                                loop x = x0 for i < n do e, which loop.cpp differentiates
// Applies   every while loop
// Cost      the loop once more
// Source    [AD], 4.2, on loops whose count is not known: the inspector
//
// Before:      def f (x: f64): f64 = loop y = x while y < 9 do y * y + 1
// After vjp:   def f_vjp (x: f64) (y_adj: f64): f64 =
//                let (_, n) = loop (y, n) = (x, 0) while y < 9 do (y * y + 1, n + 1)
//                in vjp (\x -> loop y = x for _i < n do y * y + 1) x y_adj
#include "transform/ad/reverse/loop.hpp"

namespace boustro::ad {

using namespace ir;

std::optional<std::vector<Stm>> counted_while_loop(Reverse& r, const Stm& stm, const Loop& loop) {
  if (!std::holds_alternative<WhileLoop>(loop.form)) return std::nullopt;
  Builder b = r.forward_builder(stm, "reverse_loop_while");

  // The inspector: the same loop with a counter. It works on copies of what the loop consumes.
  Substitution substitution;
  const Body whole = rename(Body{{{stm.pattern, loop, b.origin, {}}}, {}}, r.names);
  Stm inspector = whole.stms.at(0);
  Loop& counting = std::get<Loop>(inspector.exp);
  for (LoopParam& p : counting.params) {
    if (p.param.unique) p.init = fresh_copy(b, p.param.name.base, p.init);
    p.true_dep = false;  // verified in the loop itself
  }
  const Param iteration = r.names.fresh_param("iteration", scalar(PrimType::i64));
  Builder step(r.names, b.origin);
  const Atom next = step.binop("iteration", BinOpKind::add, iteration.name, int_atom(1));
  counting.body.stms.insert(counting.body.stms.end(), step.stms.begin(), step.stms.end());
  counting.body.result.push_back(next);
  counting.params.push_back({iteration, int_atom(0)});
  const Param count = r.names.fresh_param("iterations", scalar(PrimType::i64));
  inspector.pattern.push_back(count);
  b.add(std::move(inspector));

  Stm counted = stm;
  std::erase_if(counted.attributes, [](const Attribute& a) { return a.name == "bound"; });  // it is known now
  const Name index = r.names.bind_fresh("i", scalar(PrimType::i64));
  std::get<Loop>(counted.exp).form = ForLoop{index, PrimType::i64, count.name};
  b.add(std::move(counted));
  return std::move(b.stms);
}

}  // namespace boustro::ad
