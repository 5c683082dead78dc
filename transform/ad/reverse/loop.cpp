// Reverse mode: loops.
//
// Rule      y = loop x = x0 for i < n do e    gives    forward: the same, which also stores at each i
//             the parameters that the return sweep reads; return: for i = n-1, ..., 0: load them, run e's forward sweep
//             again and then its return sweep, with the adjoints of x and of what is free in e as
//             parameters; at the end x0_adj += x_adj
// Applies   for loops. While loops: loop_while.cpp, loop_bound.cpp; strip-mining: loop_stripmine.cpp; fewer states: loop_checkpoint.cpp,
//           loop_checkpoint_online.cpp, loop_fixed_point.cpp;
//           parameters whose sizes change from iteration to iteration: loop_resized.cpp
// Cost      e once more, but for what #[keep] asks for and, where that is little, its inner loops; stores n values for each parameter that is
//           read and for what is kept, none if the loop only accumulates. Of an array that e updates
//           in place it stores what is overwritten, and takes that back step by step: ad/undo.hpp. Of an array with
//           #[true_dep] nothing: no element changes after it was read, so the return loop reads all of them in y
// Source    [AD], 4.2, 4.3 and 6.2; Futhark issue "Reverse AD: more nuanced handling of consumed arrays"
//
// Before:      def f (n: i64) (x: f64): f64 = loop y = x for i < n do y * y
// After vjp:   def f_vjp (n: i64) (x: f64) (y_adj: f64): f64 =
//                let (_, ys) = loop (y, ys) = (x, replicate n 0) for i < n do (y * y, ys with [i] = y)
//                in loop y_adj for j < n do let y = ys[n - 1 - j] in y_adj * y + y_adj * y
#include <algorithm>

#include "frontend/source/diagnostics.hpp"
#include "transform/ad/fixed_point.hpp"
#include "transform/ad/keep.hpp"
#include "transform/ad/reverse/loop_checkpoint.hpp"
#include "transform/ad/reverse/iteration_store.hpp"
#include "transform/ad/reverse/loop.hpp"
#include "transform/ad/reverse/loop_bound.hpp"
#include "transform/ad/rules.hpp"
#include "transform/ad/undo.hpp"
#include "transform/facts/history.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// What adds to an accumulator cannot be run again on the way to a step.
bool carries_accumulators(const Loop& loop) {
  return std::any_of(loop.params.begin(), loop.params.end(), [](const LoopParam& p) { return p.param.type.accumulator; });
}

class LoopReversal {
 public:
  /// `going_on`: the condition of the while loop for which the for loop stands, with a bound or online checkpoints.
  LoopReversal(Reverse& r, const Stm& stm, std::optional<Name> going_on = std::nullopt)
      : r_(r),
        stm_(stm),
        loop_(std::get<Loop>(stm.exp)),
        form_(std::get<ForLoop>(loop_.form)),
        going_on_(std::move(going_on)),
        count_(form_.bound),
        forward_b_(r.forward_builder(stm, "reverse_loop")),
        b_(r.builder(stm, "reverse_loop")),
        inner_(r.names, b_.origin) {
    if (has_checkpoints(stm) && !carries_accumulators(loop_))
      states_ = checkpoints_of(r, stm);
    else
      states_ = std::make_unique<IterationStore>(r, forward_b_, forward_);
  }

  Sweeps run() {
    find_finals();
    name_adjoints();
    const Adjoints outside = r_.adjoints;
    sweep_body();
    collect_results();
    r_.adjoints = outside;
    Stm& forward = store_states();
    emit_forward(forward);
    make_return_loop();
    std::erase_if(r_.finals, [&](const auto& pair) { return promised_.contains(std::get<Name>(pair.second)); });
    return {std::move(forward_b_.stms), std::move(b_.stms)};
  }

 private:
  /// An adjoint that the return loop carries: of a loop parameter, or of a name that is free in the
  /// body.
  struct Carried {
    Name name;
    Param param;
    Atom init, result;
    std::size_t loop_param = 0;
    bool is_free = false;
  };

