#include "transform/parallel/inwards/states_in_place.hpp"

#include <algorithm>

#include "transform/ir/params.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;
using Stms = std::vector<Stm>;

class StatesInPlace {
 public:
  StatesInPlace(const Stm& stm, const NameSet& needed, Names& names, const Surroundings& around, const facts::Callees& callees,
                const facts::Aliases& program)
      : stm_(stm), loop_(std::get<Loop>(stm.exp)), needed_(needed), names_(names), around_(around), program_(program), aliases_(loop_.body.stms, callees) {}

  std::optional<Stms> run() {
    const auto* form = std::get_if<ForLoop>(&loop_.form);
    if (!form || !around_.is_outermost) return std::nullopt;
    form_ = *form;
    for (log_ = 0; log_ < loop_.params.size(); ++log_)
      if (keeps_state() && can_be_in_place()) return in_place();
    return std::nullopt;
  }

 private:
  const Stms& stms() const { return loop_.body.stms; }
  const std::vector<Atom>& results() const { return loop_.body.result; }
  const Param& state() const { return loop_.params[state_].param; }

  /// All that the loop does with parameter number log_ is to store another parameter in the row of the step.
  bool keeps_state() {
    const auto& [log, start, true_dep] = loop_.params[log_];
    if (log.type.is_scalar() || log.type.accumulator || !around_.undefined.contains(std::get<Name>(start))) return false;
    std::optional<std::size_t> only;
    for (std::size_t k = 0; k < stms().size(); ++k) {
      if (!free_names(stms()[k]).contains(log.name)) continue;
      if (only) return false;
      only = k;
    }
    const auto* update = only ? std::get_if<Update>(&stms()[*only].exp) : nullptr;
    if (!update || update->array != log.name || update->checked || results()[log_] != Atom(stms()[*only].pattern[0].name)) return false;
    const auto* row = update->indices.size() == 1 ? std::get_if<Atom>(&update->indices[0]) : nullptr;
    const auto kept = std::find_if(loop_.params.begin(), loop_.params.end(), [&](const LoopParam& p) { return update->value == Atom(p.param.name); });
    if (!row || !is_number_of_step(*row) || kept == loop_.params.end() || kept->param.type.is_scalar()) return false;
    update_ = *only;
    state_ = static_cast<std::size_t>(kept - loop_.params.begin());
    return state_ != log_ && is_used_once(stms()[*only].pattern[0].name);
  }

  bool is_used_once(const Name& updated) const {
    return std::none_of(stms().begin(), stms().end(), [&](const Stm& stm) { return free_names(stm).contains(updated); }) &&
           std::count(results().begin(), results().end(), Atom(updated)) == 1;
  }

  bool is_number_of_step(const Atom& row) const {
    if (row == Atom(form_.index)) return true;
    const Name* name = name_in(row);
    return name && std::any_of(stms().begin(), stms().end(), [&](const Stm& stm) {
      const auto* number = std::get_if<Convert>(&stm.exp);
      return number && stm.pattern[0].name == *name && number->operand == Atom(form_.index) && values::is_signed(form_.type);
    });
  }

  bool can_be_in_place() {
    const Name* next = name_in(results()[state_]);
    if (!next || mentions_any(state().type, params_and_bound())) return false;
    next_ = *next;
    const auto made = std::find_if(stms().begin(), stms().end(), [&](const Stm& stm) {
      return std::any_of(stm.pattern.begin(), stm.pattern.end(), [&](const Param& param) { return param.name == next_; });
    });
    if (made == stms().end() || aliases_.is_consumed(state().name) || aliases_.is_consumed(next_)) return false;
    if (!program_.settled(stm_.pattern[log_].name)) return false;
    behind_ = static_cast<std::size_t>(made - stms().begin());
    for (std::size_t k = behind_; k < stms().size(); ++k)
      if (k != update_ && uses(stms()[k], state().name)) behind_ = k;
    for (std::size_t i = 0; i < results().size(); ++i) {
      const Name* name = name_in(results()[i]);
      if (!name || i == log_ || names_.type_of(*name).is_scalar()) continue;
      if (aliases_.may_alias(*name, state().name) || (i != state_ && aliases_.may_alias(*name, next_))) return false;
    }
    return true;
  }

