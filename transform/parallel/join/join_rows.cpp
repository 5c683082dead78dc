#include "transform/parallel/join/join_rows.hpp"

#include <algorithm>
#include <unordered_map>

#include "transform/facts/joint_sums.hpp"
#include "transform/facts/tiles.hpp"
#include "transform/facts/work.hpp"
#include "transform/ir/builder.hpp"
#include "transform/parallel/join/shared_values.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

std::optional<facts::JointSums> joint_sums(const Nest& nest) {
  if (!nest.accumulators.empty() || facts::tiling_of(nest).has_value()) return std::nullopt;
  return facts::joint_sums_of(nest);
}

/// Stores a scalar for each point, of scalars and elements of arrays.
bool is_elementwise(const Nest& nest) {
  const auto& types = nest.point.result_types;
  const auto& stms = nest.point.body.stms;
  return nest.over == Level::grid && nest.each == Level::thread && nest.accumulators.empty() &&
         std::all_of(nest.outs.begin(), nest.outs.end(), [](const Out& out) { return out.kind == OutKind::store && out.destinations.empty(); }) &&
         std::all_of(types.begin(), types.end(), [](const Type& type) { return type.is_scalar(); }) &&
         std::none_of(stms.begin(), stms.end(), [](const Stm& stm) { return std::holds_alternative<Nest>(stm.exp); });
}

/// With a nest of its own for the elements of a row, whose dimension is the last one.
Nest by_rows(const Stm& stm, Names& names) {
  const auto& all = std::get<Nest>(stm.exp);
  Nest rows = all, inner;
  const Atom width = all.space.back();
  inner.space = {width};
  inner.point = all.point;
  inner.point.params = {all.point.params.back()};
  inner.outs = all.outs;
  for (Out& out : inner.outs) out.rank = 1;
  rows.space.pop_back();
  rows.point.params.pop_back();
  rows.point.body = {};
  rows.point.result_types.clear();
  Stm made{{}, inner, stm.origin, {}};
  for (std::size_t k = 0; k < all.outs.size(); ++k) {
    rows.outs[k].rank = static_cast<int>(rows.space.size());
    made.pattern.push_back(names.fresh_param(stm.pattern[k].name.base, array(all.point.result_types[k].elem, {width})));
    rows.point.body.result.emplace_back(made.pattern[k].name);
    rows.point.result_types.push_back(made.pattern[k].type);
  }
  rows.point.body.stms.push_back(std::move(made));
  return rows;
}

/// Elements of a row that are cheap are computed where they are read, instead of being stored.
class Recomputed {
 public:
  Recomputed(const Name& row, Names& names) : row_(row), names_(names) {}

  /// False, and nothing changes, if that cannot be.
  bool run(Body& point) {
    const auto makes = [&](const Stm& stm) { return stm.pattern.size() == 1 && stm.pattern[0].name == row_ && std::holds_alternative<Nest>(stm.exp); };
    const auto made = std::find_if(point.stms.begin(), point.stms.end(), makes);
    if (made == point.stms.end()) return false;
    element_ = std::get<Nest>(made->exp).point;
    if (!facts::is_cheap(element_.body.stms)) return false;
    Body rest{{made + 1, point.stms.end()}, {}};
    if (!replace(rest)) return false;
    point.stms.erase(made, point.stms.end());
    point.stms.insert(point.stms.end(), rest.stms.begin(), rest.stms.end());
    return true;
  }

 private:
  bool replace(Body& body) {
    Substitution values;
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      const auto* index = std::get_if<Index>(&stm.exp);
      if (!index || index->array != row_) {
        bool replaced = true;
        map_bodies(stm.exp, [&](Body& inner) { replaced = replaced && replace(inner); });
        if (!replaced || free_names(stm).contains(row_)) return false;
        stms.push_back(std::move(stm));
        continue;
      }
      const auto* at = std::get_if<Atom>(&index->indices[0]);
      if (!at) return false;
      Body element = rename(element_.body, names_, {{element_.params[0].name, *at}});
      stms.insert(stms.end(), element.stms.begin(), element.stms.end());
      values.emplace(stm.pattern[0].name, element.result[0]);
    }
    body.stms = std::move(stms);
    substitute(body, values);
    return true;
  }

  const Name& row_;
  Names& names_;
  Lambda element_;
};

class RowJoiner {
 public:
  RowJoiner(const Stm& first, const Stm& second, const NameSet& needed, Names& names)
      : first_(first), a_(std::get<Nest>(first.exp)), second_(second), needed_(needed), names_(names) {}

  std::optional<Stm> run() {
    const auto& second = std::get<Nest>(second_.exp);
    Nest b = second.space.size() > a_.space.size() ? by_rows(second_, names_) : second;
    for (std::size_t d = 0; d < a_.space.size(); ++d) known_.emplace(b.point.params[d].name, a_.point.params[d].name);
    for (std::size_t k = 0; k < first_.pattern.size(); ++k) reads_.emplace(first_.pattern[k].name, Read{k, 0});
    if (!take_values(b.point.body) || !takes_any_) return std::nullopt;
    substitute(b.point.body, known_);
    const NameSet left = free_names(b.point.body);
    if (std::any_of(reads_.begin(), reads_.end(), [&](const auto& read) { return left.contains(read.first); })) return std::nullopt;
    return joined(b);
  }

