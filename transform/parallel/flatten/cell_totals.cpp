#include "transform/parallel/flatten/cell_totals.hpp"

#include <algorithm>

#include "transform/parallel/flatten/chunk.hpp"
#include "transform/parallel/flatten/scalars.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

constexpr std::int64_t enough_threads = 1 << 17;  // fill the largest devices
constexpr std::int64_t points_of_slab = 64;       // at least, so that what a slab comes to is little beside it
constexpr std::int64_t most_slabs = 512;          // which one thread combines

Shape extents_of(const std::vector<Dimension>& dimensions) {
  Shape extents;
  for (const Dimension& d : dimensions) extents.push_back(d.extent);
  return extents;
}

Out out_of(OutKind kind, int rank, std::optional<Operator> op = std::nullopt) {
  Out out;
  out.kind = kind;
  out.rank = rank;
  out.op = std::move(op);
  return out;
}

Operator adding(Builder& b, PrimType elem) {
  return {scalar_operator(b, BinOpKind::add, elem), {PrimValue::zero(elem)}, true};
}

class Totals {
 public:
  Totals(Builder& b, const Additions& additions, const Definitions& definitions)
      : b_(b), additions_(additions), place_(additions.place), definitions_(definitions) {
    for (const Addition& one : additions.each)
      if (std::find(values_.begin(), values_.end(), one.value) == values_.end()) values_.push_back(one.value);
  }

  void run(const std::vector<Target>& targets) {
    const bool few = few_points();
    if (!few || place_.cell.size() > 2) count_cells();
    if (few) {
      return store(targets, [&](Builder& point, const std::vector<Name>& cell) {
        return totals(point, indices_of(point, cell), std::nullopt);
      });
    }
    const Atom width = place_.summed[0].extent;
    const Chunks slabs = in_chunks(b_, width, slab_limit(), "slab");
    const std::vector<Name> parts = sums_of_slabs(slabs, width);
    store(targets, [&](Builder& point, const std::vector<Name>& cell) {
      return of_all_slabs(point, slabs, parts, number_of(point, cell));
    });
  }

 private:
  /// Known to be so few that slabs are not worth it.
  bool few_points() const {
    std::int64_t points = 1;
    for (const Dimension& d : place_.summed) {
      const PrimValue* literal = literal_in(d.extent);
      if (!literal || literal->as_int() > 2 * points_of_slab) return false;
      points *= literal->as_int();
    }
    return points <= 2 * points_of_slab;
  }

  void count_cells() {
    divisors_ = extents_of(place_.cell);
    cells_ = divisors_[0];
    for (std::size_t d = 1; d < divisors_.size(); ++d) cells_ = b_.binop("cells", BinOpKind::mul, cells_, divisors_[d]);
    for (std::size_t d = 1; d < divisors_.size(); ++d) {
      const Atom extent = divisors_[d];
      const Name* name = name_in(extent);
      if (!name) continue;
      // To divide by, in threads that there are only if none is zero.
      const Atom divisor = at_least_one(name->base, extent);
      std::replace(divisors_.begin() + 1, divisors_.end(), extent, divisor);
    }
  }

  Atom at_least_one(std::string_view base, const Atom& x) { return b_.binop(base, BinOpKind::max, x, int_atom(1)); }

  Atom slab_limit() {
    Atom points = place_.summed[0].extent;
    for (std::size_t d = 1; d < place_.summed.size(); ++d)
      points = b_.binop("points", BinOpKind::mul, points, place_.summed[d].extent);
    const Atom worth = b_.binop("worth", BinOpKind::div, points, int_atom(points_of_slab));
    const Atom filling = b_.binop("filling", BinOpKind::div, int_atom(enough_threads), at_least_one("cells", cells_));
    const Atom most = b_.binop("most_slabs", BinOpKind::min, filling, int_atom(most_slabs));
    return b_.binop("most_slabs", BinOpKind::max, b_.binop("most_slabs", BinOpKind::min, worth, most), int_atom(1));
  }