  NameSet params_and_bound() const {
    NameSet names = bound_names(stms());
    for (const LoopParam& p : loop_.params) names.insert(p.param.name);
    return names;
  }

  /// It, or what may be a view of it.
  bool uses(const Stm& stm, const Name& array) const {
    const NameSet used = free_names(stm);
    return std::any_of(used.begin(), used.end(), [&](const Name& name) { return names_.knows(name) && !names_.type_of(name).is_scalar() && aliases_.may_alias(name, array); });
  }

  Stms in_place() {
    Builder to(names_, stm_.origin);
    const Param& log = loop_.params[log_].param;
    Type all = log.type;
    all.shape[0] = to.binop("rows", BinOpKind::add, log.type.shape[0], int_atom(1));
    const Name empty = to.let(log.name.base, Scratch{all.elem, all.shape});
    const Name first = to.let(log.name.base, Update{empty, {int_atom(0)}, std::get<Name>(loop_.params[state_].init), false});

    Loop loop = loop_;
    loop.params[log_] = {names_.fresh_param(log.name.base, all, true), first, loop_.params[log_].true_dep};
    loop.body = body_of(loop.params[log_].param.name);
    loop.params.erase(loop.params.begin() + static_cast<std::ptrdiff_t>(state_));
    std::vector<Param> pattern = stm_.pattern;
    pattern[log_] = names_.fresh_param(pattern[log_].name.base, all);
    const Name filled = pattern[log_].name;
    pattern.erase(pattern.begin() + static_cast<std::ptrdiff_t>(state_));
    to.let(std::move(pattern), std::move(loop), stm_.attributes);

    to.let({stm_.pattern[log_]}, Index{filled, {Slice{int_atom(0), log.type.shape[0], int_atom(1)}}, false});
    const Param& last = stm_.pattern[state_];
    if (needed_.contains(last.name)) {
      const Atom steps = to.binop("steps", BinOpKind::max, number_of(to, form_.bound), int_atom(0));
      const Index row{filled, {steps}, false};
      to.let({last}, Exp(Copy{to.let(last.name.base, row)}));  // both may be results
    }
    return std::move(to.stms);
  }

  Atom number_of(Builder& to, const Atom& number) const { return form_.type == PrimType::i64 ? number : to.convert("number", PrimType::i64, number); }

  /// A step reads its state in the log, and puts the next one behind it.
  Body body_of(const Name& log) {
    Builder body(names_, stm_.origin);
    const Atom step = number_of(body, form_.index), next = body.binop("next_row", BinOpKind::add, step, int_atom(1));
    body.let({{state().name, state().type}}, Index{log, {step}, false});
    Name updated;
    Substitution there;
    for (std::size_t k = 0; k < stms().size(); ++k) {
      if (k != update_) {
        body.add(stms()[k]);
        substitute(body.stms.back(), there);
      }
      if (k != behind_) continue;
      updated = body.let(log.base, Update{log, {next}, next_, false});
      there.emplace(next_, body.let(next_.base, Index{updated, {next}, false}));
    }
    Body result{std::move(body.stms), results()};
    result.result[log_] = updated;
    result.result.erase(result.result.begin() + static_cast<std::ptrdiff_t>(state_));
    return result;
  }

  const Stm& stm_;
  const Loop& loop_;
  const NameSet& needed_;
  Names& names_;
  const Surroundings& around_;
  const facts::Aliases& program_;
  const facts::Aliases aliases_;  // of the body
  ForLoop form_;
  std::size_t log_ = 0, state_ = 0;  // numbers of parameters
  std::size_t update_ = 0;           // the statement that keeps the state
  std::size_t behind_ = 0;           // the last one that needs it, or makes the next
  Name next_;
};

}  // namespace

std::optional<Stms> states_in_place(const Stm& loop, const NameSet& needed, Names& names, const Surroundings& around, const facts::Callees& callees,
                                    const facts::Aliases& aliases) {
  return StatesInPlace(loop, needed, names, around, callees, aliases).run();
}

}  // namespace boustro::parallel
