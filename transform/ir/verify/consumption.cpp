// Aliases and consumption. (Passes ask transform/facts instead; this walk is apart on purpose, to check what they do.)
//
// Every array name has a set of roots: the places in memory that it may lie in. Whatever yields a fresh array
// makes a new root, named after the name that it is bound to; aliases pass roots on. Consuming a name kills
// its roots, and a name is dead if one of its roots is. A root may be consumed if it was made fresh or belongs to
// a parameter marked unique, and only as often as it was made: not inside a loop or a lambda that is
// applied to many elements, if it comes from outside.
#include <algorithm>
#include <set>

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/operands.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/ir/verify/report.hpp"

namespace boustro::ir::verification {
namespace {

using Roots = std::set<Name>;

bool disjoint(const Roots& a, const Roots& b) {
  return std::none_of(a.begin(), a.end(), [&](const Name& name) { return b.contains(name); });
}

class ConsumptionChecker {
 public:
  ConsumptionChecker(const Program& program, Report& report) : program_(program), report_(report) {}

  void check(const Function& function) {
    report_.enter(function);
    roots_.clear(), owners_.clear(), consumed_.clear();
    depth_ = 0;
    bind_params(function.params);
    check_body(function.body);
    std::vector<Roots> results;
    for (const Atom& atom : function.body.result) results.push_back(roots_of(atom));
    results_of_.emplace(function.name, std::move(results));
  }

  std::vector<bool> fresh_results(const Function& function) const {
    const std::vector<Roots>& results = results_of_.at(function.name);
    Roots kept;
    for (const Param& param : function.params) {
      if (!param.unique) kept.insert(param.name);
    }
    std::vector<bool> fresh;
    for (std::size_t i = 0; i < results.size(); ++i) {
      bool alone = disjoint(results[i], kept);
      for (std::size_t j = 0; j < results.size(); ++j) alone = alone && (i == j || disjoint(results[i], results[j]));
      fresh.push_back(alone);
    }
    return fresh;
  }

 private:
  /// Who may consume a root: nobody, or those at the depth of loops and lambdas where it was made.
  struct Owner {
    bool may_be_consumed;
    int depth;
    std::size_t serial;  // roots are numbered as they are made
  };

  /// Which roots were there at some moment.
  std::size_t now() const { return owners_.size(); }
  bool made_before(const Name& root, std::size_t moment) const {
    return owners_.at(root).serial < moment;
  }

  Roots roots_of(const Atom& atom) const {
    const Name* name = name_in(atom);
    const auto found = name ? roots_.find(*name) : roots_.end();
    return found == roots_.end() ? Roots{} : found->second;
  }
  Roots roots_of(const std::vector<Atom>& atoms) const {
    Roots all;
    for (const Atom& atom : atoms) all.merge(roots_of(atom));
    return all;
  }

  void bind_fresh(const Name& name, const Type& type, bool may_be_consumed = true) {
    if (type.shape.empty() || type.accumulator) return;
    owners_.try_emplace(name, Owner{may_be_consumed, depth_, owners_.size()});
    roots_[name] = {name};
  }
  void bind_params(const std::vector<Param>& params) {
    for (const Param& param : params) bind_fresh(param.name, param.type, param.unique);
  }
  /// A name that may lie in `roots`, or in memory of its own.
  void bind_alias(const Param& param, Roots roots) {
    bind_fresh(param.name, param.type);
    if (roots_.contains(param.name)) roots_[param.name].merge(roots);
  }

  void use(const Atom& atom) {
    const Name* name = name_in(atom);
    if (!name) return;
    for (const Name& root : roots_of(atom)) {
      const auto found = consumed_.find(root);
      if (found == consumed_.end()) continue;
      report_.add("{} is used after it, or an alias of it, was consumed by the statement that binds {}",
                  to_string(*name), found->second);
      return;
    }
  }

