// Reverse mode: loops that keep as many states as asked for, thinned as they run, so that nobody counts the steps beforehand.
//
// Rule      #[checkpoint_online(c)] loop x = x0 while p do e    gives    forward: the same, which keeps the state before each step that is a
//             multiple of a stride; whenever there is no room for one, every other state is dropped and the stride doubles; return: segments of so
//             many steps from the last one to the first. That which starts at the state in slot k has slots k, k+1, ... to itself, so within it the
//             schedule of loop_checkpoint.cpp is followed with c - k states. There is room for c states at first, and for one less each time that
//             the stride doubles, but for c / 3 at least: the longer segments are, the more free slots they need
// Applies   while loops, and for loops; c states, at least two, or 24 without an argument. Not loops that carry accumulators,
//             which would be added to again
// Cost      c states of what the steps need, values of e never, and one more to work on; each is moved as often as the stride doubles. The loop
//             runs once. Steps run again: t(l, c - k) in the segment of l steps behind slot k (checkpoint_schedule.hpp); together no more than to
//             count the steps first and follow the best schedule (so far as was tried, n and c below 3,000 and 60)
// Source    derived: periodic thinning, as in online checkpointing (Stumm, Walther: New algorithms for optimal online checkpointing, 2010), with
//             Griewank, Walther: Algorithm 799, revolve, in each segment
//
// Before:      def f (x: f64): f64 = #[checkpoint_online(2)] loop y = x while y < 9 do y * y + 1
// After vjp:   def f_vjp (x: f64) (y_adj: f64): f64 =
//                let (_, ys, _, stride, n) = loop (y, ys, room, stride, i) = (x, [x, x], 2, 1, 0) while y < 9 do
//                  let (room, stride) = if i == room * stride then (1, 2 * room * stride) else (room, stride)
//                  let ys = if i < 2 then ys with [i] = y else ys
//                  in (y * y + 1, ys, room, stride, i + 1)
//                in loop y_adj for j < n do
//                  let i = n - 1 - j
//                  let y = loop y = ys[i / stride] for _k < i % stride do y * y + 1
//                  in y_adj * y + y_adj * y
#include <limits>

#include "transform/ad/iteration_log.hpp"
#include "transform/ad/reverse/checkpoint_moves.hpp"
#include "transform/ad/reverse/checkpoint_schedule.hpp"
#include "transform/ad/reverse/checkpoint_states.hpp"
#include "transform/ad/reverse/loop_bound.hpp"
#include "transform/ad/tensor.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

class OnlineCheckpoints : public CheckpointStates {
 public:
  using CheckpointStates::CheckpointStates;

 private:
  Builder builder() const override { return r_.forward_builder(stm_, "reverse_loop_checkpoint_online"); }

  /// What the forward loop carries beside the states: how many slots are in use, how many may be, and how many steps lie between their states.
  struct Numbers {
    Atom top, room, stride;
  };

  Filled forward_loop(Builder& b, Stm stm, const Atom& count) override {
    slots_ = slots(b);
    least_room_ = b.binop("least_room", BinOpKind::max, b.binop("third", BinOpKind::quot, slots_, int_atom(3)), int_atom(1));
    const std::vector<LoopParam> states = empty_states(b);
    const Param top = r_.names.fresh_param("top", number), room = r_.names.fresh_param("room", number),
                stride = r_.names.fresh_param("stride", number);
    Loop& loop = std::get<Loop>(stm.exp);
    Builder keeping(r_.names, b.origin);
    std::vector<Name> kept;
    for (const LoopParam& p : states) kept.push_back(p.param.name);
    for (const Kept& one : kept_) loop.params[one.loop_param].true_dep = false;  // all of it is read now
    const Atom step = as_i64(keeping, form_.index);
    const Numbers next = keep_state(keeping, step, {top.name, room.name, stride.name}, kept);
    loop.body.stms.insert(loop.body.stms.begin(), keeping.stms.begin(), keeping.stms.end());

    Filled filled;
    for (std::size_t k = 0; k < states.size(); ++k) filled.states.push_back(add_param(r_.names, stm, states[k].param, states[k].init, kept[k]));
    filled.top = add_param(r_.names, stm, top, int_atom(0), next.top);
    add_param(r_.names, stm, room, slots_, next.room);
    stride_ = add_param(r_.names, stm, stride, int_atom(1), next.stride);
    b.add(std::move(stm));
    count_ = as_i64(b, count);
    filled.place = b.binop("place", BinOpKind::mul, b.binop("slot", BinOpKind::sub, filled.top, int_atom(1)), stride_);
    return filled;
  }

  /// With one slot nothing could be dropped but the first state.
  Atom slots(Builder& b) const {
    const Attribute& attribute = *checkpoint_attribute(stm_);
    const Atom wanted = attribute.args.empty() ? int_atom(schedule::default_online_states) : as_i64(b, attribute.args[0]);
    return b.binop("slots", BinOpKind::max, b.binop("slots", BinOpKind::min, wanted, int_atom(most_slots)), int_atom(2));
  }