  /// A thread for each cell of each slab.
  std::vector<Name> sums_of_slabs(const Chunks& slabs, const Atom& width) {
    Nest nest;
    nest.over = Level::grid;
    nest.space = {slabs.count, cells_};
    const Type index = scalar(PrimType::i64);
    nest.point = b_.lambda({{"slab", index}, {place_.cell.size() == 1 ? place_.cell[0].index.base : "cell", index}},
                           [&](Builder& point, const std::vector<Name>& at) {
                             const Chunk slab = chunk_of(point, slabs, width, at[0]);
                             return totals(point, indices_of(point, {at[1]}), slab);
                           });
    nest.outs.assign(values_.size(), out_of(OutKind::store, 2));
    std::vector<std::string> bases;
    for (const Atom& value : values_) bases.push_back(base_of(value) + "_parts");
    return b_.let_all(bases, nest);
  }

  /// As what is added to first.
  std::string base_of(const Atom& value) const {
    for (const Addition& one : additions_.each)
      if (one.value == value) return one.result.base;
    return "sum";
  }

  /// Of a cell that is given by them, or by its number, for which the last index counts first.
  Substitution indices_of(Builder& point, const std::vector<Name>& cell) const {
    Substitution indices;
    for (std::size_t k = 0; cell.size() > 1 && k < cell.size(); ++k) indices.emplace(place_.cell[k].index, cell[k]);
    if (!indices.empty()) return indices;
    Atom rest = cell[0];
    for (std::size_t k = place_.cell.size(); k-- > 1;) {
      const Name& index = place_.cell[k].index;
      indices.emplace(index, point.binop(index.base, BinOpKind::mod, rest, divisors_[k]));
      rest = point.binop(k == 1 ? place_.cell[0].index.base : "rest", BinOpKind::div, rest, divisors_[k]);
    }
    indices.emplace(place_.cell[0].index, rest);
    return indices;
  }

  Atom number_of(Builder& point, const std::vector<Name>& cell) const {
    if (cell.size() == 1) return cell[0];
    const Atom row = point.binop("row", BinOpKind::mul, cell[0], place_.cell[1].extent);
    return point.binop("cell", BinOpKind::add, row, cell[1]);
  }

  /// Of each value, over all summed dimensions; of the first, if `slab` is given, only over that.
  std::vector<Atom> totals(Builder& point, Substitution indices, const std::optional<Chunk>& slab) {
    Builder inside(b_.names, b_.origin);
    Nest sum;
    sum.space = extents_of(place_.summed);
    for (const Dimension& d : place_.summed) {
      sum.point.params.push_back(b_.names.fresh_param(d.index.base, scalar(PrimType::i64)));
      indices.emplace(d.index, sum.point.params.back().name);
    }
    if (slab) {
      sum.space[0] = slab->count;
      Atom& first = indices.at(place_.summed[0].index);
      first = inside.binop(place_.summed[0].index.base, BinOpKind::add, slab->first, first);
    }
    Recomputed again(inside, indices);
    for (const Body* body : place_.points) again.know(*body);
    for (const Atom& value : values_) {
      sum.point.body.result.push_back(added_value(again, value, place_, indices));
      const Type type = scalar(b_.names.type_of(value).elem);
      sum.point.result_types.push_back(type);
      sum.outs.push_back(out_of(OutKind::reduce, 0, adding(point, type.elem)));
    }
    sum.point.body.stms = varying(std::move(inside.stms), sum.point.params, point);
    return as_atoms(point.let_all({"total"}, sum));
  }

  /// The others go before. Of several dimensions an inner one may be empty, and then there is nothing to read.
  std::vector<Stm> varying(std::vector<Stm> stms, const std::vector<Param>& params, Builder& before) const {
    if (params.size() > 1) return stms;
    NameSet varying{params[0].name};
    std::vector<Stm> rest;
    for (Stm& stm : stms) {
      const NameSet used = free_names(stm);
      const bool varies =
          std::any_of(used.begin(), used.end(), [&](const Name& name) { return varying.contains(name); });
      if (varies) varying.insert(stm.pattern[0].name);
      varies ? rest.push_back(std::move(stm)) : before.add(std::move(stm));
    }
    return rest;
  }

