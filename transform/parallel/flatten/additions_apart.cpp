#include "transform/parallel/flatten/additions_apart.hpp"

#include <algorithm>
#include <unordered_map>

#include "transform/facts/work.hpp"
#include "transform/ir/needed.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

/// Accumulators to which values of one shape are added.
struct Group {
  Shape shape;
  std::vector<std::size_t> accumulators;
};

class RowAdditions {
 public:
  RowAdditions(const Stm& stm, Names& names) : stm_(stm), nest_(std::get<Nest>(stm.exp)), names_(names) {}

  std::optional<std::vector<Stm>> run() {
    if (nest_.over != Level::grid || nest_.accumulators.empty() || !nest_.outs.empty() || !find_groups()) return std::nullopt;
    if (std::all_of(groups_.begin(), groups_.end(), [](const Group& group) { return group.shape.empty(); })) return std::nullopt;
    std::vector<Stm> parts;
    for (const Group& group : groups_) {
      auto part = nest_of(group);
      if (!part) return std::nullopt;
      parts.push_back(std::move(*part));
    }
    return parts;
  }

 private:
  const std::vector<Stm>& stms() const { return nest_.point.body.stms; }

  bool find_groups() {
    NameSet inside = bound_names(stms());
    for (std::size_t i = 0; i < nest_.accumulators.size(); ++i) {
      const auto shape = shape_added(i);
      if (!shape) return false;
      for (const Atom& size : *shape)
        if (const Name* name = name_in(size); !name || inside.contains(*name)) return false;
      const auto same = std::find_if(groups_.begin(), groups_.end(), [&](const Group& group) { return group.shape == *shape; });
      if (same == groups_.end()) groups_.push_back({*shape, {i}});
      else same->accumulators.push_back(i);
    }
    return std::none_of(stms().begin(), stms().end(), [](const Stm& stm) { return stm.pattern.empty(); });
  }

  /// Of all values that are added to the accumulator, one after the other at the top of the point.
  std::optional<Shape> shape_added(std::size_t accumulator) const {
    std::optional<Shape> shape;
    Name current = nest_.point.params[accumulator].name;
    for (const Stm& stm : stms()) {
      if (!free_names(stm.exp).contains(current)) continue;
      const auto* update = std::get_if<UpdateAcc>(&stm.exp);
      if (!update || update->accumulator != current) return std::nullopt;
      const Name* value = name_in(update->value);
      const Shape added = value ? names_.type_of(*value).shape : Shape{};
      if (shape && *shape != added) return std::nullopt;
      shape = added;
      current = stm.pattern[0].name;
    }
    return nest_.point.body.result[accumulator] == Atom(current) ? shape : std::nullopt;
  }

  std::optional<Stm> nest_of(const Group& group) {
    Stm part{{}, nest_, stm_.origin, stm_.attributes};
    Nest& nest = std::get<Nest>(part.exp);
    nest.accumulators.clear(), nest.point.params.clear(), nest.point.result_types.clear(), nest.point.body.result.clear();
    for (const std::size_t i : group.accumulators) {
      part.pattern.push_back(stm_.pattern[i]);
      nest.accumulators.push_back(nest_.accumulators[i]);
      nest.point.params.push_back(nest_.point.params[i]);
      nest.point.result_types.push_back(nest_.point.result_types[i]);
      nest.point.body.result.push_back(nest_.point.body.result[i]);
    }
    nest.point.params.insert(nest.point.params.end(), nest_.point.params.begin() + static_cast<std::ptrdiff_t>(nest_.accumulators.size()), nest_.point.params.end());
    NameSet wanted = names_among(nest.point.body.result);
    nest.point.body.stms = statements_for(wanted, stms());
    if (!group.shape.empty() && !spread(nest, group.shape)) return std::nullopt;
    nest.point = rename(nest.point, names_);
    return part;
  }

  /// The additions go to the points of a nest inside. Nothing if it takes long to compute what they need.
  bool spread(Nest& outer, const Shape& shape) {
    Body& body = outer.point.body;
    Nest inner{outer.each, outer.each, shape, {}, {}, {}, {}};
    std::vector<Stm> before;
    std::unordered_map<Name, Name> elements;
    std::vector<DimIndex> indices;
    std::vector<Param> params;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      params.push_back(names_.fresh_param("j", scalar(PrimType::i64)));
      indices.push_back(Atom(params.back().name));
    }
    for (Stm& stm : body.stms) {
      auto* update = std::get_if<UpdateAcc>(&stm.exp);
      if (!update) {
        before.push_back(std::move(stm));
        continue;
      }
      const Name row = *name_in(update->value);
      if (!elements.contains(row)) {
        const Param element = names_.fresh_param(row.base, scalar(names_.type_of(row).elem));
        inner.point.body.stms.push_back({{element}, Index{row, indices, false}, stm.origin, {}});
        elements.emplace(row, element.name);
      }
      update->value = elements.at(row);
      for (const Param& param : params) update->indices.push_back(param.name);
      inner.point.body.stms.push_back(std::move(stm));
    }
    const bool repeatable = std::all_of(before.begin(), before.end(), facts::is_repeatable) && facts::is_cheap(before, outer.accumulators.size());
    if (!repeatable) return false;
    inner.point.body.result = body.result;
    inner.point.result_types = outer.point.result_types;
    std::vector<Param> results;
    for (std::size_t i = 0; i < outer.accumulators.size(); ++i) {
      const Param& given = outer.point.params[i];
      inner.accumulators.push_back(given.name);
      results.push_back(names_.fresh_param(given.name.base, given.type));
      body.result[i] = results.back().name;
      inner.point.params.push_back(names_.fresh_param(given.name.base, given.type, true));
    }
    Substitution own;
    for (std::size_t i = 0; i < inner.accumulators.size(); ++i) own.emplace(inner.accumulators[i], inner.point.params[i].name);
    substitute(inner.point.body, own);
    inner.point.params.insert(inner.point.params.end(), params.begin(), params.end());
    body.stms = std::move(before);
    body.stms.push_back({results, inner, stm_.origin, {}});
    return true;
  }

  const Stm& stm_;
  const Nest& nest_;
  Names& names_;
  std::vector<Group> groups_;
};

}  // namespace

std::optional<std::vector<Stm>> additions_apart(const Stm& stm, Names& names) { return RowAdditions(stm, names).run(); }

}  // namespace boustro::parallel
