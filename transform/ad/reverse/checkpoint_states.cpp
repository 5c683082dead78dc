#include "transform/ad/reverse/checkpoint_states.hpp"

#include <algorithm>

#include "transform/ad/iteration_log.hpp"
#include "transform/ad/reverse/checkpoint_schedule.hpp"
#include "transform/ad/scope.hpp"
#include "transform/ad/tensor.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

std::vector<Atom> results_of(const std::vector<Param>& pattern) {
  std::vector<Atom> results;
  for (const Param& p : pattern) results.push_back(p.name);
  return results;
}

}  // namespace

const Attribute* checkpoint_attribute(const Stm& stm) {
  const auto is_one = [](const Attribute& a) { return a.name.starts_with("checkpoint"); };
  const auto found = std::find_if(stm.attributes.begin(), stm.attributes.end(), is_one);
  return found == stm.attributes.end() ? nullptr : &*found;
}

std::unique_ptr<LoopStates> checkpoints_of(Reverse& reverse, const Stm& loop) {
  return has_online_checkpoints(loop) ? online_checkpoints(reverse, loop) : binomial_checkpoints(reverse, loop);
}

CheckpointStates::CheckpointStates(Reverse& reverse, const Stm& stm)
    : r_(reverse), stm_(stm), loop_(std::get<Loop>(stm.exp)), form_(std::get<ForLoop>(loop_.form)) {}

void CheckpointStates::emit_forward(Builder& forward, Stm loop, const Atom& count) {
  find_state();
  if (kept_.empty()) return forward.add(std::move(loop));
  Builder b = builder();
  filled_ = forward_loop(b, std::move(loop), count);
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    kept_[k].states = filled_.states[k];
    kept_[k].param = r_.names.fresh_param(param(kept_[k]).name.base + "_states", states_type(kept_[k]), true);
  }
  top_ = r_.names.fresh_param("top", number);
  place_ = r_.names.fresh_param("place", number);
  forward.add(b.stms);
}

std::vector<LoopParam> CheckpointStates::carried() const {
  if (kept_.empty()) return {};
  std::vector<LoopParam> params;
  for (const Kept& kept : kept_) params.push_back({kept.param, kept.states});
  params.push_back({top_, filled_.top});
  params.push_back({place_, filled_.place});
  return params;
}

std::vector<Atom> CheckpointStates::load(Builder& body, const Name& index, const NameSet&) const {
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
  const Atom place_under = this->place(gone, before, under);
  const Atom above = stays.binop("top", BinOpKind::add, last, int_atom(1));
  const auto next = body.let_all({"top", "place"}, If{body.cmp("is_here", CmpOpKind::eq, place, step),
                                                      {std::move(gone.stms), {last, place_under}},
                                                      {std::move(stays.stms), {above, place}}});
  carried.insert(carried.end(), next.begin(), next.end());
  return carried;
}

/// What the return sweep reads of a step, and what other steps compute that from.
void CheckpointStates::find_state() {
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

std::vector<LoopParam> CheckpointStates::empty_states(Builder& b) const {
  std::vector<LoopParam> params;
  for (const Kept& kept : kept_) {
    const std::string base = param(kept).name.base + "_states";
    const Name memory = b.let(base, Scratch{states_type(kept).elem, states_type(kept).shape});
    params.push_back({r_.names.fresh_param(base, states_type(kept), true), memory});
  }
  return params;
}

Name CheckpointStates::keep_if(Builder& b, const Atom& condition, const Name& states, const Atom& slot, const Atom& state) const {
  Builder keeping(r_.names, b.origin);
  const Name after = keeping.let(states.base, Update{states, {slot}, state, false});
  return b.let(states.base, If{condition, {std::move(keeping.stms), {after}}, {{}, {states}}});
}

std::vector<Atom> CheckpointStates::steps(Builder& b, const Body& body, const std::vector<std::size_t>& params, const std::vector<Atom>& from, const Atom& first,
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

/// From the state in the slot on to the step. Yields the state there, the arrays of states, the last slot in use, and the step it stands for.
std::vector<Name> CheckpointStates::advance(Builder& b, const Atom& step, const Atom& slot) const {
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
std::vector<Name> CheckpointStates::keep_here(Builder& b, const std::vector<Name>& states, const std::vector<Atom>& state, const Name& slot, const Name& place,
                            const Atom& here, const Atom& more) const {
  Builder counting(r_.names, b.origin);
  const Atom next = counting.binop("slot", BinOpKind::add, slot, int_atom(1));
  const auto numbers = b.let_all({"slot", "place"}, If{more, {std::move(counting.stms), {next, here}}, {{}, {slot, place}}});
  std::vector<Name> kept;
  for (std::size_t k = 0; k < states.size(); ++k) kept.push_back(keep_if(b, more, states[k], numbers[0], state[k]));
  kept.insert(kept.end(), numbers.begin(), numbers.end());
  return kept;
}

/// The loop's body, as far as the state needs it.
Body CheckpointStates::slice() const {
  NameSet used;
  for (const Kept& kept : kept_)
    if (const Name* name = name_in(loop_.body.result[kept.loop_param])) used.insert(*name);
  return {needed_part(loop_.body.stms, used), loop_.body.result};
}

}  // namespace boustro::ad