  /// Of arrays with #[true_dep] the return loop reads the last version: what was read of an earlier one, that has, too.
  /// In an inner loop that makes the promise, too, that is the last one of the outer loop, which has the inner versions among its own.
  void find_finals() {
    for (std::size_t i = 0; i < loop_.params.size(); ++i) {
      const LoopParam& p = loop_.params[i];
      const Name& y = stm_.pattern[i].name;
      const auto versions = p.true_dep && states_->keeps_values() ? facts::versions_of(loop_, i) : std::nullopt;
      if (!versions) continue;
      const auto outer = r_.finals.find(y);
      const bool is_inner = outer != r_.finals.end();
      r_.derivation.trace("keep_final", stm_);
      const Atom last = is_inner ? outer->second : coerced(b_, y, p.param.type);
      for (const Name& version : *versions) r_.finals.insert_or_assign(version, last);
      if (!is_inner) promised_.insert(std::get<Name>(last));
    }
  }

  void name_adjoints() {
    NameSet bound{form_.index};
    for (const LoopParam& p : loop_.params) bound.insert(p.param.name);
    for (std::size_t i = 0; i < loop_.params.size(); ++i) {
      const Param& param = loop_.params[i].param;
      const Name& y = stm_.pattern[i].name;
      if (param.type.accumulator) {
        if (!r_.adjoints.is_zero(y)) accumulator_adjoints_.emplace_back(i, r_.adjoints.take(b_, y));
      } else if (r_.activity.active(param.name)) {
        const Type type = r_.adjoints.type_of(param.name);
        Carried carried{param.name,
                        fresh(param.name, type),
                        coerced(b_, r_.adjoints.take_owned(b_, y), type),
                        {},
                        i,
                        false};
        carried_.push_back(std::move(carried));
      }
    }
    for (const Name& name : active_free_names(r_, loop_.body, bound)) {
      Type type = r_.adjoints.type_of(name);
      type.accumulator = r_.adjoints.is_accumulated(name);
      carried_.push_back({name, fresh(name, type), {}, {}, 0, true});
    }
  }

  /// A parameter that the body updates in place: the return loop takes the updates back.
  struct Updated {
    std::size_t loop_param = 0;
    Param state;            // of the return loop: the array after the iteration
    Atom result;            // the array before it, at the end of the return loop's body
    bool is_rerun = false;  // the return loop's body updates it again
    LoggedLoop logged;
  };

  Param fresh(const Name& name, const Type& type) {
    return r_.names.fresh_param(adj_name(name), type, !type.shape.empty() && !type.accumulator);
  }

  void sweep_body() {
    for (const Carried& carried : carried_) {
      if (!carried.is_free) continue;
      if (carried.param.type.accumulator)
        r_.adjoints.set(carried.name, AccumulatedAdjoint{carried.param.name});
      else
        r_.adjoints.set(carried.name, DenseAdjoint{carried.param.name, true});
    }
    for (const auto& [i, adjoint] : accumulator_adjoints_)
      r_.adjoints.set(std::get<Name>(loop_.body.result[i]), DenseAdjoint{adjoint});
    for (const Carried& carried : carried_)
      if (!carried.is_free)
        r_.adjoints.add(inner_, loop_.body.result[carried.loop_param], carried.param.name);
    warm_.bound = bound_names(loop_.body.stms);
    WarmStarts* const outer = std::exchange(r_.warm_starts, &warm_);
    body_ = std::make_unique<ScopeSweep>(r_, loop_.body.stms);
    r_.warm_starts = outer;
    inner_.add(body_->reverse);
  }

