// Reverse mode: loops whose arrays change size.
//
// Rule      y = loop x = x0 for i < n do e    gives    forward: the same; return: for i = n-1, ..., 0: the loop again, up to i, which
//             yields x as it was, then e's forward and return sweep with the adjoints of x, whose sizes are those of x, and
//             of what is free in e as parameters; at the end x0_adj += x_adj
// Applies   for loops, and while loops once their iterations are counted. Accumulators among the parameters are refused
// Cost      n / 2 runs of the loop, and no memory for states: arrays of different sizes have no place in one array of states
// Source    derived; [AD], 4.3, where a chunk of a strip-mined loop is run again
//
// Before:      def f (n: i64) (xs: [2]f64): f64 = f64.sum (loop (ys: []f64) = xs for _i < n do ys ++ [ys[0] * ys[1]])
// After vjp:   def f_vjp (n: i64) (xs: [2]f64) (y_adj: f64): [2]f64 =
//                let run (m: i64) : []f64 = loop (ys: []f64) = xs for _i < m do ys ++ [ys[0] * ys[1]]
//                let xs_adj = loop (zs_adj: []f64) = map (\_ -> y_adj) (run n) for j < n do
//                  let ys = run (n - 1 - j)
//                  let last = zs_adj[length ys]
//                  in map (\i -> zs_adj[i] + (if i < 2 then ys[1 - i] * last else 0)) (iota (length ys))
//                in xs_adj :> [2]f64
#include <algorithm>

#include "transform/ad/reverse/loop.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

class ResizedReversal {
 public:
  ResizedReversal(Reverse& r, const Stm& stm)
      : r_(r),
        stm_(stm),
        loop_(std::get<Loop>(stm.exp)),
        form_(std::get<ForLoop>(loop_.form)),
        forward_b_(r.forward_builder(stm, "reverse_loop_resized")),
        b_(r.builder(stm, "reverse_loop_resized")),
        inner_(r.names, b_.origin) {}

  Sweeps run() {
    keep_starts();
    forward_b_.add(stm_);
    name_adjoints();
    const Adjoints outside = r_.adjoints;
    sweep_body();
    r_.adjoints = outside;
    if (!carried_.empty()) make_return_loop();
    return {std::move(forward_b_.stms), std::move(b_.stms)};
  }

 private:
  /// An adjoint that the return loop carries, or a size of such.
  struct Carried {
    Param param;
    Atom init, result;
    std::optional<std::size_t> loop_param;  // whose adjoint it is; else that of a name free in the body
    Name name;
  };

  /// What the loop begins with, for when it is run again: copies of what it consumes.
  void keep_starts() {
    for (const LoopParam& p : loop_.params) {
      if (p.param.type.accumulator)
        refuse_derivative(r_.derivation, stm_, "a loop with an accumulator, whose arrays change size", p.param.name.base);
      starts_.push_back(p.param.unique ? fresh_copy(forward_b_, p.param.name.base, p.init) : p.init);
    }
  }

  void name_adjoints() {
    NameSet bound{form_.index};
    for (const LoopParam& p : loop_.params) bound.insert(p.param.name);
    std::vector<std::size_t> active;
    NameSet sizes;
    for (std::size_t i = 0; i < loop_.params.size(); ++i) {
      const Param& param = loop_.params[i].param;
      if (!r_.activity.active(param.name)) continue;
      active.push_back(i);
      for (const Atom& size : param.type.shape)
        if (const Name* name = name_in(size)) sizes.insert(*name);
    }
    // Sizes first, since the types of the others mention them.
    for (std::size_t i = 0; i < loop_.params.size(); ++i) {
      const Param& param = loop_.params[i].param;
      if (!sizes.contains(param.name)) continue;
      const Param size = r_.names.fresh_param(param.name.base, param.type);
      sizes_.emplace(param.name, size.name);
      carried_.push_back({size, stm_.pattern[i].name, param.name, i, {}});
    }
    size_count_ = carried_.size();
    for (const std::size_t i : active) {
      const Name& name = loop_.params[i].param.name;
      Type type = r_.adjoints.type_of(name);
      substitute(type, sizes_);
      carried_.push_back({fresh(name, type), r_.adjoints.take_owned(b_, stm_.pattern[i].name), {}, i, name});
    }
    for (const Name& name : active_free_names(r_, loop_.body, bound)) {
      Type type = r_.adjoints.type_of(name);
      type.accumulator = r_.adjoints.is_accumulated(name);
      carried_.push_back({fresh(name, type), {}, {}, std::nullopt, name});
    }
  }

  Param fresh(const Name& name, const Type& type) {
    return r_.names.fresh_param(adj_name(name), type, !type.shape.empty() && !type.accumulator);
  }

  void sweep_body() {
    for (std::size_t k = size_count_; k < carried_.size(); ++k) {
      const Carried& carried = carried_[k];
      if (carried.loop_param) continue;
      carried.param.type.accumulator ? r_.adjoints.set(carried.name, AccumulatedAdjoint{carried.param.name})
                                     : r_.adjoints.set(carried.name, DenseAdjoint{carried.param.name, true});
    }
    for (std::size_t k = size_count_; k < carried_.size(); ++k) {
      if (!carried_[k].loop_param) continue;
      const Atom& result = loop_.body.result[*carried_[k].loop_param];
      r_.adjoints.add(inner_, result, coerced(inner_, carried_[k].param.name, r_.adjoints.type_of(result)));
    }
    ScopeSweep body(r_, loop_.body.stms);
    inner_.add(body.reverse);
    drop_what_stays();
    Body results;
    for (std::size_t k = size_count_; k < carried_.size(); ++k) {
      const auto* acc = std::get_if<AccumulatedAdjoint>(&r_.adjoints.of(carried_[k].name));
      carried_[k].result = acc ? Atom(acc->accumulator) : r_.adjoints.take_owned(inner_, carried_[k].name);
    }
    for (const Carried& carried : carried_) results.result.push_back(carried.result);
    NameSet needed = free_names(results);
    rerun_ = reexecution(r_, body.forward(), inner_.stms, needed);
  }

