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
#include "transform/ad/reverse/loop_checkpoint.hpp"

#include <algorithm>
#include <array>

#include "transform/ad/iteration_log.hpp"
#include "transform/ad/reverse/checkpoint_schedule.hpp"
#include "transform/ad/scope.hpp"
#include "transform/ad/tensor.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// More would overflow what the schedule multiplies, and nobody has memory for them.
constexpr std::int64_t most_slots = 1 << 20;

const Attribute* checkpoint_attribute(const Stm& stm) {
  const auto is_one = [](const Attribute& a) { return a.name == "checkpoint" || a.name == "checkpoint_bytes"; };
  const auto found = std::find_if(stm.attributes.begin(), stm.attributes.end(), is_one);
  return found == stm.attributes.end() ? nullptr : &*found;
}

const Type number = scalar(PrimType::i64), flag = scalar(PrimType::boolean);

class Checkpoints : public LoopStates {
 public:
  Checkpoints(Reverse& r, const Stm& stm) : r_(r), stm_(stm), loop_(std::get<Loop>(stm.exp)), form_(std::get<ForLoop>(loop_.form)) {}

  void keep(const Param& value) override { needed_.insert(value.name); }
  bool keeps_values() const override { return false; }

  void emit_forward(Builder& forward, Stm loop) override {
    find_state();
    if (kept_.empty()) return forward.add(std::move(loop));
    Builder b = r_.forward_builder(stm_, "reverse_loop_checkpoint");
    count_ = b.binop("steps", BinOpKind::max, as_i64(b, form_.bound), int_atom(0));
    places_ = b.binop("places", BinOpKind::add, count_, int_atom(1));
    slots_ = slots(b);
    forward_loop(b, std::move(loop));
    forward.add(b.stms);
  }

  std::vector<LoopParam> carried() const override {
    if (kept_.empty()) return {};
    std::vector<LoopParam> params;
    for (const Kept& kept : kept_) params.push_back({kept.param, kept.states});
    params.push_back({top_, tops_[0]});
    params.push_back({place_, tops_[1]});
    return params;
  }

