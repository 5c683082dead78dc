#include "transform/ad/derive.hpp"

#include <algorithm>

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// The function's parameters as names of their own, since results and tangents are told apart by name.
void bind_params(Builder& b, const Lambda& fn, const std::vector<Atom>& args) {
  for (std::size_t i = 0; i < args.size(); ++i) bind_as(b, {fn.params[i].name, fn.params[i].type, false}, args[i]);
}

/// Jvp and Vjp have the seed dimensions outermost, the rules have them innermost.
Atom seeds_moved(Builder& b, const Atom& atom, std::size_t seed_rank, bool inwards) {
  const Name* array = name_in(atom);
  if (!array || seed_rank == 0) return atom;
  const int rank = b.names.type_of(*array).rank(), seeds = static_cast<int>(seed_rank);
  if (rank == seeds) return atom;
  std::vector<int> permutation;
  for (int i = 0; i < rank; ++i)
    permutation.push_back((inwards ? i + seeds : i + rank - seeds) % rank);
  return b.let(array->base, Rearrange{permutation, *array});
}

/// Scalar adjoints have the names of what computed them last; as results they are called after their parameters.
void name_scalars(Names& names, std::vector<Stm>& stms, const std::vector<Param>& params,
                  std::vector<std::optional<Atom>>& adjoints) {
  Substitution called;
  for (std::size_t i = 0; i < params.size(); ++i) {
    const Name* old = adjoints[i] ? name_in(*adjoints[i]) : nullptr;
    if (!old || !names.type_of(*old).is_scalar() || called.contains(*old)) continue;
    for (Stm& stm : stms) {
      for (Param& p : stm.pattern) {
        if (p.name != *old) continue;
        p.name = names.bind_fresh(adj_name(params[i].name), p.type);
        called.emplace(*old, p.name);
      }
    }
  }
  for (Stm& stm : stms) substitute(stm, called);
  for (auto& adjoint : adjoints)
    if (adjoint) adjoint = substitute(*adjoint, called);
}

std::vector<Stm> derive_vjp(Derivation& derivation, const Stm& stm, const Vjp& original, const NameSet& used) {
  const Lambda fn = rename(original.fn, derivation.names);
  Builder b(derivation.names, {stm.origin.at, "vjp", Sweep::forward, stm.origin.within});
  bind_params(b, fn, original.args);
  const std::size_t results = fn.body.result.size();
  const auto is_used = [&](std::size_t i) { return used.contains(stm.pattern[i].name); };

  Reverse r(derivation, original.seed_shape);
  r.activity.analyse(fn.body);
  for (std::size_t i = 0; i < fn.params.size(); ++i)
    if (is_used(results + i)) r.activity.add_input(fn.params[i].name);
  for (const Atom& result : fn.body.result) r.activity.add_result(result);

  Builder reverse(derivation.names, {stm.origin.at, "vjp", Sweep::reverse, stm.origin.within});
  for (std::size_t i = 0; i < results; ++i) {
    const PrimValue* literal = literal_in(original.adjoints[i]);
    if (literal && literal->is_zero()) continue;
    r.adjoints.add(reverse, fn.body.result[i],
                   seeds_moved(reverse, original.adjoints[i], r.seed_shape.size(), true), false);
  }
  NameSet live_after;
  for (std::size_t i = 0; i < results; ++i)
    if (const Name* name = name_in(fn.body.result[i]); name && is_used(i)) live_after.insert(*name);
  const Sweeps sweeps = sweep(r, fn.body.stms, live_after);
  b.add(sweeps.forward);
  reverse.add(sweeps.reverse);
  std::vector<std::optional<Atom>> adjoints(fn.params.size());
  for (std::size_t i = 0; i < fn.params.size(); ++i)
    if (is_used(results + i)) adjoints[i] = r.adjoints.take_owned(reverse, fn.params[i].name);
  name_scalars(derivation.names, reverse.stms, fn.params, adjoints);
  for (std::size_t i = 0; i < fn.params.size(); ++i) {
    if (!adjoints[i]) continue;
    bind_as(reverse, stm.pattern[results + i], seeds_moved(reverse, *adjoints[i], r.seed_shape.size(), false));
  }
  b.add(reverse.stms);
  for (std::size_t i = 0; i < results; ++i)
    if (is_used(i)) bind_as(b, stm.pattern[i], fn.body.result[i]);
  return std::move(b.stms);
}