  void consume(const Name& name, const Stm& stm) {
    for (const Name& root : roots_of(name)) {
      const Owner owner = owners_.at(root);
      if (!owner.may_be_consumed) {
        report_.add("consumes {}, which may be {}, a parameter that is not unique", to_string(name),
                    to_string(root));
      } else if (owner.depth < depth_) {
        report_.add("consumes {}, which comes from outside of the loop or lambda", to_string(name));
      }
    }
    for (const Name& root : roots_of(name)) {
      consumed_.emplace(root, stm.pattern.empty() ? "nothing" : to_string(stm.pattern[0].name));
    }
  }

  void check_body(const Body& body) {
    for (const Stm& stm : body.stms) check_stm(stm);
    for (const Atom& atom : body.result) use(atom);
  }

  /// The body of a lambda or loop that runs many times, or is differentiated.
  void check_repeated(const std::vector<Param>& params, const Body& body) {
    ++depth_;
    bind_params(params);
    check_body(body);
    --depth_;
  }
  void check_repeated(const Lambda& lambda) { check_repeated(lambda.params, lambda.body); }

  void check_stm(const Stm& stm) {
    const At at(report_, stm);
    for_each_atom(stm.exp, [&](const Atom& atom) { use(atom); });
    match(
        stm.exp,  //
        [&](const If& e) { check_if(e, stm); }, [&](const Loop& e) { check_loop(e, stm); },
        [&](const Call& e) { check_call(e, stm); },
        [&](const WithAcc& e) { check_with_acc(e, stm); },
        [&](const AtomExp& e) { bind_alias_only(stm, e.atom); },
        [&](const Index& e) { bind_alias_only(stm, e.array); },
        [&](const Rearrange& e) { bind_alias_only(stm, e.array); },
        [&](const Reshape& e) { bind_alias_only(stm, e.array); },
        [&](const Coerce& e) { bind_alias_only(stm, e.array); },
        [&](const WithVjp& e) { check_with_vjp(e, stm); },
        [&](const auto&) {
          for_each_lambda(stm.exp, [&](const Lambda& lambda) { check_repeated(lambda); });
          consume_all(stm);
          bind_all_fresh(stm);
        });
  }

  void bind_all_fresh(const Stm& stm) {
    for (const Param& param : stm.pattern) bind_fresh(param.name, param.type);
  }

  void bind_alias_only(const Stm& stm, const Atom& of) {
    for (const Param& param : stm.pattern) {
      if (!param.type.shape.empty() && !param.type.accumulator) roots_[param.name] = roots_of(of);
    }
  }

  /// What the statement consumes by its own meaning; two of them must not share memory.
  void consume_all(const Stm& stm) {
    const auto* call = std::get_if<Call>(&stm.exp);
    consume_all(stm, call ? consumed_operands(stm.exp, callee(*call).params) : consumed_operands(stm.exp));
  }
  const Function& callee(const Call& e) const {
    return *std::find_if(program_.functions.begin(), program_.functions.end(),
                         [&](const Function& f) { return f.name == e.function; });
  }
  void consume_all(const Stm& stm, const std::vector<Name>& consumed) {
    for (std::size_t i = 0; i < consumed.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (!disjoint(roots_of(consumed[i]), roots_of(consumed[j]))) {
          report_.add("consumes {} and {}, which may share memory", to_string(consumed[j]),
                      to_string(consumed[i]));
        }
      }
    }
    check_other_operands(stm, consumed);
    for (const Name& name : consumed) consume(name, stm);
  }

  /// Nothing else that the statement is given may lie in what it consumes.
  void check_other_operands(const Stm& stm, const std::vector<Name>& consumed) {
    if (consumed.empty()) return;
    std::vector<Name> others;
    for_each_atom(stm.exp, [&](const Atom& atom) {
      if (const Name* name = name_in(atom)) others.push_back(*name);
    });
    for (const Name& name : consumed) {  // each stands once among the operands, to be consumed
      const auto found = std::find(others.begin(), others.end(), name);
      if (found != others.end()) others.erase(found);
    }
    for_each_body(stm.exp, [&](const Body& body) {
      for (const Name& name : free_names_in_order(body)) others.push_back(name);
    });
    for (const Name& name : others) {
      for (const Name& given_up : consumed) {
        if (disjoint(roots_of(name), roots_of(given_up))) continue;
        report_.add("uses {}, which may share memory with {} that it consumes", to_string(name),
                    to_string(given_up));
      }
    }
  }

