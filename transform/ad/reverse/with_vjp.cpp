// Reverse mode: a function with a derivative of its own.
//
// Rule      ys = with_vjp f f' xs    gives    ys = f xs,  xs_adj += f' ys ys_adj   (once for each seed)
// Applies   every with_vjp; f is not looked into, but for a warning of variables that f uses and f' takes for constants
// Cost      that of f'
// Source    Futhark's prelude, `with_vjp`
//
// Before:      def f (x: f64): f64 = with_vjp f64.sin (\_ y_adj -> y_adj) x
// After vjp:   def f_vjp (_: f64) (y_adj: f64): f64 = y_adj
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

void warn_of_free_variables(const Reverse& r, const Stm& stm, const Lambda& fn) {
  NameSet params;
  for (const Param& p : fn.params) params.insert(p.name);
  for (const Name& name : free_names_in_order(fn.body)) {
    const bool is_number = !params.contains(name) && values::is_float(r.names.type_of(name).elem);
    if (is_number && r.activity.varied(name)) warn_of_ignored(r.derivation, stm, name);
  }
}

}  // namespace

Sweeps reverse_with_vjp(Reverse& r, const Stm& stm, const WithVjp& e) {
  warn_of_free_variables(r, stm, e.fn);
  Builder forward = r.forward_builder(stm, "reverse_with_vjp");
  const std::vector<Atom> results = inline_lambda(forward, e.fn, e.args);
  for (std::size_t i = 0; i < results.size(); ++i) bind_as(forward, stm.pattern[i], results[i]);

  Builder b = r.builder(stm, "reverse_with_vjp");
  std::vector<Atom> args, adjoints;
  for (const Param& y : stm.pattern) args.emplace_back(y.name);
  for (const Param& y : stm.pattern) adjoints.push_back(r.adjoints.take(b, y.name));
  std::vector<Atom> contributions;
  if (r.seed_shape.empty()) {
    args.insert(args.end(), adjoints.begin(), adjoints.end());
    contributions = inline_lambda(b, e.vjp, args);
  } else {
    std::vector<Name> by_seed;
    std::vector<std::pair<std::string, Type>> params;
    for (const Atom& adjoint : adjoints) {
      by_seed.push_back(with_last_first(b, std::get<Name>(adjoint), false));
      params.emplace_back(by_seed.back().base, row_type(r.names.type_of(by_seed.back())));
    }
    const Lambda fn = b.lambda(params, [&](Builder& inner, const std::vector<Name>& p) {
      std::vector<Atom> all = args;
      all.insert(all.end(), p.begin(), p.end());
      return inline_lambda(inner, e.vjp, all);
    });
    for (const Name& array : b.let_all({"contribution"}, Map{r.seed_shape.at(0), fn, by_seed, {}}))
      contributions.emplace_back(with_last_first(b, array, true));
  }
  for (std::size_t i = 0; i < e.args.size(); ++i) r.adjoints.add(b, e.args[i], contributions.at(i), false);
  return {std::move(forward.stms), std::move(b.stms)};
}

}  // namespace boustro::ad
