// Reverse mode: loops that keep as many states as asked for.
//
// Rule      #[checkpoint(c)] loop x = x0 for i < n do e    gives    forward: the loop, stretch by stretch, with a state kept at the start of
//             each; return: for j = n-1, ..., 0: go on from the last state kept, keeping states on the way, to j; then as in loop.cpp
// Applies   for loops; while loops once they are counted (loop_while.cpp); c states, or the binary digits of n without an argument, or as many
//             as fit into so many bytes: #[checkpoint_bytes(b)]. Not loops that carry accumulators, which would be added to again
// Cost      c states of what the steps need, values of e never; t(n + 1, c) - n steps once more, the fewest that are possible where the end of
//             the loop is wanted, too: checkpoint_schedule.hpp. In a return loop one state more, that which steps work on
// Source    Griewank, Walther: Algorithm 799, revolve; Hascoet, section 3
//
// Before:      def f (n: i64) (x: f64): f64 = #[checkpoint(1)] loop y = x for _i < n do f64.sin y
// After vjp:   def f_vjp (n: i64) (x: f64) (y_adj: f64): f64 =
//                loop y_adj for j < n do
//                  let y = loop y = x for _k < n - 1 - j do f64.sin y
//                  in y_adj * f64.cos y
#include "transform/ad/iteration_log.hpp"
#include "transform/ad/reverse/checkpoint_schedule.hpp"
#include "transform/ad/reverse/checkpoint_states.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

class BinomialCheckpoints : public CheckpointStates {
 public:
  using CheckpointStates::CheckpointStates;

 private:
  Builder builder() const override { return r_.forward_builder(stm_, "reverse_loop_checkpoint"); }

  /// How many states are kept at a time: at least one, and no more than there are steps.
  Atom slots(Builder& b) const {
    const Attribute& attribute = *checkpoint_attribute(stm_);
    Atom wanted;
    if (attribute.name == "checkpoint_bytes")
      wanted = b.binop("slots", BinOpKind::quot, as_i64(b, attribute.args[0]), b.binop("bytes", BinOpKind::max, bytes_of_state(b), int_atom(1)));
    else
      wanted = attribute.args.empty() ? digits(b) : as_i64(b, attribute.args[0]);
    const Atom useful = b.binop("slots", BinOpKind::min, wanted, b.binop("slots", BinOpKind::min, count_, int_atom(most_slots)));
    return b.binop("slots", BinOpKind::max, useful, int_atom(1));
  }

  /// Binary digits of the number of steps: as many states, and as many times that a step is run.
  Atom digits(Builder& b) const {
    const Atom zeros = b.math("zeros", MathFn::clz, {count_});
    return b.binop("digits", BinOpKind::sub, int_atom(64), b.convert("zeros", PrimType::i64, zeros));
  }

  Atom bytes_of_state(Builder& b) const {
    Atom sum = int_atom(0);
    for (const Kept& kept : kept_) {
      Atom bytes = int_atom(values::byte_size(param(kept).type.elem));
      for (const Atom& extent : param(kept).type.shape) bytes = b.binop("bytes", BinOpKind::mul, bytes, extent);
      sum = b.binop("bytes", BinOpKind::add, sum, bytes);
    }
    return sum;
  }

  /// A loop parameter beside the others, with its start.
  struct Beside {
    Param param;
    Atom init, next;
  };

  Filled forward_loop(Builder& b, Stm stm, const Atom& count) override {
    count_ = b.binop("steps", BinOpKind::max, as_i64(b, count), int_atom(0));
    places_ = b.binop("places", BinOpKind::add, count_, int_atom(1));
    slots_ = slots(b);
    Loop& loop = std::get<Loop>(stm.exp);
    std::vector<std::size_t> all(loop.params.size());
    std::vector<Atom> from;
    Loop outer;
    std::vector<Param> pattern = stm.pattern;
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = i;
      const Param& p = loop.params[i].param;
      outer.params.push_back({r_.names.fresh_param(p.name.base, p.type, p.unique), loop.params[i].init});
      from.push_back(outer.params.back().param.name);
    }
    std::vector<Beside> beside;
    for (const LoopParam& states : empty_states(b)) beside.push_back({states.param, states.init, {}});
    const std::size_t numbers = beside.size();
    for (const char* base : {"top", "first", "place"}) beside.push_back({r_.names.fresh_param(base, number), int_atom(0), {}});
    beside.push_back({r_.names.fresh_param("goes_on", flag), b.cmp("goes_on", CmpOpKind::lt, int_atom(0), count_), {}});

    Builder body(r_.names, b.origin);
    const Name top = beside[numbers].param.name, first = beside[numbers + 1].param.name;
    for (std::size_t k = 0; k < kept_.size(); ++k)
      beside[k].next = body.let(beside[k].param.name.base, Update{beside[k].param.name, {top}, from[kept_[k].loop_param], false});
    const Atom rest = body.binop("rest", BinOpKind::sub, places_, first), free = body.binop("free", BinOpKind::sub, slots_, top);
    const Atom stretch = body.let("stretch", Call{schedule::split_function(r_.derivation), {rest, free}});
    outer.body.result = steps(body, loop.body, all, from, first, stretch);
    const Atom next_first = body.binop("first", BinOpKind::add, first, stretch);
    beside[numbers].next = body.binop("top", BinOpKind::add, top, int_atom(1));
    beside[numbers + 1].next = next_first;
    beside[numbers + 2].next = first;
    beside[numbers + 3].next = body.cmp("goes_on", CmpOpKind::lt, next_first, count_);
    outer.form = WhileLoop{beside.back().param.name};
    for (const Beside& one : beside) {
      outer.params.push_back({one.param, one.init});
      outer.body.result.push_back(one.next);
      pattern.push_back(r_.names.fresh_param(one.param.name.base, one.param.type));
    }
    outer.body.stms = std::move(body.stms);
    b.let(pattern, std::move(outer));
    const auto behind = [&](std::size_t k) { return Atom(pattern[all.size() + k].name); };
    Filled filled{{}, behind(numbers), behind(numbers + 2)};
    for (std::size_t k = 0; k < kept_.size(); ++k) filled.states.push_back(behind(k));
    return filled;
  }

  Atom place(Builder& b, const Atom& step, const Atom& slot) const override {
    return b.let("place", Call{schedule::place_function(r_.derivation), {places_, slots_, step, slot}});
  }

  Atom count_, places_;  // steps; states between them, with that at the end, where the schedule turns round
};

}  // namespace

std::unique_ptr<LoopStates> binomial_checkpoints(Reverse& reverse, const Stm& loop) { return std::make_unique<BinomialCheckpoints>(reverse, loop); }

}  // namespace boustro::ad
