#include "transform/simplify/hoist.hpp"

#include <algorithm>

#include "transform/ir/traversal.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

bool is_total(const Exp& exp, Context& context);

bool is_total(const Body& body, Context& context) {
  const std::size_t mark = context.sizes.enter_scope();
  const bool total = std::all_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
    const bool statement_is = is_total(stm.exp, context);
    context.sizes.define(stm);
    return statement_is;
  });
  context.sizes.leave_scope(mark);
  return total;
}

/// No array of a negative size. Where the expression stands it may be known to run only if there is none.
bool makes_no_negative_size(const Exp& exp, const Context& context) {
  const Shape made = sizes_made_by(exp);
  return std::all_of(made.begin(), made.end(), [&](const Atom& size) { return context.not_negative(size); });
}

/// Cannot fail and ends. An unchecked index is only known to be good where it stands, under the
/// conditions of its scope.
bool is_total(const Exp& exp, Context& context) {
  if (std::holds_alternative<Jvp>(exp) || std::holds_alternative<Vjp>(exp) ||
      std::holds_alternative<WithVjp>(exp) || std::holds_alternative<Call>(exp)) {
    return false;
  }
  if (const auto* index = std::get_if<Index>(&exp)) return context.in_bounds(index->indices, index->array);
  if (const auto* loop = std::get_if<Loop>(&exp); loop && loop->form.index() == 1) return false;
  if (may_fail(exp) || !makes_no_negative_size(exp, context)) return false;
  const std::size_t mark = context.sizes.enter_scope();
  context.sizes.enter(exp);
  bool total = true;
  for_each_body(exp, [&](const Body& body) { total = total && is_total(body, context); });
  context.sizes.leave_scope(mark);
  return total;
}

/// Costs nothing where it is used, but might become an array in memory where it is moved to. Not so what is only rearranged, whose
/// adjoint, in reverse mode, is then one array for all points.
bool is_virtual(const Exp& exp, const Context& context) {
  if (const auto* replicate = std::get_if<Replicate>(&exp)) {
    return context.names.type_of(replicate->value).is_scalar();
  }
  return std::holds_alternative<Iota>(exp) || std::holds_alternative<Reshape>(exp);
}

bool is_consuming(const Exp& exp) {
  return std::holds_alternative<Update>(exp) || std::holds_alternative<Scatter>(exp) ||
         std::holds_alternative<ReduceByIndex>(exp) || std::holds_alternative<WithAcc>(exp) ||
         std::holds_alternative<UpdateAcc>(exp) || std::holds_alternative<Scratch>(exp);
}

bool can_move(const Stm& stm, const NameSet& local, bool must_be_total, Context& context) {
  if (is_consuming(stm.exp) || stm.pattern.empty()) return false;
  for (const Param& param : stm.pattern) {
    if (!context.settled(param.name)) return false;
  }
  for (const Name& name : free_names(stm)) {
    if (local.contains(name) || !context.names.knows(name) || !context.settled(name)) return false;
  }
  return !must_be_total || is_total(stm.exp, context);
}

/// Of the statements that can move, those that are worth it, or that one that is needs.
std::vector<bool> worth_moving(const std::vector<Stm>& stms, std::vector<bool> movable,
                               const Context& context) {
  NameSet needed;
  for (std::size_t i = stms.size(); i-- > 0;) {
    if (!movable[i]) continue;
    const auto& pattern = stms[i].pattern;
    const bool is_needed = std::any_of(pattern.begin(), pattern.end(),
                                       [&](const Param& p) { return needed.contains(p.name); });
    movable[i] = is_needed || !is_virtual(stms[i].exp, context);
    if (movable[i]) needed.merge(free_names(stms[i]));
  }
  return movable;
}

std::vector<Stm> take_invariants(Body& body, NameSet local, bool must_be_total,
                                 Context& context) {
  std::vector<bool> movable;
  for (const Stm& stm : body.stms) {
    movable.push_back(can_move(stm, local, must_be_total, context));
    if (movable.back()) {
      context.sizes.define(stm);
      continue;
    }
    for (const Param& param : stm.pattern) local.insert(param.name);
  }
  if (std::find(movable.begin(), movable.end(), true) == movable.end()) return {};
  movable = worth_moving(body.stms, std::move(movable), context);
  std::vector<Stm> taken;
  for (std::size_t i = 0; i < movable.size(); ++i) {
    if (movable[i]) taken.push_back(std::move(body.stms[i]));
  }
  erase_flagged(body.stms, movable);
  return taken;
}

std::vector<Stm> from_lambda(Lambda& fn, bool must_be_total, Context& context) {
  NameSet local;
  for (const Param& param : fn.params) local.insert(param.name);
  return take_invariants(fn.body, std::move(local), must_be_total, context);
}

std::vector<Stm> from_loop(Loop& loop, Context& context) {
  NameSet local;
  for (const LoopParam& p : loop.params) local.insert(p.param.name);
  if (const auto* form = std::get_if<ForLoop>(&loop.form)) local.insert(form->index);
  return take_invariants(loop.body, std::move(local), true, context);
}

}  // namespace

std::vector<Stm> hoist_invariants(Exp& exp, Context& context) {
  const std::size_t mark = context.sizes.enter_scope();
  for (const Atom& size : sizes_made_by(exp)) context.sizes.declare(size);  // else it fails anyway
  auto invariants = match(
      exp, [&](Loop& e) { return from_loop(e, context); },
      [&](Map& e) { return from_lambda(e.fn, true, context); },
      [&](Reduce& e) { return from_lambda(e.op, true, context); },
      [&](Scan& e) { return from_lambda(e.op, true, context); },
      [&](MapReduce& e) { return from_lambda(e.fn, true, context); },
      [&](MapScan& e) { return from_lambda(e.fn, true, context); },
      [&](ReduceByIndex& e) { return from_lambda(e.fn, true, context); },
      // Runs exactly once: what does not touch the accumulators may as well stand before.
      [&](WithAcc& e) { return from_lambda(e.fn, false, context); },
      [](auto&) { return std::vector<Stm>{}; });
  context.sizes.leave_scope(mark);
  return invariants;
}

}  // namespace boustro::simplify
