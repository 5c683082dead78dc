// Reverse mode: map whose result has an adjoint at a few indices only.
//
// Rule      ys = map f xs,  ys_adj = v at index i, else 0    gives    the return sweep of `f xs[i]` with adjoint v
// Applies   sparse adjoints, such as those that minimum, maximum and indexing leave behind
// Cost      one application of f for each entry, instead of n
// Source    derived here: adjoints are linear, and a zero adjoint contributes nothing
//
// Before:      def f [n] (xs: [n]f64): f64 = (map f64.sin xs)[0]
// After vjp:   def f_vjp [n] (xs: [n]f64) (y_adj: f64): [n]f64 =
//                replicate n 0 with [0] = y_adj * f64.cos xs[0]
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// if guard then f (xs[i]) else zeros, as a primal statement with fresh names.
Stm application_at(Reverse& r, const Stm& stm, const Map& map, const SparseAdjoint::Entry& entry) {
  r.derivation.trace("reverse_map_sparse", stm);
  Builder then_builder(r.names, stm.origin), else_builder(r.names, stm.origin);
  std::vector<Atom> elements;
  for (std::size_t i = 0; i < map.arrays.size(); ++i)
    elements.push_back(then_builder.index(map.fn.params[i].name.base, map.arrays[i],
                                          {entry.indices.at(0)}, entry.checked && !entry.guard));
  Body then_body{{}, inline_lambda(then_builder, map.fn, elements)};
  then_body.stms = std::move(then_builder.stms);
  Body else_body;
  Stm result{{}, If{}, stm.origin, {}};
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    const Type& type = map.fn.result_types[i];
    else_body.result.push_back(zeros(else_builder, "blank", type));
    result.pattern.push_back(r.names.fresh_param(stm.pattern[i].name.base, type));
  }
  else_body.stms = std::move(else_builder.stms);
  const Atom condition = entry.guard ? *entry.guard : Atom(PrimValue::of_bool(true));
  result.exp = If{condition, std::move(then_body), std::move(else_body)};
  return result;
}

}  // namespace

MaybeSweeps reverse_map_sparse(Reverse& r, const Stm& stm, const Map& map) {
  if (!map.accumulators.empty()) return std::nullopt;
  for (const Param& p : stm.pattern)
    if (!r.adjoints.is_zero(p.name) && !std::holds_alternative<SparseAdjoint>(r.adjoints.of(p.name)))
      return std::nullopt;

  Sweeps sweeps{{stm}, {}};
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    const Name& y = stm.pattern[i].name;
    if (r.adjoints.is_zero(y)) continue;
    const auto entries = std::get<SparseAdjoint>(r.adjoints.of(y)).entries;
    r.adjoints.set(y, ZeroAdjoint{});
    for (const auto& entry : entries) {
      const Stm application = application_at(r, stm, map, entry);
      r.activity.analyse({application});
      for (const Param& p : application.pattern) r.activity.add_result(p.name);
      const Name& element = application.pattern[i].name;
      const std::vector<Atom> rest(entry.indices.begin() + 1, entry.indices.end());
      if (rest.empty()) r.adjoints.set(element, DenseAdjoint{entry.value});
      else r.adjoints.set(element, SparseAdjoint{{{rest, entry.value, std::nullopt, entry.checked}}});
      const Sweeps one = reverse_stm(r, application);
      for (const auto& part : {one.forward, one.reverse})
        sweeps.reverse.insert(sweeps.reverse.end(), part.begin(), part.end());
    }
  }
  return sweeps;
}

}  // namespace boustro::ad
