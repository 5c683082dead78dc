#include "transform/parallel/flatten/cell_totals.hpp"

#include <algorithm>

#include "transform/ir/scalar.hpp"
#include "transform/parallel/flatten/chunk.hpp"
#include "transform/parallel/flatten/scalars.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

constexpr std::int64_t enough_results = 1 << 22;  // fill the largest devices, by tiles, that have as many results as threads have elsewhere
constexpr std::int64_t points_of_slab = 64;       // at least, so that what a slab comes to is little beside it
constexpr std::int64_t most_slabs = 512;          // about; one thread combines them

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

/// Whatever its operands are: no read, and no division.
bool is_harmless(const Exp& exp) {
  const auto* op = std::get_if<BinOp>(&exp);
  return is_scalar_operation(exp) && !may_fail(exp) &&
         !(op && values::is_integer(op->type) && (op->kind == BinOpKind::div || op->kind == BinOpKind::mod || op->kind == BinOpKind::quot || op->kind == BinOpKind::rem));
}

class Totals {
 public:
  Totals(Builder& b, const Additions& additions, const Definitions& definitions, Level over)
      : b_(b), additions_(additions), place_(additions.place), definitions_(definitions), over_(over) {
    for (const Addition& one : additions.each)
      if (std::find(values_.begin(), values_.end(), one.value) == values_.end()) values_.push_back(one.value);
  }