std::vector<Stm> derive_jvp(Derivation& derivation, const Stm& stm, const Jvp& original, const NameSet& used) {
  const Lambda fn = rename(original.fn, derivation.names);
  Builder b(derivation.names, {stm.origin.at, "jvp", Sweep::tangent, stm.origin.within});
  bind_params(b, fn, original.args);
  const std::size_t results = fn.body.result.size();
  const auto is_used = [&](std::size_t i) { return used.contains(stm.pattern[i].name); };

  Forward f(derivation, original.seed_shape);
  f.activity.analyse(fn.body);
  for (std::size_t i = 0; i < fn.params.size(); ++i) {
    const PrimValue* literal = literal_in(original.tangents[i]);
    if (literal && literal->is_zero()) continue;
    f.activity.add_input(fn.params[i].name);
    Atom tangent = seeds_moved(b, original.tangents[i], f.seed_shape.size(), true);
    if (fn.params[i].unique) tangent = fresh_copy(b, tan_name(fn.params[i].name), tangent);
    f.tangents.insert_or_assign(fn.params[i].name,
                                coerced(b, tangent, f.tangent_type(fn.params[i].type)));
  }
  for (std::size_t i = 0; i < results; ++i)
    if (is_used(results + i)) f.activity.add_result(fn.body.result[i]);

  forward_stms(f, b, fn.body.stms);
  for (std::size_t i = 0; i < results; ++i) {
    if (is_used(i)) bind_as(b, stm.pattern[i], fn.body.result[i]);
    if (!is_used(results + i)) continue;
    const Atom tangent = f.tangent(b, fn.body.result[i]);
    bind_as(b, stm.pattern[results + i], seeds_moved(b, tangent, f.seed_shape.size(), false));
  }
  return std::move(b.stms);
}

std::vector<Stm> derive_with_vjp(Derivation& derivation, const Stm& stm, const WithVjp& original) {
  Builder b(derivation.names, stm.origin);
  const std::vector<Atom> results = inline_lambda(b, original.fn, original.args);
  for (std::size_t i = 0; i < results.size(); ++i) bind_as(b, stm.pattern[i], results[i]);
  return std::move(b.stms);
}

}  // namespace

std::vector<Stm> derive(Derivation& derivation, const Stm& stm, const NameSet& used) {
  if (!stm.origin.at.empty()) derivation.asked_at = derivation.shown(stm.origin);
  if (const auto* vjp = std::get_if<Vjp>(&stm.exp)) return derive_vjp(derivation, stm, *vjp, used);
  if (const auto* jvp = std::get_if<Jvp>(&stm.exp)) return derive_jvp(derivation, stm, *jvp, used);
  if (const auto* custom = std::get_if<WithVjp>(&stm.exp)) return derive_with_vjp(derivation, stm, *custom);
  source::internal_error("ad: derive on a statement that is no derivative");
}

std::vector<std::optional<Atom>> inline_vjp(Derivation& derivation, Builder& b, const Lambda& original,
                                            const std::vector<Atom>& args,
                                            const std::vector<Atom>& result_adjoints,
                                            const std::vector<bool>& wrt, const Shape& seed_shape) {
  const Lambda fn = rename(original, derivation.names);
  bind_params(b, fn, args);
  Reverse r(derivation, seed_shape);
  r.activity.analyse(fn.body);
  for (std::size_t i = 0; i < wrt.size(); ++i)
    if (wrt[i]) r.activity.add_input(fn.params[i].name);
  for (const Atom& result : fn.body.result) r.activity.add_result(result);
  Builder reverse(derivation.names, b.origin);
  for (std::size_t i = 0; i < result_adjoints.size(); ++i) {
    const PrimValue* literal = literal_in(result_adjoints[i]);
    if (literal && literal->is_zero()) continue;
    r.adjoints.add(reverse, fn.body.result[i], result_adjoints[i], false);
  }
  const Sweeps sweeps = sweep(r, fn.body.stms);
  b.add(sweeps.forward);
  b.add(sweeps.reverse);
  std::vector<std::optional<Atom>> adjoints;
  for (std::size_t i = 0; i < wrt.size(); ++i) {
    auto& adjoint = adjoints.emplace_back();
    if (wrt[i] && !r.adjoints.is_zero(fn.params[i].name)) adjoint = r.adjoints.take(b, fn.params[i].name);
  }
  return adjoints;
}

}  // namespace boustro::ad