  static std::vector<Atom> of_all_slabs(Builder& point, const Chunks& slabs, const std::vector<Name>& parts,
                                        const Atom& cell) {
    Nest sum;
    sum.space = {slabs.count};
    sum.point = point.lambda({{"slab", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& slab) {
      std::vector<Atom> results;
      for (const Name& part : parts) results.push_back(b.index(part.base, part, {slab[0], cell}));
      return results;
    });
    for (const Type& type : sum.point.result_types)
      sum.outs.push_back(out_of(OutKind::reduce, 0, adding(point, type.elem)));
    return as_atoms(point.let_all({"total"}, sum));
  }

  /// A thread for each cell: what was there, and the totals of the values. The grid has two dimensions for them; where
  /// there are more, cells are numbered.
  template <typename Fill>
  void store(const std::vector<Target>& targets, Fill&& fill) {
    const bool numbered = place_.cell.size() > 2;
    std::vector<Name> before;
    for (const Target& target : targets) {
      const bool seen_flat = numbered && !known_before(target);
      before.push_back(seen_flat ? b_.let(target.before.base, Reshape{{cells_}, target.before}) : target.before);
    }
    Nest nest;
    nest.over = Level::grid;
    nest.space = numbered ? Shape{cells_} : extents_of(place_.cell);
    nest.outs.assign(targets.size(), out_of(OutKind::store, static_cast<int>(nest.space.size())));
    std::vector<std::pair<std::string, Type>> indices;
    for (const Dimension& d : place_.cell) indices.emplace_back(d.index.base, scalar(PrimType::i64));
    if (numbered) indices = {{"cell", scalar(PrimType::i64)}};
    nest.point = b_.lambda(indices, [&](Builder& point, const std::vector<Name>& cell) {
      return sums(point, targets, before, as_atoms(cell), fill(point, cell));
    });
    std::vector<Param> pattern;
    for (const Target& target : targets)
      pattern.push_back(numbered ? b_.names.fresh_param(target.after.name.base, array(target.after.type.elem, {cells_}))
                                 : target.after);
    b_.let(pattern, nest);
    for (std::size_t k = 0; numbered && k < targets.size(); ++k)
      b_.let({targets[k].after}, Reshape{targets[k].after.type.shape, pattern[k].name});
  }

  /// Of one cell of each target.
  std::vector<Atom> sums(Builder& point, const std::vector<Target>& targets, const std::vector<Name>& before,
                         const std::vector<Atom>& cell, const std::vector<Atom>& totals) const {
    const std::vector<std::size_t> inputs = inputs_of(additions_);
    std::vector<Atom> results;
    for (std::size_t k = 0; k < targets.size(); ++k) {
      std::optional<Atom> sum = known_before(targets[k]);
      if (!sum) sum = point.index(before[k].base, before[k], cell);
      if (const PrimValue* start = literal_in(*sum); start && start->is_zero()) sum.reset();
      for (const Addition& one : additions_.each) {
        if (one.input != inputs[k]) continue;
        const auto value = std::find(values_.begin(), values_.end(), one.value);
        const Atom& total = totals[static_cast<std::size_t>(value - values_.begin())];
        sum = sum ? point.binop(targets[k].after.name.base, BinOpKind::add, *sum, total) : total;
      }
      results.push_back(*sum);
    }
    return results;
  }

  /// What all cells hold before.
  std::optional<Atom> known_before(const Target& target) const {
    return scalar_of(target.before, definitions_, b_.names);
  }

  Builder& b_;
  const Additions& additions_;
  const Place& place_;
  const Definitions& definitions_;
  std::vector<Atom> values_;  // that are different
  Atom cells_;                // how many there are
  Shape divisors_;            // the extents of cells
};

}  // namespace

std::vector<std::size_t> inputs_of(const Additions& additions) {
  std::vector<std::size_t> inputs;
  for (const Addition& one : additions.each)
    if (std::find(inputs.begin(), inputs.end(), one.input) == inputs.end()) inputs.push_back(one.input);
  return inputs;
}

void add_totals(Builder& builder, const Additions& additions, const std::vector<Target>& targets,
                const Definitions& definitions) {
  Totals(builder, additions, definitions).run(targets);
}

}  // namespace boustro::parallel