  // ---- Scopes that yield aliases -----------------------------------------------------------------

  /// Binds the pattern to a body's results. Roots that `outer` does not know stay behind; results that share such a
  /// root go on sharing one.
  template <typename Translate>
  void bind_results(const Stm& stm, const std::vector<Roots>& results, Translate&& outer) {
    std::vector<Roots> bound(stm.pattern.size());
    std::unordered_map<Name, Name> representative;
    for (std::size_t i = 0; i < stm.pattern.size() && i < results.size(); ++i) {
      for (const Name& root : results[i]) {
        if (std::optional<Roots> known = outer(root)) {
          bound[i].merge(*known);
        } else {
          bound[i].insert(representative.emplace(root, stm.pattern[i].name).first->second);
        }
      }
    }
    for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
      // After an If, this adds to what the other branch gave.
      Roots before = roots_of(stm.pattern[i].name);
      bind_alias(stm.pattern[i], std::move(bound[i]));
      if (roots_.contains(stm.pattern[i].name)) roots_[stm.pattern[i].name].merge(before);
    }
  }

  std::vector<Roots> roots_of_each(const std::vector<Atom>& atoms) const {
    std::vector<Roots> roots;
    for (const Atom& atom : atoms) roots.push_back(roots_of(atom));
    return roots;
  }

  void check_if(const If& e, const Stm& stm) {
    const std::size_t before = now();
    const auto consumed_before = consumed_;
    check_body(e.then_body);
    const std::vector<Roots> then_results = roots_of_each(e.then_body.result);
    auto consumed_by_then = std::exchange(consumed_, consumed_before);
    check_body(e.else_body);
    const std::vector<Roots> else_results = roots_of_each(e.else_body.result);
    consumed_.merge(consumed_by_then);
    // What one branch consumes and the other yields has become the result's own.
    const auto outer = [&](const Name& root) -> std::optional<Roots> {
      if (made_before(root, before) && !consumed_.contains(root)) return Roots{root};
      return std::nullopt;
    };
    bind_results(stm, then_results, outer);
    bind_results(stm, else_results, outer);
  }

  void check_loop(const Loop& e, const Stm& stm) {
    std::vector<Param> params;
    std::vector<Roots> init;
    for (const LoopParam& p : e.params) {
      params.push_back(p.param);
      init.push_back(roots_of(p.init));
    }
    for (std::size_t i = 0; i < init.size(); ++i) {
      for (std::size_t j = 0; j < init.size(); ++j) {
        if (i != j && params[i].unique && !disjoint(init[i], init[j])) {
          report_.add("the loop consumes the start value of {}, which may share memory with that of {}",
                      to_string(params[i].name), to_string(params[j].name));
        }
      }
    }
    consume_all(stm);
    const std::size_t before = now();
    check_repeated(params, e.body);
    std::vector<Roots> results = roots_of_each(e.body.result);
    check_unique_results(params, results, e.body.result);
    for (std::size_t i = 0; i < params.size() && i < stm.pattern.size(); ++i) {
      if (params[i].unique) {
        bind_fresh(stm.pattern[i].name, stm.pattern[i].type);
      } else {
        bind_alias(stm.pattern[i], reached(i, params, init, results, before));
      }
    }
  }

  /// The next value of a unique parameter must be the loop's own, and nobody else's.
  void check_unique_results(const std::vector<Param>& params, const std::vector<Roots>& results,
                            const std::vector<Atom>& atoms) {
    for (std::size_t i = 0; i < params.size(); ++i) {
      if (!params[i].unique) continue;
      for (const Name& root : results[i]) {
        const Owner owner = owners_.at(root);
        if (!owner.may_be_consumed || owner.depth <= depth_) {
          report_.add("the next value {} of the unique parameter {} may share memory with {}",
                      to_string(atoms[i]), to_string(params[i].name), to_string(root));
        }
      }
      for (std::size_t j = 0; j < results.size(); ++j) {
        if (i != j && !disjoint(results[i], results[j])) {
          report_.add("the next values of the unique parameter {} and of {} may share memory",
                      to_string(params[i].name), to_string(params[j].name));
        }
      }
    }
  }

