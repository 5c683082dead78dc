#include "transform/parallel/flatten/recomputed.hpp"

#include <algorithm>

#include "transform/facts/work.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/parallel/recompute/parts.hpp"

namespace boustro::parallel {

using namespace ir;

namespace {

/// A value for each point, where it belongs.
bool stores_values(const Nest& nest) {
  return nest.over == Level::thread && nest.accumulators.empty() &&
         std::all_of(nest.outs.begin(), nest.outs.end(), [](const Out& out) { return out.kind == OutKind::store; });
}

}  // namespace

void Recomputed::know(const Body& body) {
  for (const Stm& stm : body.stms)
    for (std::size_t k = 0; k < stm.pattern.size(); ++k)
      computed_.insert_or_assign(stm.pattern[k].name, Result{&stm, k});
}

const Recomputed::Result* Recomputed::computed(const Name& name) const {
  const auto found = computed_.find(name);
  return found == computed_.end() ? nullptr : &found->second;
}

Atom Recomputed::fail() {
  failed_ = true;
  return int_atom(0);
}

Atom Recomputed::value(const Atom& atom) {
  const Name* name = name_in(atom);
  if (!name || failed_) return atom;
  if (const auto known = values_.find(*name); known != values_.end()) return known->second;
  const Result* result = computed(*name);
  if (!result) return atom;
  const Atom value = compute(*name, *result);
  values_.emplace(*name, value);
  return value;
}

Atom Recomputed::compute(const Name& name, const Result& result) {
  if (const Index* index = as_part(*result.stm)) return element(name.base, index->array, values(*index));
  if (!facts::is_repeatable(*result.stm) || may_fail(result.stm->exp)) return fail();
  Exp exp = result.stm->exp;
  map_atoms(exp, [&](const Atom& operand) {
    const Atom known = value(operand);
    return failed_ ? operand : known;
  });
  return failed_ ? int_atom(0) : Atom(to_.let(name.base, std::move(exp)));
}

std::vector<Atom> Recomputed::values(const Index& index) {
  std::vector<Atom> at;
  for (const Atom& number : numbers_of(index)) at.push_back(value(number));
  return at;
}

/// Views are seen through, so that only the element itself is read.
Atom Recomputed::element(const std::string& base, Name array, std::vector<Atom> at) {
  for (const Result* result = computed(array); result && !failed_; result = computed(array)) {
    const Exp& exp = result->stm->exp;
    const auto* rearranged = std::get_if<Rearrange>(&exp);
    const auto* equal = std::get_if<Replicate>(&exp);
    if (const Index* row = as_part(*result->stm)) {
      const std::vector<Atom> outer = values(*row);
      at.insert(at.begin(), outer.begin(), outer.end());
      array = row->array;
    } else if (rearranged && rearranged->permutation.size() <= at.size()) {
      const std::vector<Atom> seen = at;
      for (std::size_t d = 0; d < rearranged->permutation.size(); ++d)
        at[static_cast<std::size_t>(rearranged->permutation[d])] = seen[d];
      array = rearranged->array;
    } else if (const auto* nest = std::get_if<Nest>(&exp)) {
      return element_of_row(*nest, result->number, at);
    } else if (std::holds_alternative<Iota>(exp)) {
      return at[0];
    } else if (equal && equal->shape.size() == at.size()) {
      return value(equal->value);
    } else {
      const Atom view = value(array);
      if (!failed_) array = std::get<Name>(view);
    }
  }
  return failed_ ? fail() : Atom(to_.index(base, array, at));
}

Atom Recomputed::element_of_row(const Nest& nest, std::size_t number, const std::vector<Atom>& at) {
  if (!stores_values(nest) || at.size() < nest.space.size()) return fail();
  Lambda point = rename(nest.point, to_.names);
  for (std::size_t d = 0; d < nest.space.size(); ++d) values_.emplace(point.params[d].name, at[d]);
  rows_.push_back(std::move(point.body));
  know(rows_.back());
  const Atom result = rows_.back().result[number];
  if (at.size() == nest.space.size()) return value(result);
  const Name& row = std::get<Name>(result);
  return element(row.base, row, {at.begin() + static_cast<std::ptrdiff_t>(nest.space.size()), at.end()});
}

}  // namespace boustro::parallel