  /// The state before the step goes into the next slot if it is due. `states` are the arrays before and after.
  Numbers keep_state(Builder& b, const Atom& step, const Numbers& before, std::vector<Name>& states) const {
    const Numbers now = thinned(b, step, before, states);
    const Atom is_due = b.cmp("is_due", CmpOpKind::eq, step, b.binop("due", BinOpKind::mul, now.top, now.stride));
    for (std::size_t k = 0; k < states.size(); ++k) states[k] = keep_if(b, is_due, states[k], now.top, loop_.params[kept_[k].loop_param].param.name);
    Builder counting(r_.names, b.origin);
    const Atom above = counting.binop("top", BinOpKind::add, now.top, int_atom(1));
    return {b.let("top", If{is_due, {std::move(counting.stms), {above}}, {{}, {now.top}}}), now.room, now.stride};
  }

  /// Every other state is dropped when there is no room for the one that is due. From two states to one, the stride doubles twice: there would be
  /// no room again.
  Numbers thinned(Builder& b, const Atom& step, const Numbers& before, std::vector<Name>& states) const {
    const Atom is_full = b.cmp("is_full", CmpOpKind::eq, step, b.binop("end", BinOpKind::mul, before.room, before.stride));
    Builder halving(r_.names, b.origin);
    const Atom one_less = halving.binop("one_less", BinOpKind::sub, before.room, int_atom(1));
    const Atom room = halving.binop("less_room", BinOpKind::max, one_less, least_room_);
    const Atom others = halving.binop("others", BinOpKind::quot, one_less, int_atom(2));
    const Atom slot = halving.binop("slot", BinOpKind::add, others, int_atom(1));
    const Atom twice = halving.binop("twice", BinOpKind::mul, before.stride, int_atom(2));
    const Atom stride = halving.binop("stride", BinOpKind::mul, twice, halving.binop("factor", BinOpKind::quot, before.room, room));
    const auto numbers = b.let_all({"slot", "next_room", "next_stride", "moved"}, If{is_full,
                                                                                    {std::move(halving.stms), {slot, room, stride, others}},
                                                                                    {{}, {before.top, before.room, before.stride, int_atom(0)}}});
    for (Name& of_one : states) of_one = moved_down(b, of_one, numbers[3]);
    return {numbers[0], numbers[1], numbers[2]};
  }

  /// The states in slots 2, 4, ... into slots 1, 2, ..., so many of them.
  Name moved_down(Builder& b, const Name& states, const Atom& count) const {
    const Param param = r_.names.fresh_param(states.base, r_.names.type_of(states), true);
    Builder moving(r_.names, b.origin);
    const Name k = r_.names.bind_fresh("k", number);
    const Atom to = moving.binop("to", BinOpKind::add, k, int_atom(1)), from = moving.binop("from", BinOpKind::mul, to, int_atom(2));
    const Atom state = fresh_copy(moving, "state", moving.index("state", param.name, {from}));
    const Name after = moving.let(states.base, Update{param.name, {to}, state, false});
    return b.let(states.base, Loop{{{param, states}}, ForLoop{k, PrimType::i64, count}, {std::move(moving.stms), {after}}});
  }

  /// In slot s >= k of segment k, which starts at the state in slot k, there is one of that segment; below it, that of slot s's own start.
  Atom place(Builder& b, const Atom& step, const Atom& slot) const override {
    const Atom stride = b.binop("stride", BinOpKind::max, stride_, int_atom(1));  // positive, and everyone shall know
    const Atom segment = b.binop("segment", BinOpKind::quot, step, stride);
    const Atom first = b.binop("first", BinOpKind::mul, segment, stride_);
    const Atom length = b.binop("length", BinOpKind::min, stride_, b.binop("rest", BinOpKind::sub, count_, first));
    const std::vector<Atom> within{length, b.binop("free", BinOpKind::sub, slots_, segment), b.binop("step", BinOpKind::sub, step, first),
                                   b.binop("slot", BinOpKind::sub, slot, segment)};
    return b.binop("place", BinOpKind::add, first, b.let("place", Call{schedule::place_function(r_.derivation), within}));
  }

  Atom least_room_;
  Atom count_, stride_;  // steps, and how many lie between kept states, after the forward loop
};

}  // namespace

std::unique_ptr<LoopStates> online_checkpoints(Reverse& reverse, const Stm& loop) { return std::make_unique<OnlineCheckpoints>(reverse, loop); }

Stm as_endless_loop(Names& names, const Stm& loop) {
  Stm stm = loop;
  const Name index = names.bind_fresh("i", scalar(PrimType::i64));
  std::get<Loop>(stm.exp).form = ForLoop{index, PrimType::i64, int_atom(std::numeric_limits<std::int64_t>::max())};
  return stm;
}

Name as_while_loop(Names& names, Stm& stm, const Name& condition) {
  Loop& loop = std::get<Loop>(stm.exp);
  const Name index = std::get<ForLoop>(loop.form).index;
  Builder step(names, stm.origin);
  const Atom next = step.binop("i", BinOpKind::add, index, int_atom(1));
  loop.body.stms.insert(loop.body.stms.end(), step.stms.begin(), step.stms.end());
  loop.form = WhileLoop{condition};
  return add_param(names, stm, {index, scalar(PrimType::i64), false}, int_atom(0), next);
}

}  // namespace boustro::ad
