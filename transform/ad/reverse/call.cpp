// Reverse mode: call of a function.
//
// Rule      y = f x    gives    x_adj += f_vjp x y_adj,    where f_vjp runs f's forward sweep, then its return sweep
// Applies   every call; f_vjp is derived once for each set of active arguments and results. Functions with arrays are calls with #[checkpoint]
// Cost      f once more
// Source    [AD], 4.2: a function is a scope
//
// Before:      #[noinline] def square (x: f64): f64 = x * x
//              def f (x: f64): f64 = square x
// After vjp:   def square_vjp (x: f64) (y_adj: f64): f64 = y_adj * x + y_adj * x
//              def f_vjp (x: f64) (y_adj: f64): f64 = square_vjp x y_adj
#include <fmt/format.h>

#include "transform/ad/derivative_doc.hpp"
#include "transform/ad/rules.hpp"
#include "transform/ad/seed_params.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// Which arguments are differentiated, which results have an adjoint, and the shape of the seeds.
struct CallSignature {
  std::vector<bool> args, results;
  Shape seeds;

  std::string key(const Name& function, std::string_view mode) const {
    std::string text = fmt::format("{} {}_{} {}", mode, function.base, function.tag, SeedParams::key(seeds));
    for (const auto* flags : {&args, &results}) {
      text += ' ';
      for (const bool flag : *flags) text += flag ? '1' : '0';
    }
    return text;
  }
};

/// Parameters: seed sizes, f's own, adjoints of the results that have one. Results: adjoints of the active parameters.
Function derive_vjp(Derivation& derivation, const Function& original, const CallSignature& signature) {
  const Function function = rename(original, derivation.names);
  const SeedParams given(derivation.names, signature.seeds);
  Reverse r(derivation, given.shape);
  r.activity.analyse(function.body);
  for (std::size_t i = 0; i < function.params.size(); ++i)
    if (signature.args[i]) r.activity.add_input(function.params[i].name);
  for (std::size_t i = 0; i < signature.results.size(); ++i)
    if (signature.results[i]) r.activity.add_result(function.body.result[i]);

  Function derived;
  derived.name = derivation.names.fresh(original.name.base + "_vjp");
  derived.params = given.params;
  for (const Param& p : function.params) derived.params.push_back({p.name, p.type, false});
  // Sizes that the function finds out: the caller has learnt them, and what it gives has them.
  const auto behind_sizes = derived.params.begin() + static_cast<std::ptrdiff_t>(given.params.size()) + function.size_params;
  std::vector<Param> found;
  Substitution known;
  for (int i = 0; i < function.size_results; ++i) {
    const Name* size = name_in(function.body.result[static_cast<std::size_t>(i)]);
    found.push_back(derivation.names.fresh_param(size ? size->base : "n", scalar(PrimType::i64)));
    if (size) known.emplace(*size, found.back().name);
  }
  derived.params.insert(behind_sizes, found.begin(), found.end());
  derived.size_params = function.size_params + function.size_results + static_cast<int>(given.params.size());
  derived.doc = doc_of_vjp(original, signature.args, signature.results);
  derived.at = original.at;
  derived.attributes = original.attributes;

  Builder b(derivation.names, {{original.at}, "reverse_call", Sweep::reverse});
  for (std::size_t i = 0; i < signature.results.size(); ++i) {
    if (!signature.results[i]) continue;
    const Atom& y = function.body.result[i];
    const Name* name = name_in(y);
    const Type type = r.adjoint_type(function.result_types[i]);
    Type outside = type;
    substitute(outside, known);
    const Param y_adj = derivation.names.fresh_param(name ? adj_name(*name) : "y_adj", outside);
    derived.params.push_back(y_adj);
    r.adjoints.add(b, y, outside == type ? y_adj.name : b.let(y_adj.name.base, Coerce{type.shape, y_adj.name}), false);
  }
  const Sweeps sweeps = sweep(r, function.body.stms);
  b.add(sweeps.reverse);
  for (std::size_t i = 0; i < function.params.size(); ++i) {
    if (!signature.args[i]) continue;
    derived.body.result.push_back(r.adjoints.take(b, function.params[i].name));
    derived.result_types.push_back(r.adjoint_type(function.params[i].type));
  }
  NameSet needed = free_names(Body{{}, derived.body.result});
  derived.body.stms = reexecution(r, sweeps.forward, b.stms, needed);
  derived.body.stms.insert(derived.body.stms.end(), b.stms.begin(), b.stms.end());
  derived.body = closed(r, std::move(derived.body));
  return derived;
}

const Name& vjp_of(Derivation& derivation, const Name& function, const CallSignature& signature) {
  const std::string key = signature.key(function, "vjp");
  const auto found = derivation.derived.find(key);
  if (found != derivation.derived.end()) return found->second;
  Function derived = derive_vjp(derivation, derivation.functions.at(function), signature);
  const Name name = derived.name;
  derivation.add_function(std::move(derived));
  return derivation.derived.emplace(key, name).first->second;
}

}  // namespace

Sweeps reverse_call(Reverse& r, const Stm& stm, const Call& e) {
  Builder b = r.builder(stm, "reverse_call");
  CallSignature signature{{}, {}, r.seed_shape};
  const Function& function = r.derivation.functions.at(e.function);
  std::vector<Atom> args = SeedParams::arguments(r.seed_shape);
  args.insert(args.end(), e.args.begin(), e.args.begin() + function.size_params);
  for (int i = 0; i < function.size_results; ++i) args.push_back(stm.pattern[static_cast<std::size_t>(i)].name);
  args.insert(args.end(), e.args.begin() + function.size_params, e.args.end());
  for (const Param& y : stm.pattern) {
    signature.results.push_back(!r.adjoints.is_zero(y.name));
    if (signature.results.back()) args.push_back(r.adjoints.take(b, y.name));
  }
  std::vector<Name> active;
  std::vector<std::string> bases;
  for (const Atom& arg : e.args) {
    signature.args.push_back(r.activity.active(arg));
    if (!signature.args.back()) continue;
    active.push_back(std::get<Name>(arg));
    bases.push_back(adj_name(active.back()));
  }
  if (active.empty()) return {{stm}, std::move(b.stms)};
  const Name& vjp = vjp_of(r.derivation, e.function, signature);
  const auto adjoints = b.let_all(bases, Call{vjp, args});
  for (std::size_t i = 0; i < active.size(); ++i) r.adjoints.add(b, active[i], adjoints[i], false);
  return {{stm}, std::move(b.stms)};
}

}  // namespace boustro::ad
