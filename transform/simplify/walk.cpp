#include "transform/simplify/walk.hpp"

#include <utility>

#include "transform/facts/history.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/simplify/common.hpp"
#include "transform/simplify/hoist.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

class Walk {
 public:
  Walk(Names& names, const facts::Aliases& aliases, UseCounts& uses, const Trace& trace)
      : context_(names, aliases, uses), trace_(trace) {}

  void function(Function& function);
  bool changed() const { return changed_; }

 private:
  void body(Body& body);
  void statement(Stm stm, std::vector<Stm>& out);
  void enter_bodies(Exp& exp);
  void branches(If& branch);
  void copy(const std::vector<Param>& pattern, const std::vector<Atom>& atoms);
  std::optional<Rewrite> apply_rules(Stm& stm);

  Atom current(const Atom& atom) const;
  void substitute_here(Stm& stm);
  void substitute_type(const Name& name, Type& type);
  void note_ranges(const Exp& exp);
  void note_modes(const Exp& exp);
  void note_result_modes(const Stm& stm);
  void same_mode(const Name& from, const Name& to);

  Context context_;
  const Trace& trace_;
  CommonExpressions common_;
  Substitution substitution_;
  bool changed_ = false;
};

void Walk::function(Function& function) {
  for (const Param& param : function.params)
    function.entry ? context_.sizes.declare_all(param.type) : context_.sizes.declare(param.type);
  body(function.body);
  for (Type& type : function.result_types) {
    for (Atom& size : type.shape) size = current(size);
  }
}

void Walk::body(Body& body) {
  const int outer = context_.enter_body();
  const std::size_t mark = common_.enter_scope(), sizes_mark = context_.sizes.enter_scope();
  std::vector<Stm> out;
  out.reserve(body.stms.size());
  for (Stm& stm : body.stms) statement(std::move(stm), out);
  body.stms = std::move(out);
  for (Atom& atom : body.result) atom = current(atom);
  context_.sizes.leave_scope(sizes_mark);
  common_.leave_scope(mark);
  context_.leave_body(outer);
}

void Walk::statement(Stm stm, std::vector<Stm>& out) {
  substitute_here(stm);
  if (auto rewrite = apply_rules(stm)) {
    for (Stm& replacement : *rewrite) statement(std::move(replacement), out);
    return;
  }
  if (const auto* e = std::get_if<AtomExp>(&stm.exp)) {
    copy(stm.pattern, {e->atom});
    return;
  }
  enter_bodies(stm.exp);
  // They were simplified where they stood. What else there is to do for them waits for the next
  // walk, since names in the scope that they leave are substituted already.
  for (Stm& invariant : hoist_invariants(stm.exp, context_)) {
    changed_ = true;
    context_.define(invariant);
    out.push_back(std::move(invariant));
  }
  if (const auto* earlier = common_.find_or_add(stm, context_)) {
    if (trace_) trace_("common_expression", stm);
    std::vector<Atom> atoms;
    for (const Param& param : *earlier) atoms.push_back(param.name);
    copy(stm.pattern, atoms);
    return;
  }
  note_result_modes(stm);
  context_.define(stm);
  out.push_back(std::move(stm));
}

std::optional<Rewrite> Walk::apply_rules(Stm& stm) {
  for (const Rule& rule : rules_for(stm.exp)) {
    const std::optional<Stm> before = trace_ ? std::optional(stm) : std::nullopt;
    auto rewrite = rule.apply(stm, context_);
    if (!rewrite) continue;
    changed_ = true;
    if (trace_) trace_(rule.name, *before);
    for (const Stm& added : *rewrite) context_.count(added, 1);
    return rewrite;
  }
  return std::nullopt;
}

/// Copy propagation. An alias of what is consumed may be replaced as well: `verify` has seen to it
/// that neither name is used afterwards.
void Walk::copy(const std::vector<Param>& pattern, const std::vector<Atom>& atoms) {
  changed_ = true;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    substitution_.insert_or_assign(pattern[i].name, atoms[i]);
    if (const Name* name = name_in(atoms[i])) {
      context_.add_uses(*name, context_.uses(pattern[i].name));
      if (const auto mode = context_.mode_of(pattern[i].name)) context_.set_mode(*name, *mode);
    }
  }
}

// ---- Bodies

void Walk::enter_bodies(Exp& exp) {
  note_ranges(exp);
  note_modes(exp);
  if (auto* branch = std::get_if<If>(&exp)) return branches(*branch);
  map_lambdas(exp, [&](Lambda& lambda) {
    for (Param& param : lambda.params) substitute_type(param.name, param.type);
  });
  const std::size_t mark = context_.sizes.enter_scope();
  context_.sizes.enter(exp);
  map_bodies(exp, [&](Body& inner) { body(inner); });
  map_lambdas(exp, [&](Lambda& lambda) {
    for (Type& type : lambda.result_types) {
      for (Atom& size : type.shape) size = current(size);
    }
  });
  context_.sizes.leave_scope(mark);
}