  void collect_results() {
    std::erase_if(carried_, [&](const Carried& carried) {
      if (!carried.is_free) return false;
      if (const auto* acc = std::get_if<AccumulatedAdjoint>(&r_.adjoints.of(carried.name)))
        return acc->accumulator == carried.param.name;
      const auto* dense = std::get_if<DenseAdjoint>(&r_.adjoints.of(carried.name));
      return dense && dense->value == Atom(carried.param.name);
    });
    for (Carried& carried : carried_) {
      if (const auto* acc = std::get_if<AccumulatedAdjoint>(&r_.adjoints.of(carried.name)))
        carried.result = acc->accumulator;
      else
        carried.result = r_.adjoints.take_owned(inner_, carried.name);
    }
    keeps_loops_ = loops_pay();
    while (!find_rerun()) {
    }
  }

  /// Adjoints that the return loop's body yields, and what warm starts take from one to the next.
  std::vector<Atom> results_of_body() const {
    std::vector<Atom> results;
    for (const Carried& carried : carried_) results.push_back(carried.result);
    results.insert(results.end(), warm_.solved.begin(), warm_.solved.end());
    return results;
  }

  /// Whether the return loop would run inner loops again for which it is not worth it: what they yield is then kept.
  bool loops_pay() {
    if (!states_->keeps_values() || !can_be_undone_as_well()) return false;
    const Body results{{}, results_of_body()};
    const std::vector<Stm> stms = body_->forward();
    NameSet needed = free_names(results);
    reexecution(r_, stms, inner_.stms, needed);
    std::vector<Type> states;
    std::vector<Stm> sizes = stms;
    for (std::size_t i = 0; i < loop_.params.size(); ++i)
      if (needed.contains(loop_.params[i].param.name)) add_kept_of_state(i, states, sizes);
    return ad::loops_pay(r_, stms, {inner_.stms, results.result}, bound_in_step(stms), states, sizes);
  }

  /// Of the body's forward sweep, which then takes the place of the body, the updates of parameters that can be taken back of that.
  bool can_be_undone_as_well() const {
    const Stm swept = with_swept_body();
    for (std::size_t i = 0; i < loop_.params.size(); ++i)
      if (loop_.params[i].param.unique && UndoMaker(r_).of_iterations(stm_, i) && !UndoMaker(r_).of_iterations(swept, i)) return false;
    return true;
  }

  /// The parameter's value or, if its updates can be taken back, what these overwrite; and statements that say how large that is.
  void add_kept_of_state(std::size_t param, std::vector<Type>& types, std::vector<Stm>& sizes) {
    const Param& state = loop_.params[param].param;
    const auto logged = state.unique ? UndoMaker(r_).of_iterations(with_swept_body(), param) : std::nullopt;
    if (!logged) return types.push_back(state.type);
    for (const LogEntry& entry : logged->logs) types.push_back(entry.type);
    sizes.insert(sizes.end(), logged->before.begin(), logged->before.end());
  }

  NameSet bound_in_step(const std::vector<Stm>& stms) const {
    NameSet bound = bound_names(stms);
    bound.insert(form_.index);
    for (const LoopParam& p : loop_.params) bound.insert(p.param.name);
    return bound;
  }

  /// What the return loop runs again, and which arrays it therefore takes back from iteration to
  /// iteration. False if that calls for more to be run again.
  bool find_rerun() {
    Body results{{}, results_of_body()};
    for (const Updated& updated : updated_) {
      results.result.push_back(updated.result);
      results.result.push_back(loop_.params[updated.loop_param].param.name);
    }
    needed_ = free_names(results);
    rerun_ = reexecution(r_, without_kept(results.result), inner_.stms, needed_);
    bool complete = true;
    for (std::size_t i = 0; i < loop_.params.size(); ++i) {
      const Param& param = loop_.params[i].param;
      const auto known = [&](const Updated& updated) { return updated.loop_param == i; };
      if (!param.unique || !needed_.contains(param.name) ||
          std::any_of(updated_.begin(), updated_.end(), known))
        continue;
      if (!states_->keeps_values() || !can_be_undone(i)) continue;
      updated_.push_back(
          {i, r_.names.fresh_param(param.name.base, param.type, true), param.name, false, {}});
      complete = false;
    }
    for (const Name& name : consumed_from_outside(r_, rerun_))
      for (Updated& updated : updated_) {
        if (updated.is_rerun || loop_.params[updated.loop_param].param.name != name) continue;
        updated.is_rerun = true;
        updated.result = body_->as_at_entry(inner_, name);
        complete = false;
      }
    return complete;
  }

