#include "transform/facts/access.hpp"

#include <algorithm>

namespace boustro::facts {

using namespace ir;

bool are_disjoint(const std::vector<DimIndex>& x, const std::vector<DimIndex>& y) {
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    const auto *a = std::get_if<Atom>(&x[i]), *b = std::get_if<Atom>(&y[i]);
    const PrimValue* first = a ? literal_in(*a) : nullptr;
    const PrimValue* second = b ? literal_in(*b) : nullptr;
    if (first && second && !(*first == *second)) return true;
  }
  return false;
}

Accesses::Accesses(const std::vector<IndexRange>& nest, const std::vector<Stm>& stms, Sizes sizes,
                   const NameSet& varying)
    : nest_(nest), sizes_(std::move(sizes)) {
  for (const auto& [index, extent] : nest_) {
    if (const Name* size = name_in(extent)) sizes_.declare_size(*size, 1);  // else there is no point
    sizes_.declare_index(index, extent);
    varies_with_[index] = {index};
  }
  for (const Name& name : varying)
    for (const auto& [index, extent] : nest_) varies_with_[name].insert(index);
  for (const Stm& stm : stms) {
    sizes_.define(stm);
    NameSet with;
    for (const Name& name : free_names(stm.exp))
      if (const auto found = varies_with_.find(name); found != varies_with_.end())
        with.insert(found->second.begin(), found->second.end());
    if (with.empty()) continue;
    for (const Param& param : stm.pattern) varies_with_[param.name] = with;
  }
}

std::vector<Along> Accesses::along(const std::vector<DimIndex>& at, const Shape& shape) const {
  Polynomial address, step = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (d < at.size()) {
      const auto* slice = std::get_if<Slice>(&at[d]);
      address = address + step * sizes_.value(slice ? slice->start : std::get<Atom>(at[d]));
    }
    step = step * sizes_.value(shape[d]);
  }
  return along(address);
}

std::vector<Along> Accesses::along(const Atom& number) const { return along(sizes_.value(number)); }

bool Accesses::varies(const Atom& number) const { return !varying_in(sizes_.value(number)).empty(); }

NameSet Accesses::varying_in(const Polynomial& p) const {
  NameSet indices;
  for (const Name& name : p.names())
    if (const auto found = varies_with_.find(name); found != varies_with_.end())
      indices.insert(found->second.begin(), found->second.end());
  return indices;
}

std::vector<Along> Accesses::along(const Polynomial& address) const {
  std::vector<Along> result;
  for (const auto& [index, extent] : nest_) {
    const auto linear = address.linear_in(index);
    if (!linear || varying_in(linear->rest).contains(index) || !varying_in(linear->slope).empty())
      result.push_back({Along::Kind::other, 0});
    else if (linear->slope == Polynomial(0))
      result.push_back({Along::Kind::constant, 0});
    else
      result.push_back({Along::Kind::linear, linear->slope});
  }
  return result;
}

/// Numbers tell indices apart one after the other: each, less what is already known, must be a sum of indices that takes every
/// value once, as the digits of a number do.
bool Accesses::is_injective(const std::vector<Atom>& at) const {
  NameSet open;
  for (const auto& [index, extent] : nest_) open.insert(index);
  for (bool changed = true; changed && !open.empty();) {
    changed = false;
    for (const Atom& number : at) changed = is_mixed_radix(sizes_.value(number), open) || changed;
  }
  return open.empty();
}

/// Removes from `open` the indices that the number determines, given all others.
bool Accesses::is_mixed_radix(Polynomial p, NameSet& open) const {
  std::vector<Digit> digits;
  NameSet told;
  for (const auto& [index, extent] : nest_) {
    if (!open.contains(index) || !varying_in(p).contains(index)) continue;
    const auto linear = p.linear_in(index);
    if (!linear || !varying_in(linear->slope).empty()) return false;
    digits.push_back({linear->slope, sizes_.value(extent)});
    told.insert(index);
    p = linear->rest;
  }
  for (const Name& index : varying_in(p))
    if (open.contains(index)) return false;
  if (!are_told_apart(digits, sizes_)) return false;
  for (const Name& index : told) open.erase(index);
  return !told.empty();
}

/// From the finest digit to the coarsest: what those before reach is less than one step.
bool are_told_apart(std::vector<Digit> digits, const Sizes& sizes) {
  for (Digit& digit : digits)
    if (sizes.not_negative(Polynomial() - digit.stride)) digit.stride = Polynomial() - digit.stride;
  Polynomial reached = 0;
  while (!digits.empty()) {
    const auto is_finest = [&](const Digit& digit) {
      return std::all_of(digits.begin(), digits.end(), [&](const Digit& other) { return sizes.at_most(digit.stride, other.stride); });
    };
    const auto next = std::find_if(digits.begin(), digits.end(), is_finest);
    if (next == digits.end() || !sizes.less(reached, next->stride)) return false;
    reached = reached + next->stride * (next->extent - Polynomial(1));
    digits.erase(next);
  }
  return true;
}

}  // namespace boustro::facts