/// Inside a branch the condition is known.
void Walk::branches(If& branch) {
  const Name* condition = name_in(branch.condition);
  const auto with = [&](bool value, Body& inner) {
    if (condition) substitution_.insert_or_assign(*condition, PrimValue::of_bool(value));
    body(inner);
    if (condition) substitution_.erase(*condition);
  };
  with(true, branch.then_body);
  with(false, branch.else_body);
}

// ---- Substitution

Atom Walk::current(const Atom& atom) const {
  const Name* name = name_in(atom);
  if (!name) return atom;
  const auto found = substitution_.find(*name);
  return found == substitution_.end() ? atom : current(found->second);
}

void Walk::substitute_here(Stm& stm) {
  if (!substitution_.empty()) {
    map_atoms(stm.exp, [&](const Atom& atom) { return current(atom); });
    for (Attribute& attribute : stm.attributes) {
      for (Atom& atom : attribute.args) atom = current(atom);
    }
  }
  if (auto* loop = std::get_if<Loop>(&stm.exp)) {
    for (LoopParam& p : loop->params) context_.names.bind(p.param.name, p.param.type);
  }
  for (Param& param : stm.pattern) {
    for (Atom& size : param.type.shape) size = current(size);
    context_.names.bind(param.name, param.type);
  }
}

void Walk::substitute_type(const Name& name, Type& type) {
  for (Atom& size : type.shape) size = current(size);
  context_.names.bind(name, type);
}

// ---- Facts

/// Loop indices and elements of iotas.
void Walk::note_ranges(const Exp& exp) {
  const auto elements = [&](const Lambda& fn, const std::vector<Name>& arrays, std::size_t first) {
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      const auto* iota = context_.defined_as<Iota>(arrays[i]);
      if (iota) context_.set_range(fn.params[first + i].name, iota->width);
    }
  };
  match(
      exp,
      [&](const Loop& e) {
        const auto* form = std::get_if<ForLoop>(&e.form);
        if (form) context_.names.bind(form->index, scalar(form->type));
        if (form && form->type == PrimType::i64) context_.set_range(form->index, form->bound);
      },
      [&](const Map& e) { elements(e.fn, e.arrays, e.accumulators.size()); },
      [&](const MapReduce& e) { elements(e.fn, e.arrays, e.accumulators.size()); },
      [&](const MapScan& e) { elements(e.fn, e.arrays, 0); },
      [&](const ReduceByIndex& e) { elements(e.fn, e.arrays, 0); }, [](const auto&) {});
}

AccumulatorMode mode_of_kind(const AccumulatorKind& kind) {
  return match(
      kind, [](const AddUp&) { return AccumulatorMode::add_up; },
      [](const Overwrite&) { return AccumulatorMode::overwrite; },
      [](const Combine&) { return AccumulatorMode::combine; });
}

/// Accumulators that go into a scope, and come out of it, do what they did.
void Walk::note_modes(const Exp& exp) {
  if (const auto* e = std::get_if<WithAcc>(&exp))
    for (std::size_t i = 0; i < e->inputs.size(); ++i)
      context_.set_mode(e->fn.params[i].name, mode_of_kind(e->inputs[i].kind));
  facts::accumulators_into(exp, [&](const Name& from, const Name& to) { same_mode(from, to); });
}

void Walk::note_result_modes(const Stm& stm) {
  facts::accumulators_out_of(stm, [&](const Name& from, const Name& to) { same_mode(from, to); });
}

void Walk::same_mode(const Name& from, const Name& to) {
  if (const auto mode = context_.mode_of(from)) context_.set_mode(to, *mode);
}

}  // namespace

bool walk(Program& program, Names& names, const Trace& trace) {
  const facts::Aliases aliases(program);
  UseCounts uses;
  Context counting(names, aliases, uses);
  for (const Function& function : program.functions) {
    for (const Stm& stm : function.body.stms) counting.count(stm, 1);
    for (const Atom& atom : function.body.result) {
      if (const Name* name = name_in(atom)) counting.add_uses(*name, 1);
    }
  }
  bool changed = false;
  for (Function& function : program.functions) {
    Walk walk(names, aliases, uses, trace);
    walk.function(function);
    changed = changed || walk.changed();
  }
  return changed;
}

}  // namespace boustro::simplify
