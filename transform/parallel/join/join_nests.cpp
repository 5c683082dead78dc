#include "transform/parallel/join/join_nests.hpp"

#include <algorithm>
#include <unordered_map>

#include "transform/facts/joint_sums.hpp"
#include "transform/facts/tiles.hpp"
#include "transform/ir/nest.hpp"
#include "transform/parallel/flatten/cells_apart.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

/// Of the grid; its points store scalars, or add to accumulators.
const Nest* as_joinable(const Stm& stm) {
  const auto* nest = std::get_if<Nest>(&stm.exp);
  if (!nest || nest->over != Level::grid || nest->space.empty()) return nullptr;
  const bool stores = std::all_of(nest->outs.begin(), nest->outs.end(), [](const Out& out) { return out.kind == OutKind::store && out.destinations.empty(); });
  const auto& types = nest->point.result_types;
  const bool scalars = std::all_of(types.begin(), types.end(), [](const Type& type) { return type.accumulator || type.is_scalar(); });
  return stores && scalars ? nest : nullptr;
}

/// Scalars, elements of arrays and additions, in branches too.
bool is_elementwise(const Body& body) {
  return std::all_of(body.stms.begin(), body.stms.end(), [](const Stm& stm) {
    bool all = true;
    for_each_body(stm.exp, [&](const Body& inner) { all = all && std::holds_alternative<If>(stm.exp) && is_elementwise(inner); });
    return all;
  });
}

class NestJoiner {
 public:
  NestJoiner(const Stm& first, const Stm& second, const NameSet& needed, const facts::Sizes& known, Names& names)
      : first_(first), second_(second), a_(*as_joinable(first)), b_(*as_joinable(second)), needed_(needed), known_(known), names_(names) {}

  std::optional<Stm> run() {
    if (a_.space != b_.space) return std::nullopt;
    const bool are_sums = have_like_sums();
    second_sums_ = !are_sums && !is_elementwise(b_.point.body);
    if (second_sums_ && !(a_.accumulators.empty() && facts::joint_sums_of(b_) && none_needed())) return std::nullopt;
    if (!are_sums && !b_.accumulators.empty() && !is_elementwise(a_.point.body)) return std::nullopt;
    for (std::size_t d = 0; d < a_.space.size(); ++d) known_here_.emplace(b_index(d), a_index(d));
    if (!take_values() || (!continue_accumulators() && !takes_any_)) return std::nullopt;
    joined_.over = a_.over, joined_.each = a_.each, joined_.space = a_.space;
    put_together();
    if (second_sums_ && !stands_behind_sums()) return std::nullopt;
    if (!joined_.accumulators.empty() && !cells_are_apart(joined_, known_, names_)) return std::nullopt;
    result_.exp = std::move(joined_);
    return std::move(result_);
  }

 private:
  /// Which threads can compute together, in one loop, to add them to accumulators.
  bool have_like_sums() const {
    const auto sums = [](const Nest& nest) -> const Nest* {
      const auto joint = nest.outs.empty() ? facts::joint_sums_of(nest) : std::nullopt;
      return joint && joint->rows.empty() ? &std::get<Nest>(nest.point.body.stms[joint->sums[0]].exp) : nullptr;
    };
    const Nest *of_first = sums(a_), *of_second = sums(b_);
    return of_first && of_second && of_first->space == of_second->space;
  }

  bool none_needed() const {
    return std::none_of(first_.pattern.begin(), first_.pattern.end(), [&](const Param& param) { return needed_.contains(param.name); });
  }

  /// What the first computes does, without loops, and threads share the sums as before.
  bool stands_behind_sums() const {
    const auto sums = facts::joint_sums_of(joined_);
    if (!sums || !facts::keeps_tiles(b_, joined_)) return false;
    const auto behind = joined_.point.body.stms.begin() + static_cast<std::ptrdiff_t>(sums->sums.back()) + 1;
    return std::find(behind, joined_.point.body.stms.end(), a_.point.body.stms.front()) != joined_.point.body.stms.end();
  }

  const Name& a_index(std::size_t d) const { return a_.point.params[a_.accumulators.size() + d].name; }
  const Name& b_index(std::size_t d) const { return b_.point.params[b_.accumulators.size() + d].name; }

  /// What the second reads of the first, at its own point, is known there. False if it reads anything else of it.
  bool take_values() {
    std::unordered_map<Name, std::pair<std::size_t, std::size_t>> views;  // the result that it is of, and how many indices it has had
    for (std::size_t k = a_.accumulators.size(); k < first_.pattern.size(); ++k) views.emplace(first_.pattern[k].name, std::pair(k, 0));
    for (const Stm& stm : b_.point.body.stms) {
      const auto* index = std::get_if<Index>(&stm.exp);
      const auto view = index ? views.find(index->array) : views.end();
      if (view == views.end()) {
        if (mentions_any_of(views, free_names(stm))) return false;
        stms_.push_back(stm);
        continue;
      }
      const auto [result, depth] = view->second;
      for (std::size_t d = 0; d < index->indices.size(); ++d)
        if (depth + d >= a_.space.size() || index->indices[d] != DimIndex(Atom(b_index(depth + d)))) return false;
      const std::size_t now = depth + index->indices.size();
      if (now < a_.space.size()) views.emplace(stm.pattern[0].name, std::pair(result, now));
      else known_here_.emplace(stm.pattern[0].name, a_.point.body.result[result]), takes_any_ = true;
    }
    return !mentions_any_of(views, names_in(b_.point.body.result));
  }