  /// Whether the updates of a parameter can be taken back, if need be with the body's forward sweep in place of the
  /// body: that counts while loops.
  bool can_be_undone(std::size_t param) {
    const bool is_swept = swept_body_ || !kept_.names.empty();
    if (UndoMaker(r_).of_iterations(is_swept ? with_swept_body() : stm_, param)) return true;
    if (is_swept || !UndoMaker(r_).of_iterations(with_swept_body(), param)) return false;
    swept_body_ = true;
    return true;
  }

  Stm with_swept_body() const {
    Stm stm = stm_;
    std::get<Loop>(stm.exp).body.stms = body_->forward();
    return stm;
  }

  /// The body's forward sweep without what the forward loop keeps, and the sizes of that.
  std::vector<Stm> without_kept(const std::vector<Atom>& results) {
    std::vector<Stm> stms = body_->forward();
    if (!states_->keeps_values()) return stms;
    kept_ = kept_of_step(r_, stms, {inner_.stms, results}, bound_in_step(stms), keeps_loops_);
    erase_kept(stms, kept_.names);
    for (const Stm& size : kept_.sizes) erase_definition(stms, size.pattern[0].name);
    return stms;
  }

  /// The forward loop, which stores what the return sweep reads.
  Stm& store_states() {
    const bool keeps = !kept_.names.empty();
    Stm& forward = forward_ = keeps || swept_body_ ? with_swept_body() : stm_;
    if (kept_.asked) forward.attributes.push_back({"keep", {}});
    if (keeps) {
      auto& stms = std::get<Loop>(forward.exp).body.stms;
      for (const Stm& size : kept_.sizes) erase_definition(stms, size.pattern[0].name);
      forward_b_.add(kept_.sizes);
    }
    for (Updated& updated : updated_) {
      r_.derivation.trace("restore_loop", stm_);
      updated.logged = *UndoMaker(r_).of_iterations(forward, updated.loop_param);
      forward_b_.add(updated.logged.before);
      forward = updated.logged.forward.back();
      updated.logged.forward.pop_back();
      forward_b_.add(updated.logged.forward);
    }
    std::erase_if(forward.attributes, [](const Attribute& a) { return a.name == "stripmine" || a.name.starts_with("checkpoint"); });
    for (std::size_t i = 0; i < loop_.params.size(); ++i) {
      const Param& param = loop_.params[i].param;
      const auto is_updated = [&](const Updated& updated) { return updated.loop_param == i; };
      if (param.type.accumulator || !needed_.contains(param.name)) continue;
      if (std::any_of(updated_.begin(), updated_.end(), is_updated)) continue;
      r_.derivation.trace("keep_states", stm_);
      std::get<Loop>(forward.exp).params[i].true_dep = false;  // all of it is read now, to be stored
      states_->keep(param);
    }
    for (const Name& name : kept_.names) states_->keep({name, r_.names.type_of(name), false});
    return forward;
  }

  /// The forward loop with what it stores. A while loop counts its iterations on the way.
  void emit_forward(Stm& forward) {
    std::optional<Counted> bounded;
    if (going_on_ && has_online_checkpoints(stm_)) {
      count_ = as_while_loop(r_.names, forward, *going_on_);
    } else if (going_on_) {
      bounded = as_counting_loop(forward_b_, forward, *going_on_);
      count_ = bounded->iterations;
    }
    states_->emit_forward(forward_b_, std::move(forward), count_);
    if (bounded) assert_bound(forward_b_, bounded->is_bounded, *bound_of(stm_));
  }