  std::vector<Atom> load(Builder& body, const Name& index, const NameSet&) const override {
    if (kept_.empty()) return {};
    const Atom step = as_i64(body, index);
    const Atom slot = body.binop("slot", BinOpKind::sub, top_.name, int_atom(1));
    const std::vector<Name> there = advance(body, step, slot);
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      const Param& param = loop_.params[kept_[k].loop_param].param;
      bind_as(body, {param.name, param.type, false}, there[k]);
    }
    std::vector<Atom> carried(there.begin() + static_cast<std::ptrdiff_t>(kept_.size()), there.begin() + static_cast<std::ptrdiff_t>(2 * kept_.size()));
    const Name last = there[2 * kept_.size()], place = there[2 * kept_.size() + 1];
    // The state of the step itself is not needed any more.
    Builder gone(r_.names, body.origin), stays(r_.names, body.origin);
    const Atom before = gone.binop("step", BinOpKind::sub, step, int_atom(1));
    const Atom under = gone.binop("slot", BinOpKind::sub, last, int_atom(1));
    const Atom place_under = gone.let("place", Call{schedule::place_function(r_.derivation), {places_, slots_, before, under}});
    const Atom above = stays.binop("top", BinOpKind::add, last, int_atom(1));
    const auto next = body.let_all({"top", "place"}, If{body.cmp("is_here", CmpOpKind::eq, place, step),
                                                        {std::move(gone.stms), {last, place_under}},
                                                        {std::move(stays.stms), {above, place}}});
    carried.insert(carried.end(), next.begin(), next.end());
    return carried;
  }

 private:
  /// A parameter of the loop that steps need: all its states are in one array, one for each slot.
  struct Kept {
    std::size_t loop_param;
    Param param;  // of the return loop
    Atom states;  // after the forward loop
  };

  const Param& param(const Kept& kept) const { return loop_.params[kept.loop_param].param; }
  Type states_type(const Kept& kept) const { return array_of(slots_, param(kept).type); }

  /// What the return sweep reads of a step, and what other steps compute that from.
  void find_state() {
    std::size_t known = 0;
    do {
      known = needed_.size();
      Body results;
      for (std::size_t i = 0; i < loop_.params.size(); ++i)
        if (needed_.contains(loop_.params[i].param.name)) results.result.push_back(loop_.body.result[i]);
      NameSet used = free_names(results);
      needed_part(loop_.body.stms, used);
      for (const LoopParam& p : loop_.params)
        if (used.contains(p.param.name)) needed_.insert(p.param.name);
    } while (needed_.size() > known);
    for (std::size_t i = 0; i < loop_.params.size(); ++i) {
      const Param& p = loop_.params[i].param;
      if (needed_.contains(p.name)) kept_.push_back({i, {}, {}});
    }
  }

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

  /// Iterations `first`, `first` + 1, ... of the loop, `count` of them: these parameters, from these on.
  std::vector<Atom> steps(Builder& b, const Body& body, const std::vector<std::size_t>& params, const std::vector<Atom>& from, const Atom& first,
                          const Atom& count) const {
    const Name step = r_.names.bind_fresh("k", number);
    Builder index(r_.names, b.origin);
    const Atom position = index.binop("i", BinOpKind::add, first, step);
    index.let({{form_.index, scalar(form_.type), false}},
              form_.type == PrimType::i64 ? Exp(AtomExp{position}) : Exp(Convert{PrimType::i64, form_.type, position}));
    Loop loop{{}, ForLoop{step, PrimType::i64, count}, {std::move(index.stms), {}}};
    std::vector<Param> pattern;
    loop.body.stms.insert(loop.body.stms.end(), body.stms.begin(), body.stms.end());
    for (std::size_t k = 0; k < params.size(); ++k) {
      LoopParam p = loop_.params[params[k]];
      p.init = from[k];
      p.true_dep = false;  // what it reads is not all that is read
      loop.params.push_back(p);
      loop.body.result.push_back(body.result[params[k]]);
      pattern.push_back({p.param.name, p.param.type, false});
    }
    // A copy of it: the loop may stand here several times.
    const Body copy = rename(Body{{Stm{pattern, std::move(loop), b.origin, {}}}, results_of(pattern)}, r_.names);
    b.add(copy.stms);
    return copy.result;
  }

  static std::vector<Atom> results_of(const std::vector<Param>& pattern) {
    std::vector<Atom> results;
    for (const Param& p : pattern) results.push_back(p.name);
    return results;
  }

  /// A loop parameter beside the others, with its start.
  struct Beside {
    Param param;
    Atom init, next;
  };

  void forward_loop(Builder& b, Stm stm) {
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
    for (const Kept& kept : kept_) {
      const std::string base = param(kept).name.base + "_states";
      const Atom memory = b.let(base, Scratch{states_type(kept).elem, states_type(kept).shape});
      beside.push_back({r_.names.fresh_param(base, states_type(kept), true), memory, {}});
    }
    const std::size_t numbers = beside.size();
    for (const char* base : {"top", "first"}) beside.push_back({r_.names.fresh_param(base, number), int_atom(0), {}});
    const Param place = r_.names.fresh_param("place", number);
    beside.push_back({place, int_atom(0), {}});
    beside.push_back({r_.names.fresh_param("goes_on", flag), b.cmp("goes_on", CmpOpKind::lt, int_atom(0), count_), {}});

    Builder body(r_.names, b.origin);
    const Name top = beside[numbers].param.name, first = beside[numbers + 1].param.name;
    for (std::size_t k = 0; k < kept_.size(); ++k)
      beside[k].next = body.let(beside[k].param.name.base, Update{beside[k].param.name, {top}, from[kept_[k].loop_param], false});
    const Atom stretch = body.let("stretch", Call{schedule::split_function(r_.derivation), {body.binop("rest", BinOpKind::sub, places_, first),
                                                                                              body.binop("free", BinOpKind::sub, slots_, top)}});
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
    const std::size_t behind = all.size();
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      kept_[k].states = pattern[behind + k].name;
      kept_[k].param = r_.names.fresh_param(param(kept_[k]).name.base + "_states", states_type(kept_[k]), true);
    }
    tops_ = {pattern[behind + numbers].name, pattern[behind + numbers + 2].name};
    top_ = r_.names.fresh_param("top", number);
    place_ = r_.names.fresh_param("place", number);
    b.let(std::move(pattern), std::move(outer));
  }

  /// From the state in the slot on to the step. Yields the state there, the arrays of states, the last slot in use, and the step it stands for.
  std::vector<Name> advance(Builder& b, const Atom& step, const Atom& slot) const {
    Loop loop;
    std::vector<std::string> bases;
    std::vector<std::size_t> params;
    std::vector<Atom> from;
    const auto add = [&](const std::string& base, const Type& type, bool unique, const Atom& init) {
      const Param p = r_.names.fresh_param(base, type, unique);
      loop.params.push_back({p, init});
      bases.push_back(base);
      return p.name;
    };
    for (const Kept& kept : kept_) {
      const Param& p = param(kept);
      Atom state = b.index(p.name.base, kept.param.name, {slot});
      if (!p.type.is_scalar()) state = fresh_copy(b, p.name.base, state);
      params.push_back(kept.loop_param);
      from.push_back(add(p.name.base, p.type, p.unique, state));
    }
    std::vector<Name> states;
    for (const Kept& kept : kept_) states.push_back(add(kept.param.name.base, kept.param.type, true, kept.param.name));
    const Name now = add("slot", number, false, slot), place = add("place", number, false, place_.name), first = add("first", number, false, place_.name);
    const Name goes_on = add("goes_on", flag, false, b.cmp("goes_on", CmpOpKind::lt, place_.name, step));
    loop.form = WhileLoop{goes_on};

    Builder body(r_.names, b.origin);
    const Atom length = body.binop("length", BinOpKind::add, body.binop("length", BinOpKind::sub, step, first), int_atom(1));
    const Atom stretch = body.let("split", Call{schedule::split_function(r_.derivation), {length, body.binop("free", BinOpKind::sub, slots_, now)}});
    loop.body.result = steps(body, slice(), params, from, first, stretch);
    const Atom next = body.binop("first", BinOpKind::add, first, stretch);
    const Atom more = body.cmp("goes_on", CmpOpKind::lt, next, step);
    const auto kept = keep_here(body, states, loop.body.result, now, place, next, more);
    loop.body.result.insert(loop.body.result.end(), kept.begin(), kept.end());
    loop.body.result.push_back(next);
    loop.body.result.push_back(more);
    loop.body.stms = std::move(body.stms);
    return b.let_all(bases, std::move(loop));
  }

  /// The state goes into the next slot if there are more stretches to come. The numbers apart from the arrays: a host computes them.
  std::vector<Name> keep_here(Builder& b, const std::vector<Name>& states, const std::vector<Atom>& state, const Name& slot, const Name& place,
                              const Atom& here, const Atom& more) const {
    Builder counting(r_.names, b.origin);
    const Atom next = counting.binop("slot", BinOpKind::add, slot, int_atom(1));
    const auto numbers = b.let_all({"slot", "place"}, If{more, {std::move(counting.stms), {next, here}}, {{}, {slot, place}}});
    std::vector<Name> kept;
    for (std::size_t k = 0; k < states.size(); ++k) {
      Builder keeping(r_.names, b.origin);
      const Name after = keeping.let(states[k].base, Update{states[k], {numbers[0]}, state[k], false});
      kept.push_back(b.let(states[k].base, If{more, {std::move(keeping.stms), {after}}, {{}, {states[k]}}}));
    }
    kept.insert(kept.end(), numbers.begin(), numbers.end());
    return kept;
  }

  /// The loop's body, as far as the state needs it.
  Body slice() const {
    NameSet used;
    for (const Kept& kept : kept_)
      if (const Name* name = name_in(loop_.body.result[kept.loop_param])) used.insert(*name);
    return {needed_part(loop_.body.stms, used), loop_.body.result};
  }

  Reverse& r_;
  const Stm& stm_;
  const Loop& loop_;
  const ForLoop& form_;
  NameSet needed_;
  Atom count_, places_, slots_;  // steps; states between them, with that at the end, where the schedule turns round; states kept
  std::vector<Kept> kept_;
  Param top_, place_;
  std::array<Atom, 2> tops_;  // slots in use after the forward loop, and the step of the last one
};

}  // namespace

bool has_checkpoints(const Stm& loop) { return checkpoint_attribute(loop) != nullptr; }

std::unique_ptr<LoopStates> checkpoints_of(Reverse& reverse, const Stm& loop) { return std::make_unique<Checkpoints>(reverse, loop); }

}  // namespace boustro::ad