  void run(const std::vector<Target>& targets) {
    const bool few = over_ == Level::thread || few_points();
    if (!few || is_numbered()) count_cells();
    if (few) {
      return store(targets, [&](Builder& point, const std::vector<Atom>& cell) {
        return totals(point, indices_of(cell), std::nullopt);
      });
    }
    const Atom width = place_.summed[0].extent;
    const Chunks slabs = slabs_of(width);
    const std::vector<Name> parts = sums_of_slabs(slabs, width);
    store(targets, [&](Builder& point, const std::vector<Atom>& cell) { return of_all_slabs(point, slabs, parts, cell); });
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

  /// The grid has three dimensions for cells; where there are more, these are numbered.
  bool is_numbered() const { return over_ == Level::grid && place_.cell.size() > 3; }
  /// So many dimensions of cells are numbered together with the slabs: two are left to the grid.
  std::size_t leading() const { return place_.cell.size() > 2 ? place_.cell.size() - 2 : 0; }

  void count_cells() {
    for (std::size_t d = 0; d < place_.cell.size(); ++d) {
      const Atom& extent = place_.cell[d].extent;
      cells_ = d == 0 ? extent : literal_in(cells_) && literal_in(extent) ? folded("cells", BinOpKind::mul, cells_, extent) : Atom(count(b_, "cells", cells_, extent));
      if (d + 1 == leading()) leads_ = cells_;
      const Name* name = name_in(extent);
      // To divide by, in threads that there are only if none is zero.
      const bool divides = is_numbered() || d < leading();
      divisors_.push_back(name && divides ? at_least_one(name->base, extent) : extent);
    }
  }

  /// Of numbers that may both be literals.
  Atom folded(std::string_view base, BinOpKind kind, const Atom& x, const Atom& y) {
    const PrimValue *a = literal_in(x), *b = literal_in(y);
    if (const auto value = a && b ? apply(kind, *a, *b) : std::nullopt) return *value;
    return b_.binop(base, kind, x, y);
  }

  Atom at_least_one(std::string_view base, const Atom& x) { return folded(base, BinOpKind::max, x, int_atom(1)); }

  /// As many as fill a device, unless these would be too small, or too many.
  Chunks slabs_of(const Atom& width) {
    const std::string base = base_of(values_[0]) + "_slab", limit = "most_" + base + "s";
    const Atom filling = folded("filling", BinOpKind::div, int_atom(enough_results), at_least_one("cells", cells_));
    const Atom most = at_least_one(limit, folded(limit, BinOpKind::min, filling, int_atom(most_slabs)));
    // One more summand in each of many slabs is nothing; one row more of few may be half of them.
    const bool rows = place_.summed.size() > 1;
    const std::string filling_size = "filling_" + base + "_size";
    const Atom filled = rows ? divided_up(b_, filling_size, width, most) : folded(filling_size, BinOpKind::div, width, most);
    const Atom size = folded(base + "_size", BinOpKind::max, filled, least_size());
    return {divided_up(b_, base + "s", width, size), size};
  }

  /// Of a slab along the first of the summed dimensions.
  Atom least_size() {
    Atom others = int_atom(1);
    for (std::size_t d = 1; d < place_.summed.size(); ++d)
      others = d == 1 ? place_.summed[d].extent : folded("others", BinOpKind::mul, others, place_.summed[d].extent);
    if (place_.summed.size() == 1) return int_atom(points_of_slab);
    return at_least_one("least", folded("least", BinOpKind::div, int_atom(points_of_slab), at_least_one("others", others)));
  }

  /// A thread for each cell of each slab.
  std::vector<Name> sums_of_slabs(const Chunks& slabs, const Atom& width) {
    Nest nest;
    nest.over = Level::grid;
    nest.space = {leading() ? b_.binop("blocks", BinOpKind::mul, slabs.count, leads_) : slabs.count};
    const Type index = scalar(PrimType::i64);
    std::vector<std::pair<std::string, Type>> params{{leading() ? "block" : "slab", index}};
    for (std::size_t k = leading(); k < place_.cell.size(); ++k) {
      nest.space.push_back(place_.cell[k].extent);
      params.emplace_back(place_.cell[k].index.base, index);
    }
    nest.point = b_.lambda(params, [&](Builder& point, const std::vector<Name>& at) {
      Atom slab = at[0];
      std::vector<Atom> cell = digits(point, slab, leading(), true);
      cell.insert(cell.end(), at.begin() + 1, at.end());
      const Chunk chunk = chunk_of(point, slabs, width, slab);
      return totals(point, indices_of(cell), chunk);
    });
    nest.outs.assign(values_.size(), out_of(OutKind::store, static_cast<int>(nest.space.size())));
    std::vector<std::string> bases;
    for (const Atom& value : values_) bases.push_back(base_of(value) + "_parts");
    return b_.let_all(bases, nest);
  }

  /// Of a number, for the first `count` dimensions of cells, of which the last counts first. `rest` is the number, and then what is left
  /// of it if there is more to it than these digits.
  std::vector<Atom> digits(Builder& point, Atom& rest, std::size_t count, bool more) const {
    std::vector<Atom> result(count, int_atom(0));
    for (std::size_t k = count; k-- > (more ? 0 : 1);) {
      result[k] = point.binop(place_.cell[k].index.base, BinOpKind::mod, rest, divisors_[k]);
      rest = point.binop(k == 0 ? "slab" : k == 1 && !more ? place_.cell[0].index.base : "rest", BinOpKind::div, rest, divisors_[k]);
    }
    if (!more) result[0] = rest;
    return result;
  }

  /// As what is added to first.
  std::string base_of(const Atom& value) const {
    for (const Addition& one : additions_.each)
      if (one.value == value) return one.result.base;
    return "sum";
  }

  Substitution indices_of(const std::vector<Atom>& cell) const {
    Substitution indices;
    for (std::size_t k = 0; k < cell.size(); ++k) indices.emplace(place_.cell[k].index, cell[k]);
    return indices;
  }

  /// Where the parts of a cell lie in those of a slab.
  Atom lead_of(Builder& point, const std::vector<Atom>& cell) const {
    Atom lead = cell[0];
    for (std::size_t k = 1; k < leading(); ++k)
      lead = point.binop("lead", BinOpKind::add, point.binop("lead", BinOpKind::mul, lead, place_.cell[k].extent), cell[k]);
    return lead;
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
      first = inside.binop("global_" + place_.summed[0].index.base, BinOpKind::add, slab->first, first);
    }
    Recomputed again(inside, indices);
    for (const Body* body : place_.points) again.know(*body);
    for (const Atom& value : values_) {
      sum.point.body.result.push_back(added_value(again, value, place_, indices));
      const Type type = scalar(b_.names.type_of(value).elem);
      sum.point.result_types.push_back(type);
      sum.outs.push_back(out_of(OutKind::reduce, 0, adding(point, type.elem)));
    }
    const PrimValue* extent = literal_in(sum.space[0]);
    const bool may_be_empty = !slab && !(extent && extent->as_int() > 0);
    sum.point.body.stms = varying(std::move(inside.stms), sum.point.params, may_be_empty, point);
    return as_atoms(point.let_all({"total"}, sum));
  }