 private:
  /// A result of the first, or a view of it that has had so many indices.
  struct Read {
    std::size_t result, depth;
  };

  bool is_row(std::size_t result) const { return !a_.point.result_types[result].is_scalar(); }

  /// What is read of the first at the same point is known there: a scalar or a row. False if anything else of it is read.
  bool take_values(Body& body) {
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      bool taken = true;
      map_bodies(stm.exp, [&](Body& inner) { taken = taken && take_values(inner); });
      if (!taken) return false;
      auto* index = std::get_if<Index>(&stm.exp);
      const auto read = index ? reads_.find(index->array) : reads_.end();
      if (read == reads_.end()) {
        stms.push_back(std::move(stm));
        continue;
      }
      const auto [result, depth] = read->second;
      const std::size_t own = std::min(a_.space.size() - depth, index->indices.size());
      for (std::size_t d = 0; d < own; ++d)
        if (substituted(index->indices[d]) != DimIndex(Atom(a_.point.params[depth + d].name))) return false;
      if (depth + own < a_.space.size()) {
        reads_.emplace(stm.pattern[0].name, Read{result, depth + own});
        continue;
      }
      takes_any_ = true;
      const Atom& value = a_.point.body.result[result];
      if (own == index->indices.size()) {
        known_.emplace(stm.pattern[0].name, value);
        continue;
      }
      index->array = std::get<Name>(value);
      index->indices.erase(index->indices.begin(), index->indices.begin() + static_cast<std::ptrdiff_t>(own));
      stms.push_back(std::move(stm));
    }
    body.stms = std::move(stms);
    return true;
  }

  DimIndex substituted(const DimIndex& index) const {
    const auto* atom = std::get_if<Atom>(&index);
    return atom ? DimIndex(substitute(*atom, known_)) : index;
  }

  /// Rows that are dear stay where they are made, even if nobody else reads them.
  std::optional<Stm> joined(const Nest& b) const {
    Nest nest = a_;
    Stm result{{}, {}, second_.origin, first_.attributes};
    nest.point.body.result.clear(), nest.point.result_types.clear(), nest.outs.clear();
    const auto& more = b.point.body.stms;
    nest.point.body.stms.insert(nest.point.body.stms.end(), more.begin(), more.end());
    const auto yield = [&](const Nest& of, const Stm& stm, std::size_t k) {
      nest.point.body.result.push_back(of.point.body.result[k]);
      nest.point.result_types.push_back(of.point.result_types[k]);
      nest.outs.push_back(of.outs[k]);
      result.pattern.push_back(stm.pattern[k]);
    };
    for (std::size_t k = 0; k < first_.pattern.size(); ++k) {
      const Atom& value = a_.point.body.result[k];
      if (!needed_.contains(first_.pattern[k].name) && (!is_row(k) || Recomputed(std::get<Name>(value), names_).run(nest.point.body))) continue;
      result.origin = first_.origin;
      yield(a_, first_, k);
    }
    for (std::size_t k = 0; k < second_.pattern.size(); ++k) yield(b, second_, k);
    for (const Attribute& attribute : second_.attributes)
      if (std::find(result.attributes.begin(), result.attributes.end(), attribute) == result.attributes.end()) result.attributes.push_back(attribute);
    share_values(nest.point.body);
    if (!joint_sums(nest)) return std::nullopt;
    result.exp = std::move(nest);
    return result;
  }

  const Stm& first_;
  const Nest& a_;
  const Stm& second_;
  const NameSet& needed_;
  Names& names_;
  Substitution known_;                     // names of the second by what stands for them in the first
  std::unordered_map<Name, Read> reads_;
  bool takes_any_ = false;
};

/// Whether neighbours are best next to each other along the elements of a row.
bool is_along_rows(const Stm& stm, const Nest& nest, const facts::Layout& layout) {
  const auto sectors = facts::sectors_along(stm, nest, layout);
  return sectors.size() == nest.space.size() && std::none_of(sectors.begin(), sectors.end(), [&](const facts::Sectors& other) { return facts::is_less(other, sectors.back()); });
}

}  // namespace

bool have_rows(const Nest& first, const Nest& second) {
  const std::size_t more = second.space.size() - first.space.size();
  return second.space.size() >= first.space.size() && more <= 1 && std::equal(first.space.begin(), first.space.end(), second.space.begin());
}

std::optional<Stm> joined_rows(const Stm& first, const Stm& second, const NameSet& needed, const facts::Layout& layout, Names& names) {
  const auto &a = std::get<Nest>(first.exp), &b = std::get<Nest>(second.exp);
  const auto sums = joint_sums(a);
  if (!sums || a.space.empty() || !facts::are_summands_closer(first, a, *sums, a.space.size() - 1, layout)) return std::nullopt;
  if (b.space.size() > a.space.size()) {
    if (!is_elementwise(b) || b.space.back() != sums->most || !is_along_rows(second, b, layout)) return std::nullopt;
  } else {
    const auto others = joint_sums(b);
    if (!others || others->most != sums->most || !facts::are_summands_closer(second, b, *others, b.space.size() - 1, layout)) return std::nullopt;
  }
  return RowJoiner(first, second, needed, names).run();
}

}  // namespace boustro::parallel
