// Reverse mode: branches.
//
// Rule      y = if c then e1 else e2    gives    x_adj = if c then (x_adj after e1's return sweep) else (after e2's)
//           for each x that is free in a branch and whose adjoint one of them changes
// Applies   every `if`; c is inactive, being a bool that decides
// Cost      a branch runs its forward sweep again as far as its return sweep needs it. Adjoints of arrays, and
//           arrays that running it again updates, pass through branches in place
// Source    [AD], 4.2
//
// Before:      def f (c: bool) (x: f64): f64 = if c then x * x else 0
// After vjp:   def f_vjp (c: bool) (x: f64) (y_adj: f64): f64 = if c then y_adj * x + y_adj * x else 0
#include <algorithm>
#include <set>

#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// One branch after its return sweep, before its results are chosen.
struct Branch {
  std::unique_ptr<ScopeSweep> scope;
  Builder reverse;
  Adjoints adjoints;
  std::vector<Atom> results;   // the adjoints
  std::vector<bool> is_owned;  // each of them
  std::vector<std::pair<Name, Atom>>
      updated;  // arrays from outside that running it again updates, restored
  std::vector<Stm> rerun;
};

bool changed(const Adjoint& before, const Adjoint& after) {
  if (before.index() != after.index()) return true;
  if (const auto* dense = std::get_if<DenseAdjoint>(&before))
    return dense->value != std::get<DenseAdjoint>(after).value;
  if (const auto* acc = std::get_if<AccumulatedAdjoint>(&before))
    return acc->accumulator != std::get<AccumulatedAdjoint>(after).accumulator;
  return std::holds_alternative<SparseAdjoint>(before);
}

/// The names whose adjoints the branches may change, none of them sparse any more.
std::vector<Name> free_in_branches(Reverse& r, Builder& b, const If& e) {
  std::vector<Name> result = active_free_names(r, e.then_body, {});
  for (const Name& name : active_free_names(r, e.else_body, {}))
    if (std::find(result.begin(), result.end(), name) == result.end()) result.push_back(name);
  for (const Name& name : result)
    if (std::holds_alternative<SparseAdjoint>(r.adjoints.of(name))) r.adjoints.dense(b, name);
  return result;
}

Branch sweep_branch(Reverse& r, const Builder& like, const Body& body,
                    const std::vector<std::optional<DenseAdjoint>>& result_adjoints) {
  Builder reverse(r.names, like.origin);
  for (std::size_t i = 0; i < body.result.size(); ++i)
    if (result_adjoints[i])
      r.adjoints.add(reverse, body.result[i], result_adjoints[i]->value, result_adjoints[i]->owned);
  auto scope = std::make_unique<ScopeSweep>(r, body.stms);
  reverse.add(scope->reverse);
  return {std::move(scope), std::move(reverse), r.adjoints, {}, {}, {}, {}};
}

/// Ends a branch with the adjoints of these names as results. Arrays that it updates when it runs
/// again are restored, and so pass through it in place.
void finish_branch(Reverse& r, Branch& branch, const std::vector<Name>& names) {
  r.adjoints = branch.adjoints;
  for (const Name& name : names) {
    if (const auto* acc = std::get_if<AccumulatedAdjoint>(&r.adjoints.of(name))) {
      branch.results.emplace_back(acc->accumulator);
      branch.is_owned.push_back(false);
    } else {
      const DenseAdjoint adjoint = r.adjoints.take_dense(branch.reverse, name);
      branch.results.push_back(adjoint.value);
      branch.is_owned.push_back(adjoint.owned);
    }
  }
  for (std::size_t restored = 0;; restored = branch.updated.size()) {
    Body results{{}, branch.results};
    for (const auto& [name, atom] : branch.updated) results.result.push_back(atom);
    NameSet needed = free_names(results);
    branch.rerun = reexecution(r, branch.scope->forward(), branch.reverse.stms, needed);
    for (const Name& name : consumed_from_outside(r, branch.rerun)) {
      const auto known = [&](const auto& pair) { return pair.first == name; };
      if (std::none_of(branch.updated.begin(), branch.updated.end(), known))
        branch.updated.emplace_back(name, branch.scope->as_at_entry(branch.reverse, name));
    }
    if (restored == branch.updated.size()) return;
  }
}

/// A loop whose steps make new arrays, and only read the ones before, need not consume what it starts from, which is what it yields if it does
/// not run: so the language has it, whatever is said of the parameter.
void unite_renewed(const Reverse& r, facts::Aliases& aliases, const std::vector<Stm>& stms) {
  for (const Stm& stm : stms) {
    const auto* loop = std::get_if<Loop>(&stm.exp);
    if (!loop) continue;
    const std::vector<Name> consumed = facts::consumed_by(loop->body.stms, r.derivation.callees);
    for (std::size_t i = 0; i < loop->params.size(); ++i) {
      const LoopParam& p = loop->params[i];
      const Name* init = name_in(p.init);
      const bool is_renewed = std::find(consumed.begin(), consumed.end(), p.param.name) == consumed.end();
      if (init && p.param.unique && !p.param.type.is_scalar() && is_renewed) aliases.unite(stm.pattern[i].name, *init);
    }
  }
}

