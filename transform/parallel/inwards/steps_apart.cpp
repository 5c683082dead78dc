#include "transform/parallel/inwards/steps_apart.hpp"

#include <algorithm>

#include "transform/facts/polynomial.hpp"
#include "transform/facts/work.hpp"
#include "transform/ir/needed.hpp"
#include "transform/parallel/flatten/unfuse.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;
using Stms = std::vector<Stm>;

/// Many threads do it together.
bool is_parallel(const Exp& exp) {
  const auto* map = std::get_if<Map>(&exp);
  return map ? !is_in_order(map->fn.body) : std::holds_alternative<Reduce>(exp) || std::holds_alternative<MapReduce>(exp);
}

bool binds_any(const Stm& stm, const NameSet& names) {
  return std::any_of(stm.pattern.begin(), stm.pattern.end(), [&](const Param& param) { return names.contains(param.name); });
}

bool any_in(const NameSet& some, const NameSet& names) {
  return std::any_of(some.begin(), some.end(), [&](const Name& name) { return names.contains(name); });
}

void insert_bound(const Stm& stm, NameSet& names) {
  for (const Param& param : stm.pattern) names.insert(param.name);
}

/// Before the recurrence, on it, or behind it; what is cheap to make again may be in any of them.
enum class Part { first, middle, last, any };

class StepsApart {
 public:
  StepsApart(const Stm& stm, const NameSet& needed, Names& names, const Surroundings& around, const facts::Callees& callees,
             bool is_of_rest)
      : stm_(stm),
        is_of_rest_(is_of_rest),
        loop_(std::get<Loop>(stm.exp)),
        needed_(needed),
        names_(names),
        around_(around),
        callees_(callees) {}

  std::optional<Stms> run() {
    const auto* form = std::get_if<ForLoop>(&loop_.form);
    if (!form || form->type != PrimType::i64) return std::nullopt;
    form_ = *form;
    take_reductions_apart();
    drop_checks();
    if (!assign_parts()) return std::nullopt;
    Builder to(names_, stm_.origin);
    steps_ = to.binop("steps", BinOpKind::max, form_.bound, int_atom(0));
    around_.sizes.define(to.stms.back());
    if (!keep_first(to) || !keep_middle()) return std::nullopt;
    if (!finish_middle(to) || !finish_last(to)) return std::nullopt;
    return std::move(to.stms);
  }

 private:
  void take_reductions_apart() {
    for (const Stm& stm : loop_.body.stms) {
      const auto* e = std::get_if<MapReduce>(&stm.exp);
      const Stms parts = e && e->accumulators.empty() && !is_identity(e->fn) ? unfused(stm, *e, names_) : Stms{stm};
      stms_.insert(stms_.end(), parts.begin(), parts.end());
    }
    for (const Stm& stm : stms_) insert_bound(stm, inside_);
    for (const LoopParam& p : loop_.params) inside_.insert(p.param.name);
  }

  /// Indices that are in bounds as long as the loop runs need no check in its parts.
  void drop_checks() {
    facts::Sizes sizes = around_.sizes;
    sizes.declare_index(form_.index, form_.bound);
    for (Stm& stm : stms_) {
      sizes.define(stm);
      auto* e = std::get_if<Index>(&stm.exp);
      if (!e || !e->checked) continue;
      const Shape& shape = names_.type_of(e->array).shape;
      e->checked = false;
      for (std::size_t d = 0; d < e->indices.size(); ++d) {
        const auto* index = std::get_if<Atom>(&e->indices[d]);
        if (!index || !sizes.in_bounds(*index, shape[d])) e->checked = true;
      }
    }
  }

  // ---- Which statement is where

  bool assign_parts() {
    parts_.assign(stms_.size(), Part::middle);
    params_.assign(loop_.params.size(), Part::middle);
    NameSet carried;  // what depends on what the loop carries
    for (const LoopParam& p : loop_.params) carried.insert(p.param.name);
    for (std::size_t k = 0; k < stms_.size(); ++k) {
      if (stms_[k].pattern.empty()) return false;  // a check
      if (any_in(free_names(stms_[k]), carried)) {
        insert_bound(stms_[k], carried);
        if (is_parallel(stms_[k].exp)) parts_[k] = Part::last;
      } else if (is_parallel(stms_[k].exp)) {
        parts_[k] = Part::first;
      } else if (facts::is_repeatable(stms_[k])) {
        parts_[k] = Part::any;
      }
    }
    spread_first();
    spread_last();
    const auto has = [&](Part part) { return std::find(parts_.begin(), parts_.end(), part) != parts_.end(); };
    return (has(Part::first) || has(Part::last)) && std::find(params_.begin(), params_.end(), Part::middle) != params_.end();
  }

  /// What the first part needs stands there, too.
  void spread_first() {
    NameSet wanted;
    for (std::size_t k = stms_.size(); k-- > 0;) {
      if (parts_[k] != Part::first && !binds_any(stms_[k], wanted)) continue;
      if (parts_[k] == Part::middle) parts_[k] = Part::first;
      wanted.merge(free_names(stms_[k]));
    }
  }