  void make_return_loop() {
    if (carried_.empty()) return hand_on();
    std::vector<std::string> bases;
    Loop loop{
        {}, ForLoop{r_.names.bind_fresh("step", scalar(form_.type)), form_.type, count_}, {}};
    for (Carried& carried : carried_) {
      if (carried.is_free) carried.init = initial(carried);
      loop.params.push_back({carried.param, carried.init});
      loop.body.result.push_back(carried.result);
      bases.push_back(adj_name(carried.name));
    }
    for (const Updated& updated : updated_) {
      loop.params.push_back(
          {updated.state, coerced(b_, stm_.pattern[updated.loop_param].name, updated.state.type)});
      loop.body.result.push_back(updated.result);
      bases.push_back(updated.state.name.base);
    }
    Builder body(r_.names, b_.origin);
    const std::vector<LoopParam> of_states = states_->carried();
    const std::vector<Atom> next_states = load_states(body, std::get<ForLoop>(loop.form).index);
    for (std::size_t i = 0; i < of_states.size(); ++i) {
      loop.params.push_back(of_states[i]);
      loop.body.result.push_back(next_states[i]);
      bases.push_back(of_states[i].param.name.base);
    }
    for (std::size_t i = 0; i < warm_.before.size(); ++i) {
      loop.params.push_back({warm_.before[i], zeros(b_, warm_.before[i].name.base, warm_.before[i].type)});
      loop.body.result.push_back(warm_.solved[i]);
      bases.push_back(warm_.before[i].name.base);
    }
    take_back_updates(body);
    body.add(rerun_);
    body.add(inner_.stms);
    loop.body.stms = std::move(body.stms);
    substitute(loop.body, r_.finals);
    loop = closed_loop(std::move(loop));
    const auto results = b_.let_all(bases, std::move(loop));
    // What the loop took and changed comes first: an initial value may be free in the body, too.
    for (std::size_t i = 0; i < carried_.size(); ++i) {
      const Carried& carried = carried_[i];
      if (!carried.is_free) continue;
      if (carried.param.type.accumulator)
        r_.adjoints.set(carried.name, AccumulatedAdjoint{results[i]});
      else
        r_.adjoints.set(carried.name, DenseAdjoint{results[i], true});
    }
    for (std::size_t i = 0; i < carried_.size(); ++i)
      if (!carried_[i].is_free)
        r_.adjoints.add(b_, loop_.params[carried_[i].loop_param].init, results[i]);
    for (std::size_t i = 0; i < updated_.size(); ++i) {
      const Name* init = name_in(loop_.params[updated_[i].loop_param].init);
      if (init)
        r_.handed_back.emplace_back(
            *init, coerced(b_, results[carried_.size() + i], r_.names.type_of(*init)));
    }
    hand_on();
  }

  Atom initial(const Carried& carried) {
    if (const auto* acc = std::get_if<AccumulatedAdjoint>(&r_.adjoints.of(carried.name)))
      return acc->accumulator;
    return r_.adjoints.take_owned(b_, carried.name);
  }

  /// i = n - 1 - step, and the parameters' values at i.
  std::vector<Atom> load_states(Builder& body, const Name& step) {
    const Atom last = body.binop("last", BinOpKind::sub, count_, PrimValue::one(form_.type));
    body.let({{form_.index, scalar(form_.type), false}},
             BinOp{BinOpKind::sub, form_.type, last, step});
    Builder reading(r_.names, b_.origin);
    reading.add(rerun_);
    reading.add(inner_.stms);
    const auto consumed = consumed_from_outside(r_, reading.stms);
    return states_->load(body, form_.index, {consumed.begin(), consumed.end()});
  }

  /// The arrays that the iteration updated, as they were before it.
  void take_back_updates(Builder& body) {
    for (const Updated& updated : updated_) {
      Substitution saved;
      if (!updated.logged.logs.empty()) {
        load_entries(body, updated.logged.logs, as_i64(body, form_.index), saved);
      }
      const Param& param = loop_.params[updated.loop_param].param;
      bind_as(body, {param.name, param.type, false},
              updated.logged.take_back(body, updated.state.name, saved));
    }
  }