  template <typename Views>
  static bool mentions_any_of(const Views& views, const NameSet& names) {
    return std::any_of(names.begin(), names.end(), [&](const Name& name) { return views.contains(name); });
  }
  static NameSet names_in(const std::vector<Atom>& atoms) {
    NameSet names;
    for (const Atom& atom : atoms)
      if (const Name* name = name_in(atom)) names.insert(*name);
    return names;
  }

  /// Says whether there are any that the first has added to.
  bool continue_accumulators() {
    bool any = false;
    for (std::size_t i = 0; i < b_.accumulators.size(); ++i) {
      const auto end = first_.pattern.begin() + static_cast<std::ptrdiff_t>(a_.accumulators.size());
      const auto here = std::find_if(first_.pattern.begin(), end, [&](const Param& param) { return param.name == b_.accumulators[i]; });
      continues_.push_back(static_cast<std::size_t>(here - first_.pattern.begin()));
      if (here == end) continue;
      known_here_.emplace(b_.point.params[i].name, a_.point.body.result[continues_[i]]);
      any = true;
    }
    return any;
  }
  bool is_new(std::size_t accumulator) const { return continues_[accumulator] >= a_.accumulators.size(); }

  void put_together() {
    Body second{std::move(stms_), b_.point.body.result};
    substitute(second, known_here_);
    joined_.point.body.stms = second.stms;
    auto& stms = joined_.point.body.stms;
    stms.insert(second_sums_ ? first_user(stms) : stms.begin(), a_.point.body.stms.begin(), a_.point.body.stms.end());
    const std::size_t as = a_.accumulators.size(), bs = b_.accumulators.size();
    joined_.accumulators = a_.accumulators;
    joined_.point.params.assign(a_.point.params.begin(), a_.point.params.begin() + static_cast<std::ptrdiff_t>(as));
    for (std::size_t i = 0; i < as; ++i) yield(a_.point.body.result[i], a_.point.result_types[i], first_.pattern[i]);
    for (std::size_t i = 0; i < bs; ++i) {
      if (!is_new(i)) {
        joined_.point.body.result[continues_[i]] = second.result[i];
        result_.pattern[continues_[i]] = second_.pattern[i];
        continue;
      }
      joined_.accumulators.push_back(b_.accumulators[i]);
      joined_.point.params.push_back(b_.point.params[i]);
      yield(second.result[i], b_.point.result_types[i], second_.pattern[i]);
    }
    joined_.point.params.insert(joined_.point.params.end(), a_.point.params.begin() + static_cast<std::ptrdiff_t>(as), a_.point.params.end());
    for (std::size_t k = as; k < first_.pattern.size(); ++k)
      if (needed_.contains(first_.pattern[k].name)) store(a_.point.body.result[k], a_.point.result_types[k], first_.pattern[k], a_.outs[k - as]);
    for (std::size_t k = bs; k < second_.pattern.size(); ++k) store(second.result[k], b_.point.result_types[k], second_.pattern[k], b_.outs[k - bs]);
    result_.origin = is_elementwise(a_.point.body) ? second_.origin : first_.origin;  // of what takes longer
    result_.attributes = first_.attributes;
    for (const Attribute& attribute : second_.attributes)
      if (!has_attribute(result_, attribute.name)) result_.attributes.push_back(attribute);
  }

  /// Of what the first computes: what stands behind sums is for one thread alone.
  std::vector<Stm>::iterator first_user(std::vector<Stm>& stms) const {
    const NameSet computed = bound_names(a_.point.body.stms);
    return std::find_if(stms.begin(), stms.end(), [&](const Stm& stm) {
      const NameSet used = free_names(stm);
      return std::any_of(used.begin(), used.end(), [&](const Name& name) { return computed.contains(name); });
    });
  }

  void yield(const Atom& value, const Type& type, const Param& param) {
    joined_.point.body.result.push_back(value);
    joined_.point.result_types.push_back(type);
    result_.pattern.push_back(param);
  }
  void store(const Atom& value, const Type& type, const Param& param, const Out& out) {
    yield(value, type, param);
    joined_.outs.push_back(out);
  }

  const Stm &first_, &second_;
  const Nest &a_, &b_;
  const NameSet& needed_;
  const facts::Sizes& known_;
  Names& names_;
  Substitution known_here_;             // names of the second by what stands for them in the first
  std::vector<Stm> stms_;               // of the second, without reads of the first
  std::vector<std::size_t> continues_;  // for each accumulator of the second, that of the first; else too large
  bool takes_any_ = false;
  bool second_sums_ = false;  // what the first computes stands behind the sums of the second
  Nest joined_;
  Stm result_;
};

}  // namespace

std::optional<Stm> joined_nests(const Stm& first, const Stm& second, const NameSet& needed, const facts::Sizes& known, Names& names) {
  if (!as_joinable(first) || !as_joinable(second)) return std::nullopt;
  return NestJoiner(first, second, needed, known, names).run();
}

}  // namespace boustro::parallel