  /// Adjoints of free names to which an iteration adds nothing.
  void drop_what_stays() {
    std::erase_if(carried_, [&](const Carried& carried) {
      if (carried.loop_param) return false;
      if (const auto* acc = std::get_if<AccumulatedAdjoint>(&r_.adjoints.of(carried.name)))
        return acc->accumulator == carried.param.name;
      const auto* dense = std::get_if<DenseAdjoint>(&r_.adjoints.of(carried.name));
      return dense && dense->value == Atom(carried.param.name);
    });
  }

  /// i = n - 1 - step, and the parameters as they are when iteration i begins.
  void run_to_iteration(Builder& body, const Name& step) {
    const Atom last = body.binop("last", BinOpKind::sub, form_.bound, PrimValue::one(form_.type));
    body.let({{form_.index, scalar(form_.type), false}}, BinOp{BinOpKind::sub, form_.type, last, Atom(step)});
    Loop again = std::get<Loop>(rename(Body{{{stm_.pattern, loop_, b_.origin, {}}}, {}}, r_.names).stms.at(0).exp);
    std::get<ForLoop>(again.form).bound = Atom(form_.index);
    std::vector<Param> pattern;
    for (std::size_t i = 0; i < again.params.size(); ++i) {
      LoopParam& p = again.params[i];
      p.init = p.param.unique ? fresh_copy(body, p.param.name.base, starts_[i]) : starts_[i];
      p.true_dep = false;
      pattern.push_back({loop_.params[i].param.name, loop_.params[i].param.type, false});
    }
    body.let(std::move(pattern), std::move(again));
  }

  void make_return_loop() {
    Loop loop{{}, ForLoop{r_.names.bind_fresh("step", scalar(form_.type)), form_.type, form_.bound}, {}};
    Builder body(r_.names, b_.origin);
    run_to_iteration(body, std::get<ForLoop>(loop.form).index);
    body.add(rerun_);
    body.add(inner_.stms);
    NameSet owned;
    std::vector<Param> pattern;
    for (Carried& carried : carried_) {
      if (!carried.loop_param) carried.init = initial(carried.name);
      loop.params.push_back({carried.param, carried.init});
      loop.body.result.push_back(carried.result);
      owned.insert(carried.param.name);
      pattern.push_back({r_.names.fresh(carried.param.name), carried.param.type, false});
    }
    Substitution last_sizes;
    for (std::size_t k = 0; k < carried_.size(); ++k) {
      if (k < size_count_) last_sizes.emplace(carried_[k].param.name, pattern[k].name);
      substitute(pattern[k].type, last_sizes);
      r_.names.bind(pattern[k].name, pattern[k].type);
    }
    loop.body.stms = std::move(body.stms);
    loop.body = closed(r_, std::move(loop.body), owned);
    b_.let(pattern, std::move(loop));
    hand_on(pattern);
  }

  Atom initial(const Name& name) {
    if (const auto* acc = std::get_if<AccumulatedAdjoint>(&r_.adjoints.of(name))) return acc->accumulator;
    return r_.adjoints.take_owned(b_, name);
  }

  /// What the loop took and changed comes first: an initial value may be free in the body, too.
  void hand_on(const std::vector<Param>& results) {
    for (std::size_t k = size_count_; k < carried_.size(); ++k) {
      if (carried_[k].loop_param) continue;
      carried_[k].param.type.accumulator ? r_.adjoints.set(carried_[k].name, AccumulatedAdjoint{results[k].name})
                                         : r_.adjoints.set(carried_[k].name, DenseAdjoint{results[k].name, true});
    }
    for (std::size_t k = size_count_; k < carried_.size(); ++k) {
      if (!carried_[k].loop_param) continue;
      const Atom& init = loop_.params[*carried_[k].loop_param].init;
      if (name_in(init)) r_.adjoints.add(b_, init, coerced(b_, results[k].name, r_.adjoints.type_of(init)));
    }
  }

  Reverse& r_;
  const Stm& stm_;
  const Loop& loop_;
  const ForLoop& form_;
  Builder forward_b_, b_, inner_;
  std::vector<Atom> starts_;
  std::vector<Carried> carried_;  // sizes first
  std::size_t size_count_ = 0;
  Substitution sizes_;  // of the primal's arrays, to those of their adjoints
  std::vector<Stm> rerun_;
};

}  // namespace

bool changes_sizes(const Loop& loop) {
  NameSet params;
  for (const LoopParam& p : loop.params) params.insert(p.param.name);
  return std::any_of(loop.params.begin(), loop.params.end(),
                     [&](const LoopParam& p) { return !is_closed_type(p.param.type, params); });
}

Sweeps reverse_resized_loop(Reverse& r, const Stm& stm) { return ResizedReversal(r, stm).run(); }

}  // namespace boustro::ad