  /// What needs the last part stands there, too, and carries what comes of it.
  void spread_last() {
    NameSet late;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t k = 0; k < stms_.size(); ++k) {
        if (parts_[k] != Part::last && !any_in(free_names(stms_[k]), late)) continue;
        parts_[k] = Part::last;
        insert_bound(stms_[k], late);
      }
      for (std::size_t i = 0; i < params_.size(); ++i) {
        const Name* next = name_in(loop_.body.result[i]);
        if (params_[i] == Part::last || !next || !late.contains(*next)) continue;
        params_[i] = Part::last;
        changed = late.insert(loop_.params[i].param.name).second;
      }
    }
  }

  Stms statements_of(Part part) const {
    Stms result;
    for (std::size_t k = 0; k < stms_.size(); ++k)
      if (parts_[k] == part || parts_[k] == Part::any) result.push_back(stms_[k]);
    return result;
  }

  /// What statements of a part, and the values that it carries, take from outside of it.
  NameSet taken_by(Part part) const {
    NameSet wanted;
    for (std::size_t i = 0; i < params_.size(); ++i)
      if (const Name* next = name_in(loop_.body.result[i]); next && params_[i] == part) wanted.insert(*next);
    for (std::size_t k = 0; k < stms_.size(); ++k)
      if (parts_[k] == part) insert_bound(stms_[k], wanted);
    statements_for(wanted, statements_of(part));
    for (std::size_t i = 0; i < params_.size(); ++i)
      if (params_[i] == part) wanted.erase(loop_.params[i].param.name);
    return wanted;
  }

  // ---- What passes between them

  struct Kept {
    Name name;          // in a step
    Name of_all_steps;  // [steps]...
  };

  /// Values of the part that are needed in those behind it, in the order of the program.
  std::vector<Name> needed_of(Part part) const {
    NameSet wanted = taken_by(Part::last);
    if (part == Part::first) wanted.merge(taken_by(Part::middle));
    std::vector<Name> result;
    for (std::size_t i = 0; i < params_.size() && part == Part::middle; ++i)
      if (params_[i] == part && wanted.contains(loop_.params[i].param.name)) result.push_back(loop_.params[i].param.name);
    for (std::size_t k = 0; k < stms_.size(); ++k)
      for (const Param& param : stms_[k].pattern)
        if (parts_[k] == part && wanted.contains(param.name)) result.push_back(param.name);
    return result;
  }

  /// Its sizes are known before the loop, and it is no larger than an array that is there anyway.
  bool can_be_kept(const Name& name) const {
    const Type& type = names_.type_of(name);
    for (const Atom& size : type.shape)
      if (const Name* known = name_in(size); known && inside_.contains(*known)) return false;
    const facts::Polynomial all = around_.sizes.value(form_.bound) * elements(type);
    const NameSet used = free_names(stm_.exp);
    return type.is_scalar() || std::any_of(used.begin(), used.end(), [&](const Name& other) {
      const Type& there = names_.type_of(other);
      return !there.is_scalar() && !there.accumulator && around_.sizes.at_most(all, elements(there));
    });
  }

  facts::Polynomial elements(const Type& type) const {
    facts::Polynomial result(1);
    for (const Atom& size : type.shape) result = result * around_.sizes.value(size);
    return result;
  }

  bool keep_first(Builder& to) {
    const std::vector<Name> kept = needed_of(Part::first);
    if (kept.empty()) return true;
    NameSet wanted(kept.begin(), kept.end());
    Lambda step{{{form_.index, scalar(PrimType::i64)}}, {statements_for(wanted, statements_of(Part::first)), {}}, {}};
    const std::vector<Name> consumed = facts::consumed_by(step.body.stms, callees_);
    const facts::Aliases aliases(step.body.stms, callees_);
    std::vector<Param> pattern;
    for (const Name& name : kept) {
      if (!can_be_kept(name) || aliases.is_consumed(name)) return false;
      step.body.result.emplace_back(name);
      step.result_types.push_back(names_.type_of(name));
      pattern.push_back(names_.fresh_param(name.base, array_of(steps_, names_.type_of(name))));
      first_.push_back({name, pattern.back().name});
    }
    if (!consumed.empty()) return false;
    const Name all = to.let("all_steps", Iota{steps_});
    to.let(pattern, Map{steps_, rename(step, names_), {all}, {}});
    return true;
  }

  bool keep_middle() {
    for (const Name& name : needed_of(Part::middle)) {
      if (!can_be_kept(name)) return false;
      middle_.push_back({name, names_.bind_fresh(ir::with_ending(name.base, "_kept"), array_of(steps_, names_.type_of(name)))});
    }
    return true;
  }

  // ---- The loops

  /// The loop over what the part carries and `logs`, which `stms` make of it.
  Stm loop_of(Part part, Stms stms, const std::vector<LoopParam>& logs, const std::vector<Atom>& last_logs,
              const std::vector<Param>& log_results) const {
    Loop loop{{}, form_, {std::move(stms), {}}};
    std::vector<Param> pattern;
    for (std::size_t i = 0; i < params_.size(); ++i) {
      if (params_[i] != part) continue;
      loop.params.push_back(loop_.params[i]);
      loop.body.result.push_back(loop_.body.result[i]);
      pattern.push_back(stm_.pattern[i]);
    }
    loop.params.insert(loop.params.end(), logs.begin(), logs.end());
    loop.body.result.insert(loop.body.result.end(), last_logs.begin(), last_logs.end());
    pattern.insert(pattern.end(), log_results.begin(), log_results.end());
    NameSet wanted = names_among(loop.body.result);
    loop.body.stms = statements_for(wanted, loop.body.stms);
    return {pattern, std::move(loop), stm_.origin, stm_.attributes};
  }

  /// What was kept, read in a step; a copy of it where it is consumed.
  Stms reads(const std::vector<Kept>& kept, const Stms& users) {
    const facts::Aliases aliases(users, callees_);
    Builder reads(names_, stm_.origin);
    for (const auto& [name, of_all_steps] : kept) {
      const Index one{of_all_steps, {Atom(form_.index)}, false};
      const Param param{name, names_.type_of(name)};
      if (aliases.is_consumed(name)) reads.let({param}, Copy{reads.let(name.base, one)});
      else reads.let({param}, one);
    }
    return std::move(reads.stms);
  }

  bool finish_middle(Builder& to) {
    const Stms stms = statements_of(Part::middle);
    Builder body(names_, stm_.origin);
    body.add(reads(first_, stms));
    std::vector<LoopParam> logs;
    std::vector<Atom> last_logs;
    std::vector<Param> log_results;
    NameSet logged;
    const auto log = [&](const Name& name) {
      const auto kept = std::find_if(middle_.begin(), middle_.end(), [&](const Kept& one) { return one.name == name; });
      if (kept == middle_.end() || !logged.insert(name).second) return;
      const Type& type = names_.type_of(kept->of_all_steps);
      const Name start = to.let(kept->of_all_steps.base, Scratch{type.elem, type.shape});
      around_.undefined.insert(start);
      logs.push_back({names_.fresh_param(start.base, type, true), start});
      last_logs.emplace_back(body.let(start.base, Update{logs.back().param.name, {Atom(form_.index)}, name, false}));
      log_results.push_back({kept->of_all_steps, type});
    };
    for (const LoopParam& p : loop_.params) log(p.param.name);
    for (const Stm& stm : stms) {
      body.add(stm);
      for (const Param& param : stm.pattern) log(param.name);
    }
    const Stm loop = loop_of(Part::middle, std::move(body.stms), logs, last_logs, log_results);
    NameSet needed = needed_;
    for (const Kept& kept : middle_) needed.insert(kept.of_all_steps);
    if (is_of_rest_ && is_of_scalars(std::get<Loop>(loop.exp))) return to.add(loop), true;
    const auto inwards = loop_inwards(loop, needed, names_, around_);
    if (!inwards) return false;
    to.add(*inwards);
    return true;
  }

  static bool is_of_scalars(const Loop& loop) {
    return std::all_of(loop.body.stms.begin(), loop.body.stms.end(), [](const Stm& stm) {
      return all_scalar(stm.pattern) && (is_scalar_operation(stm.exp) || std::holds_alternative<Index>(stm.exp));
    });
  }

  bool finish_last(Builder& to) {
    Stms stms = statements_of(Part::last);
    Stms all = reads(first_, stms);
    const Stms of_middle = reads(middle_, stms);
    all.insert(all.end(), of_middle.begin(), of_middle.end());
    all.insert(all.end(), stms.begin(), stms.end());
    Stm loop = loop_of(Part::last, std::move(all), {}, {}, {});
    if (loop.pattern.empty()) return true;
    // The names of its steps are also those of the parts before.
    const std::vector<Param> pattern = loop.pattern;
    Substitution substitution;
    loop = rename(Stms{loop}, names_, substitution)[0];
    loop.pattern = pattern;
    if (is_of_scalars(std::get<Loop>(loop.exp))) return to.add(loop), true;
    const auto apart = StepsApart(loop, needed_, names_, around_, callees_, true).run();
    if (!apart) return false;
    to.add(*apart);
    return true;
  }

  const Stm& stm_;
  bool is_of_rest_;  // the last part of another loop
  const Loop& loop_;
  const NameSet& needed_;
  Names& names_;
  Surroundings around_;
  const facts::Callees& callees_;
  ForLoop form_;
  Atom steps_;
  Stms stms_;
  NameSet inside_;  // what the loop binds
  std::vector<Part> parts_, params_;
  std::vector<Kept> first_, middle_;
};

}  // namespace

std::optional<std::vector<Stm>> steps_apart(const Stm& loop, const NameSet& needed, Names& names, const Surroundings& around,
                                            const facts::Callees& callees) {
  return StepsApart(loop, needed, names, around, callees, false).run();
}

}  // namespace boustro::parallel
