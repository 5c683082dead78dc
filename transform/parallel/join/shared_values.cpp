#include "transform/parallel/join/shared_values.hpp"

#include <algorithm>

#include "transform/ir/scalar.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

bool is_scalar_arithmetic(const Stm& stm) { return is_scalar_operation(stm.exp) && stm.pattern.size() == 1 && !may_fail(stm.exp); }
bool is_view(const Stm& stm) { return std::holds_alternative<Index>(stm.exp) && !stm.pattern[0].type.is_scalar() && !may_fail(stm.exp); }

/// Those of the inner nest that depend on nothing in it; they are no longer there.
std::vector<Stm> invariants_of(Nest& inner) {
  NameSet bound;
  for (const Param& param : inner.point.params) bound.insert(param.name);
  std::vector<Stm> invariants, rest;
  for (Stm& stm : inner.point.body.stms) {
    const NameSet used = free_names(stm);
    const bool varies = std::any_of(used.begin(), used.end(), [&](const Name& name) { return bound.contains(name); });
    if (!varies && (is_scalar_arithmetic(stm) || is_view(stm))) {
      invariants.push_back(std::move(stm));
      continue;
    }
    for (const Param& param : stm.pattern) bound.insert(param.name);
    rest.push_back(std::move(stm));
  }
  inner.point.body.stms = std::move(rest);
  return invariants;
}

/// Elements and views of what some of the statements have a view of are those of the view.
class ByViews {
 public:
  void add(const Stm& stm) {
    const auto* index = std::get_if<Index>(&stm.exp);
    if (index && is_view(stm)) views_.push_back({*index, stm.pattern[0].name});
  }
  void rewrite(Stm& stm) const {
    map_bodies(stm.exp, [&](Body& inner) {
      for (Stm& inside : inner.stms) rewrite(inside);
    });
    auto* index = std::get_if<Index>(&stm.exp);
    if (!index) return;
    for (const auto& [view, name] : views_) {
      const auto own = static_cast<std::ptrdiff_t>(view.indices.size());
      const bool is_of = view.array == index->array && index->indices.size() > view.indices.size() && std::equal(view.indices.begin(), view.indices.end(), index->indices.begin());
      if (!is_of) continue;
      index->array = name;
      index->indices.erase(index->indices.begin(), index->indices.begin() + own);
      return;
    }
  }

 private:
  std::vector<std::pair<Index, Name>> views_;
};

}  // namespace

void share_values(Body& point) {
  std::vector<Stm> stms;
  for (Stm& stm : point.stms) {
    if (auto* inner = std::get_if<Nest>(&stm.exp))
      for (Stm& invariant : invariants_of(*inner)) stms.push_back(std::move(invariant));
    stms.push_back(std::move(stm));
  }
  point.stms.clear();
  Substitution shared;
  ByViews views;
  for (Stm& stm : stms) {
    substitute(stm, shared);
    views.rewrite(stm);
    const bool may_be_shared = is_scalar_arithmetic(stm) || std::holds_alternative<Index>(stm.exp);
    const auto before = std::find_if(point.stms.begin(), point.stms.end(), [&](const Stm& other) { return may_be_shared && other.exp == stm.exp; });
    if (before != point.stms.end()) shared.emplace(stm.pattern[0].name, before->pattern[0].name);
    else point.stms.push_back(std::move(stm)), views.add(point.stms.back());
  }
  for (Atom& atom : point.result) atom = substitute(atom, shared);
}

}  // namespace boustro::parallel