  /// Where a parameter may lie in the end: its start, or what any iteration gave it. What a unique parameter held is the loop's
  /// own by then.
  Roots reached(std::size_t param, const std::vector<Param>& params, const std::vector<Roots>& init,
                const std::vector<Roots>& results, std::size_t before) const {
    Roots all;
    std::set<std::size_t> seen;
    std::vector<std::size_t> open = {param};
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      if (!seen.insert(i).second) continue;
      all.insert(init[i].begin(), init[i].end());
      for (const Name& root : results[i]) {
        if (made_before(root, before)) all.insert(root);
        for (std::size_t j = 0; j < params.size(); ++j) {
          if (params[j].name == root && !params[j].unique) open.push_back(j);
        }
      }
    }
    return all;
  }

  void check_call(const Call& e, const Stm& stm) {
    consume_all(stm);
    const Function& function = callee(e);
    bind_results(stm, results_of_.at(e.function), [&](const Name& root) -> std::optional<Roots> {
      for (std::size_t i = 0; i < e.args.size(); ++i) {
        if (function.params[i].name != root) continue;
        if (function.params[i].unique) return std::nullopt;  // it was given away: now the result's own
        return roots_of(e.args[i]);
      }
      return std::nullopt;
    });
  }

  /// Its function runs exactly once, so it may consume what comes from outside.
  void check_with_acc(const WithAcc& e, const Stm& stm) {
    std::vector<Name> destinations;  // what the body consumes is checked there
    for (const AccumulatorInput& input : e.inputs) {
      if (const auto* combine = std::get_if<Combine>(&input.kind)) check_repeated(combine->op);
      destinations.push_back(input.destination);
    }
    consume_all(stm, destinations);
    const std::size_t before = now();
    check_body(e.fn.body);
    bind_results(stm, roots_of_each(e.fn.body.result), [&](const Name& root) -> std::optional<Roots> {
      if (made_before(root, before)) return Roots{root};
      return std::nullopt;
    });
  }

  void check_with_vjp(const WithVjp& e, const Stm& stm) {
    check_repeated(e.vjp);
    consume_all(stm);
    const std::size_t before = now();
    check_repeated(e.fn);
    bind_results(stm, roots_of_each(e.fn.body.result), [&](const Name& root) -> std::optional<Roots> {
      for (std::size_t i = 0; i < e.args.size(); ++i) {
        if (e.fn.params[i].name == root) return roots_of(e.args[i]);
      }
      if (made_before(root, before)) return Roots{root};
      return std::nullopt;
    });
  }

  const Program& program_;
  Report& report_;
  std::unordered_map<Name, Roots> roots_;
  std::unordered_map<Name, Owner> owners_;              // of roots
  std::unordered_map<Name, std::string> consumed_;      // roots, and by which statement
  std::unordered_map<Name, std::vector<Roots>> results_of_;  // of functions; parameters are roots
  int depth_ = 0;
};

}  // namespace

void verify_consumption(const Program& program, Report& report) {
  ConsumptionChecker checker(program, report);
  for (const Function& function : program.functions) checker.check(function);
}

std::unordered_map<Name, std::vector<bool>> fresh_results(const Program& program) {
  Report report;
  verify_types(program, report);
  if (!report.violations.empty()) return {};
  ConsumptionChecker checker(program, report);
  std::unordered_map<Name, std::vector<bool>> fresh;
  for (const Function& function : program.functions) {
    checker.check(function);
    fresh.emplace(function.name, checker.fresh_results(function));
  }
  return fresh;
}

}  // namespace boustro::ir::verification