  /// The others go before. Where nothing may be summed there may be nothing to read, nor anything to divide by; of several dimensions an
  /// inner one may be empty.
  std::vector<Stm> varying(std::vector<Stm> stms, const std::vector<Param>& params, bool may_be_empty, Builder& before) const {
    if (params.size() > 1) return stms;
    NameSet varying{params[0].name};
    std::vector<Stm> rest;
    for (Stm& stm : stms) {
      const NameSet used = free_names(stm);
      const bool varies = (may_be_empty && !is_harmless(stm.exp)) ||
                          std::any_of(used.begin(), used.end(), [&](const Name& name) { return varying.contains(name); });
      if (varies) varying.insert(stm.pattern[0].name);
      varies ? rest.push_back(std::move(stm)) : before.add(std::move(stm));
    }
    return rest;
  }

  std::vector<Atom> of_all_slabs(Builder& point, const Chunks& slabs, const std::vector<Name>& parts, const std::vector<Atom>& cell) const {
    const auto first = cell.begin() + static_cast<std::ptrdiff_t>(leading());
    const std::optional<Atom> lead = leading() ? std::optional(lead_of(point, cell)) : std::nullopt;
    Nest sum;
    sum.space = {slabs.count};
    sum.point = point.lambda({{"slab", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& slab) {
      std::vector<Atom> at{slab[0]};
      if (lead) at[0] = b.binop("block", BinOpKind::add, b.binop("first", BinOpKind::mul, slab[0], leads_), *lead);
      at.insert(at.end(), first, cell.end());
      std::vector<Atom> results;
      for (const Name& part : parts) results.push_back(b.index(part.base, part, at));
      return results;
    });
    for (const Type& type : sum.point.result_types)
      sum.outs.push_back(out_of(OutKind::reduce, 0, adding(point, type.elem)));
    return as_atoms(point.let_all({"total"}, sum));
  }

  /// A thread for each cell: what was there, and the totals of the values.
  template <typename Fill>
  void store(const std::vector<Target>& targets, Fill&& fill) {
    const bool numbered = is_numbered();
    std::vector<Name> before;
    for (const Target& target : targets) {
      const bool seen_flat = numbered && !known_before(target);
      before.push_back(seen_flat ? b_.let(target.before.base, Reshape{{cells_}, target.before}) : target.before);
    }
    Nest nest;
    nest.over = over_;
    nest.space = numbered ? Shape{cells_} : extents_of(place_.cell);
    nest.outs.assign(targets.size(), out_of(OutKind::store, static_cast<int>(nest.space.size())));
    std::vector<std::pair<std::string, Type>> indices;
    for (const Dimension& d : place_.cell) indices.emplace_back(d.index.base, scalar(PrimType::i64));
    if (numbered) indices = {{"cell", scalar(PrimType::i64)}};
    nest.point = b_.lambda(indices, [&](Builder& point, const std::vector<Name>& cell) {
      std::vector<Atom> at = as_atoms(cell);
      if (numbered) {
        Atom rest = cell[0];
        at = digits(point, rest, place_.cell.size(), false);
      }
      return sums(point, targets, before, as_atoms(cell), fill(point, at));
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
  Level over_;
  std::vector<Atom> values_;  // that are different
  Atom cells_ = int_atom(0);  // how many there are
  Atom leads_ = int_atom(0);  // of the leading dimensions
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
                const Definitions& definitions, Level over) {
  Totals(builder, additions, definitions, over).run(targets);
}

}  // namespace boustro::parallel