  /// Renames all that the return loop binds.
  Loop closed_loop(Loop loop) {
    NameSet owned;
    for (const LoopParam& p : loop.params) owned.insert(p.param.name);
    Substitution substitution;
    for (LoopParam& p : loop.params) {
      const Name name = r_.names.bind_fresh(p.param.name.base, p.param.type);
      substitution.emplace(p.param.name, name);
      p.param.name = name;
    }
    loop.body = closed(r_, std::move(loop.body), owned);
    substitute(loop.body, substitution);
    return loop;
  }

  void hand_on() {
    for (const auto& [i, adjoint] : accumulator_adjoints_)
      r_.adjoints.set(std::get<Name>(loop_.params[i].init), DenseAdjoint{adjoint});
  }

  Reverse& r_;
  const Stm& stm_;
  const Loop& loop_;
  const ForLoop& form_;
  const std::optional<Name> going_on_;
  Atom count_;  // of iterations, which the bound of a while loop may exceed
  Builder forward_b_, b_, inner_;
  std::vector<Carried> carried_;
  std::vector<std::pair<std::size_t, Atom>> accumulator_adjoints_;
  WarmStarts warm_;
  NameSet promised_;         // the last versions that this loop's earlier ones are read in
  bool keeps_loops_ = false;  // what inner loops yield is kept
  bool swept_body_ = false;  // the forward loop runs its body's forward sweep, not the body
  Kept kept_;                // of what the body's forward sweep binds
  Stm forward_;
  std::unique_ptr<LoopStates> states_;
  std::vector<Updated> updated_;
  std::unique_ptr<ScopeSweep> body_;
  std::vector<Stm> rerun_;
  NameSet needed_;
};

Sweeps reverse_bounded_loop(Reverse& r, const Stm& stm, const Loop& loop) {
  Builder sizes = r.forward_builder(stm, "reverse_loop_bound");
  const Stm counting = as_for_loop(sizes, stm);
  Sweeps sweeps = LoopReversal(r, counting, std::get<WhileLoop>(loop.form).condition).run();
  sweeps.forward.insert(sweeps.forward.begin(), sizes.stms.begin(), sizes.stms.end());
  return sweeps;
}

Sweeps reverse_online_loop(Reverse& r, const Stm& stm, const Loop& loop) {
  const Stm endless = as_endless_loop(r.names, stm);
  return LoopReversal(r, endless, std::get<WhileLoop>(loop.form).condition).run();
}

}  // namespace

Sweeps reverse_loop(Reverse& r, const Stm& stm, const Loop& loop) {
  if (is_fixed_point(stm)) return reverse_fixed_point(r, stm);
  if (changes_sizes(loop)) {
    const auto counted = counted_while_loop(r, stm, loop);
    return counted ? reverse_replacement(r, *counted) : reverse_resized_loop(r, stm);
  }
  const bool is_while = std::holds_alternative<WhileLoop>(loop.form);
  if (is_while && has_online_checkpoints(stm) && !carries_accumulators(loop)) return reverse_online_loop(r, stm, loop);
  if (is_while && has_checkpoints(stm)) return reverse_replacement(r, *counted_while_loop(r, stm, loop));
  if (has_checkpoints(stm)) return LoopReversal(r, stm).run();
  if (const auto nested = stripmined_loop(r, stm, loop)) return reverse_replacement(r, *nested);
  if (bound_of(stm)) return reverse_bounded_loop(r, stm, loop);
  if (const auto counted = counted_while_loop(r, stm, loop))
    return reverse_replacement(r, *counted);
  return LoopReversal(r, stm).run();
}

Sweeps reverse_replacement(Reverse& r, const std::vector<Stm>& replacement) {
  r.activity.analyse(replacement);
  ScopeSweep scope(r, replacement);
  r.handed_back = scope.handed_back();
  return {scope.forward(), std::move(scope.reverse)};
}

}  // namespace boustro::ad