/// An adjoint from outside of the branches may come out of both, but only in one place: else two results would be the
/// same array, and neither could be updated. Copies it where it comes out in several.
void separate_results(Reverse& r, std::initializer_list<Branch*> branches) {
  std::unordered_map<const Branch*, std::vector<NameSet>> roots;
  std::unordered_map<Name, std::set<std::size_t>> places;
  for (const Branch* branch : branches) {
    facts::Aliases aliases(branch->reverse.stms, r.derivation.callees);
    unite_renewed(r, aliases, branch->reverse.stms);
    for (std::size_t i = 0; i < branch->results.size(); ++i) {
      const Name* name = name_in(branch->results[i]);
      roots[branch].push_back(name ? aliases.roots(*name) : NameSet());
      for (const Name& root : roots[branch].back()) places[root].insert(i);
    }
  }
  for (Branch* branch : branches)
    for (std::size_t i = 0; i < branch->results.size(); ++i) {
      Atom& result = branch->results[i];
      const NameSet& from = roots[branch][i];
      const bool is_shared = std::any_of(from.begin(), from.end(), [&](const Name& root) {
        return places.at(root).size() > 1 && !r.names.type_of(root).accumulator;
      });
      if (is_shared)
        result = fresh_copy(branch->reverse, std::get<Name>(result).base, std::get<Name>(result));
    }
}

/// The branch as a body that yields its adjoints, then these arrays.
Body closed_branch(Reverse& r, const Branch& branch, const std::vector<Name>& updated,
                   NameSet owned) {
  Body body{branch.rerun, branch.results};
  Builder last(r.names, branch.reverse.origin);
  for (const Name& name : updated) {
    const auto found = std::find_if(branch.updated.begin(), branch.updated.end(),
                                    [&](const auto& pair) { return pair.first == name; });
    const Atom restored = found == branch.updated.end() ? Atom(name) : found->second;
    body.result.push_back(coerced(last, restored, r.names.type_of(name)));
    owned.insert(name);
  }
  body.stms.insert(body.stms.end(), branch.reverse.stms.begin(), branch.reverse.stms.end());
  body.stms.insert(body.stms.end(), last.stms.begin(), last.stms.end());
  return closed(r, std::move(body), owned);
}

/// An accumulator that the branches update has the same adjoint before as after.
void hand_on_accumulators(Reverse& r, const If& e, const Adjoints& in_branch) {
  for (const Name& name : free_names(e.then_body))
    if (r.names.knows(name) && r.names.type_of(name).accumulator)
      r.adjoints.set(name, in_branch.of(name));
}

}  // namespace

Sweeps reverse_if(Reverse& r, const Stm& stm, const If& e) {
  Builder b = r.builder(stm, "reverse_if");
  NameSet owned;  // what a branch may update in place: the other one does not run
  std::vector<std::optional<DenseAdjoint>> result_adjoints;
  for (const Param& p : stm.pattern) {
    auto& adjoint = result_adjoints.emplace_back();
    if (r.adjoints.is_zero(p.name)) continue;
    adjoint = r.adjoints.take_dense(b, p.name);
    if (const Name* name = name_in(adjoint->value); name && adjoint->owned) owned.insert(*name);
  }
  const std::vector<Name> free = free_in_branches(r, b, e);
  for (const Name& name : free)
    if (const auto* dense = std::get_if<DenseAdjoint>(&r.adjoints.of(name)); dense && dense->owned)
      if (const Name* value = name_in(dense->value)) owned.insert(*value);

  const Adjoints before = r.adjoints;
  Branch then_branch = sweep_branch(r, b, e.then_body, result_adjoints);
  r.adjoints = before;
  Branch else_branch = sweep_branch(r, b, e.else_body, result_adjoints);

  std::vector<Name> changed_names;
  std::vector<std::string> bases;
  for (const Name& name : free) {
    if (!changed(before.of(name), then_branch.adjoints.of(name)) &&
        !changed(before.of(name), else_branch.adjoints.of(name)))
      continue;
    changed_names.push_back(name);
    bases.push_back(adj_name(name));
  }
  const Adjoints then_adjoints = then_branch.adjoints;
  finish_branch(r, then_branch, changed_names);
  finish_branch(r, else_branch, changed_names);
  separate_results(r, {&then_branch, &else_branch});
  r.adjoints = before;
  hand_on_accumulators(r, e, then_adjoints);
  if (changed_names.empty()) return {{stm}, std::move(b.stms)};

  std::vector<Name> updated;
  for (const Branch* branch : {&then_branch, &else_branch})
    for (const auto& [name, restored] : branch->updated)
      if (std::find(updated.begin(), updated.end(), name) == updated.end()) updated.push_back(name);
  for (const Name& name : updated) bases.push_back(name.base);
  Body then_body = closed_branch(r, then_branch, updated, owned);
  Body else_body = closed_branch(r, else_branch, updated, owned);
  const auto results =
      b.let_all(bases, If{e.condition, std::move(then_body), std::move(else_body)});
  for (std::size_t i = 0; i < changed_names.size(); ++i) {
    if (r.adjoints.is_accumulated(changed_names[i]))
      r.adjoints.set(changed_names[i], AccumulatedAdjoint{results[i]});
    else
      r.adjoints.set(changed_names[i],
                     DenseAdjoint{results[i], then_branch.is_owned[i] && else_branch.is_owned[i]});
  }
  for (std::size_t i = 0; i < updated.size(); ++i)
    r.handed_back.emplace_back(updated[i], results[changed_names.size() + i]);
  return {{stm}, std::move(b.stms)};
}

}  // namespace boustro::ad
